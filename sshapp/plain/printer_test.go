package plain

import (
	"bytes"
	"testing"
)

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
