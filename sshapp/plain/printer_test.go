package plain

import (
	"bytes"
	"testing"

	"notakto/internal/testkit"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain é 井":              "plain é 井",
		"\x1b[31mred\x07\n":      "[31mred",
		"a\u202eb\u200bc\u0085d": "abcd",
		"bad\xff\x9b":            "bad",
	} {
		testkit.Equal(t, clean(text), want, text)
	}
}

// Names in other scripts used to be sent in UTF-8 to terminals of another locale, which showed each byte as a
// letter.
func TestOnlyASCIIWhereTheLocaleHasNoMore(t *testing.T) {
	var received bytes.Buffer
	p := printer{out: &received, ascii: true}
	p.printLine("Áb and 井 play.")
	if err := p.flush(""); err != nil || received.String() != "?b and ? play.\n" {
		t.Errorf("%q, %v", received.String(), err)
	}
}
