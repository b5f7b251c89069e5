package plain

import (
	"bytes"
	"testing"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain é 井":              "plain é 井",
		"\x1b[31mred\x07\n":      "[31mred",
		"a\u202eb\u200bc\u0085d": "abcd",
		"bad\xff\x9b":            "bad",
	} {
		if got := clean(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// In a locale without UTF-8 a name in other letters was sent as it was, and the terminal showed something else for each
// of its bytes.
func TestOnlyASCIIWhereTheLocaleHasNoMore(t *testing.T) {
	var received bytes.Buffer
	p := printer{out: &received, ascii: true}
	p.printLine("Áb and 井 play.")
	if err := p.flush(""); err != nil || received.String() != "?b and ? play.\n" {
		t.Errorf("%q, %v", received.String(), err)
	}
}
