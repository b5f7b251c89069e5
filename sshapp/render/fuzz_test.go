package render

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// For any two frames Draw does not panic and writes only text and known sequences. The terminal ends up as if it had
// shown only the second frame.
func FuzzDraw(f *testing.F) {
	f.Add("a\x1b[1mb", "ab\x1b[7m  \nc", uint8(10), uint8(3), uint8(0), uint8(10))
	f.Add("漢字👩‍👩‍👧\n❤️x", "a漢字\x1b]0;x\x07", uint8(5), uint8(2), uint8(1), uint8(4))
	f.Add("   \x1b[48;5;220m 7 \x1b[m│ 8 \n───┼───", "    7 │\x1b[48;5;220m 8 \x1b[m\n───┼───", uint8(8), uint8(2),
		uint8(2), uint8(12))
	f.Fuzz(func(t *testing.T, one, other string, width, height, term, columns uint8) {
		caps := FromTerm(terms[int(term)%len(terms)])
		s := NewScreen(caps, int(width), int(height))
		drawn := s.Draw(nil, contentIn(one, int(columns), 3))
		drawn = s.Draw(drawn, contentIn(other, int(columns), 3))
		checkForm(t, drawn)
		fresh := NewScreen(caps, int(width), int(height))
		if strings.ContainsFunc(one+other, func(r rune) bool {
			return r > 0x2fff || unicode.Is(unicode.M, r) || unicode.Is(unicode.C, r) && r != '\n'
		}) {
			return // the emulator treats such clusters in its own way
		}
		got, want := newTerminal(t, s.width, s.height), newTerminal(t, s.width, s.height)
		got.write(t, drawn)
		want.write(t, fresh.Draw(nil, contentIn(other, int(columns), 3)))
		compare(t, got, want, func(int, int) bool { return false })
	})
}

func checkForm(t *testing.T, output []byte) {
	t.Helper()
	p := ansi.NewParser()
	for rest := string(output); rest != ""; {
		seq, _, n, _ := ansi.DecodeSequence(rest, ansi.NormalState, p)
		rest = rest[n:]
		switch {
		case utf8.ValidString(seq) && !strings.ContainsFunc(seq, unicode.IsControl):
		case slices.Contains([]string{"\r", "\b", reverseIndex}, seq):
		case strings.HasPrefix(seq, csi+"?"):
			if final := seq[len(seq)-1]; final != 'h' && final != 'l' {
				t.Fatalf("it writes %q", seq)
			}
		case strings.HasPrefix(seq, csi) && strings.ContainsRune("ABCDGHJKXbm", rune(seq[len(seq)-1])):
			if strings.Trim(seq[len(csi):len(seq)-1], "0123456789;:") != "" {
				t.Fatalf("it writes %q", seq)
			}
		default:
			t.Fatalf("it writes %q", seq)
		}
	}
}
