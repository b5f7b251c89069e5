package draw

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

func FuzzCutLine(f *testing.F) {
	for _, text := range []string{
		"", "one", "one two three", "  indented, and  spaced ", "a-long-hyphenated-word and more", "1 - 2 - 3",
		"two\nlines", "a blank\n\nline\n", "averyverylongwordthatdoesnotfit at all", "trailing   \n  leading",
		"名前が広い文字です と 空白", "no\u00a0break here",
		"e\u0301 accents e\u0301e\u0301e\u0301e\u0301 end",
		"👩‍👩‍👧 family 👩‍👩‍👧👩‍👩‍👧",
	} {
		for _, width := range []int{0, 1, 3, 5, 8, 40} {
			f.Add(text, width)
		}
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		isStrange := func(r rune) bool { return r == unicode.ReplacementChar || r != '\n' && unicode.IsControl(r) }
		if strings.ContainsFunc(text, isStrange) { // no screen has such a text
			return
		}
		want, rest, more := strings.Split(ansi.Wordwrap(text, width, ""), "\n"), text, true
		for i := 0; more; i++ {
			var line string
			if line, rest, more = cutLine(rest, width); i >= len(want) || line != want[i] || more != (i < len(want)-1) {
				t.Fatalf("line %d of %q at %d is %q, %v; want %q", i, text, width, line, more, want)
			}
		}
	})
}
