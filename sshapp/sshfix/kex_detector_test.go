package sshfix

import (
	"strings"
	"testing"
)

func TestKexDetectorEndsBehindTheProposal(t *testing.T) {
	for _, sent := range []struct{ opening, behind string }{
		{"SSH-2.0-x\r\n\x00\x00\x00\x03abc", "\x00"},
		{"hello\r\n\nSSH\nSSH-2.0-x\n\x00\x00\x01\x00" + strings.Repeat("\n", 256), "SSH-2.0-x\n"},
		{"SSH-2.0-x\r\n\x00\x00\x00\x00", "\x00\x00\x00\x00"},
	} {
		whole, pieces := new(KexDetector), new(KexDetector)
		for i := range sent.opening {
			if pieces.Scan([]byte{sent.opening[i]}) {
				t.Fatalf("%q ended at byte %d", sent.opening, i)
			}
		}
		if !whole.Scan([]byte(sent.opening + sent.behind)) {
			t.Errorf("%q does not end before %q", sent.opening, sent.behind)
		}
		if !pieces.Scan([]byte(sent.behind)) || pieces.Scan([]byte(sent.behind)) {
			t.Errorf("the end of %q, in pieces, comes other than once", sent.opening)
		}
	}
}

func TestAClientThatOnlyTalksDoesNotStartAKex(t *testing.T) {
	for _, sent := range []string{
		"", "S", "SSH-2.0-x\r\n", "GET / HTTP/1.1\r\n\r\n\x00\x00\x00\x01xx",
		"SSH-2.0-x\n\xff\xff\xff\xff" + strings.Repeat("x", 1000),
	} {
		if new(KexDetector).Scan([]byte(sent)) {
			t.Errorf("%.20q ends it", sent)
		}
	}
}
