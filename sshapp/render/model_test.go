package render

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// terms names terminals with different capabilities.
var terms = []string{"kitty", "xterm-256color", "screen-256color", "linux", "vt220", "vt100", "unknown"}

// Random frames look as if each had been sent plainly as a whole.
func TestScreenShowsTheFrame(t *testing.T) {
	for i, term := range terms {
		t.Run(term, func(t *testing.T) {
			for seed := range 12 {
				showFrames(t, FromTerm(term), uint64(i*1000+seed), nil) //nolint:gosec // small
			}
		})
	}
	t.Run("ascii", func(t *testing.T) {
		for seed := range 12 {
			showFrames(t, Caps{NoWrap: true}, uint64(seed), nil) //nolint:gosec // small
		}
	})
}

// Each terminal gives doubtful clusters a wrong width in a different way. Replacing the clusters in the output
// simulates that.
func TestAmbiguousWidthsHarmNothingElse(t *testing.T) {
	for name, replace := range map[string]func(cluster string) string{
		"nothing":  func(string) string { return "" },
		"narrow":   func(string) string { return "n" },
		"wide":     func(string) string { return "広" },
		"one each": func(c string) string { return strings.Repeat("n", utf8.RuneCountInString(c)) },
		"two each": func(c string) string { return strings.Repeat("広", utf8.RuneCountInString(c)) },
	} {
		t.Run(name, func(t *testing.T) {
			var pairs []string
			for _, cluster := range ambiguous {
				pairs = append(pairs, cluster, replace(cluster))
			}
			for seed := range 12 {
				showFrames(t, FromTerm("kitty"), uint64(seed), strings.NewReplacer(pairs...)) //nolint:gosec // small
			}
		})
	}
}

// showFrames draws random frames and compares them. distorted replaces doubtful clusters in the output, and the
// comparison leaves them out.
func showFrames(t *testing.T, caps Caps, seed uint64, distorted *strings.Replacer) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test
	width, height := 1+rng.IntN(60), 1+rng.IntN(16)
	got, want := newTerminal(t, width, height), newTerminal(t, width, height)
	s := NewScreen(caps, width, height)
	p := newPage(rng, caps)
	columns, rows := 1+rng.IntN(70), 1+rng.IntN(18)
	for range 40 {
		p.edit()
		if rng.IntN(10) == 0 {
			width, height = 1+rng.IntN(60), 1+rng.IntN(16)
			got.Resize(width, height)
			want.Resize(width, height)
			s.Resize(width, height)
			columns, rows = 1+rng.IntN(70), 1+rng.IntN(18)
		}
		output := s.Draw(nil, contentIn(p.content(), columns, rows))
		if distorted != nil {
			output = []byte(distorted.Replace(string(output)))
		}
		got.write(t, output)
		paintPlainly(t, want, s, p.content(), columns, rows)
		compare(t, got, want, func(x, y int) bool {
			corner := !caps.NoWrap && x+max(want.CellAt(x, y).Width, 1) == width && y == height-1
			return corner || distorted != nil && isAmbiguous(want, x, y)
		})
	}
}

func isAmbiguous(e *terminal, x, y int) bool {
	c := e.CellAt(x, y)
	if c.Width == 0 && x > 0 {
		c = e.CellAt(x-1, y)
	}
	return slices.Contains(ambiguous, c.Content) || ansi.StringWidth(c.Content) != c.Width
}
