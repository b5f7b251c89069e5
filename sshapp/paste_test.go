package sshapp

import (
	"io"
	"strings"
	"testing"

	"notakto/sshapp/limit"
)

// Lines that a player pastes by mistake, more of them than the window of a channel holds.
var (
	pastedLine  = "rm -rf ~ # a line that is for a shell\r"
	pastedLines = strings.Repeat(pastedLine, 3<<20/len(pastedLine))
)

// A paste of 4,400 bytes ended the session, and one of 5,000 took the keyboard for good.
func TestAPasteOfMegabytesChangesNothing(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxInputRate = limit.DefaultSettings().MaxInputRate })
	for command, sees := range map[string]string{"": "Play someone", "play": "Waiting for an opponent"} {
		p := newPersonAt(t, h.dial("alice", newKey(t, 1)), command)
		p.sees(sees)
		p.press("\x1b[200~" + pastedLines + "\x1b[201~?")
		p.sees("Any key goes back")
		if h.rejections.Count(limit.KeyFlood)+h.rejections.Count(limit.UnreadInput) > 0 {
			t.Errorf("%q: the paste is counted as a flood", command)
		}
		_ = p.client.Close()
	}
}

// When a session ended in the middle of a paste, the player's own shell read the rest, and ran its lines.
func TestTheRestOfAPasteIsRead(t *testing.T) {
	h := startServer(t)
	for i, one := range []struct{ command, sees, typed string }{
		{"", "Play someone", "\x03\x03" + pastedLines},              // a key in it quits
		{"", "Play someone", strings.Repeat("j", len(pastedLines))}, // it is too much
		{"", "Play someone", "\x1b]0;" + strings.Repeat("j", len(pastedLines))},
		{"plain", "line by line", "quit\r" + pastedLines},
		{"play", "Waiting for an opponent", "\x03\x03" + pastedLines},
	} {
		p := newPersonAt(t, h.dial("alice", newKey(t, byte(i+1))), one.command)
		p.sees(one.sees)
		if n, err := io.WriteString(p.keys, one.typed); err != nil {
			t.Errorf("case %d: %d of %d bytes were read before the end: %v", i, n, len(one.typed), err)
		}
		_ = p.leaves()
	}
}

// A session that was held up for too long hung up on its client, in the middle of a paste.
func TestTheRestOfAPasteThatIsTooSlowIsRead(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.MaxInputRate = limit.DefaultSettings().MaxInputRate })
	p := newPersonAt(t, h.dial("alice", newKey(t, 1)), "plain")
	p.sees("line by line")
	if n, err := io.WriteString(p.keys, strings.Repeat("\r", len(pastedLines))); err != nil {
		t.Errorf("%d bytes were read before the end: %v", n, err)
	}
	_ = p.leaves()
	if h.rejections.Count(limit.UnreadInput) != 1 {
		t.Error("the reason is not counted")
	}
}
