package classic_test

import (
	"strings"
	"testing"

	"notakto/rules/classic"
)

func TestTwoTakesOnlyIntegersInRange(t *testing.T) {
	const complaint = "Input out of range. Please input again:\n"
	questions := []struct{ typed, accepted string }{
		{"", "# Player 1's turn #\nChoose the game board:\n"},
		{"2\n", "Choose the cell:\n"},
		{"2\n1\n", "# Player 2's turn #\nChoose the game board:\n"},
	}
	lines := []struct {
		line string
		good bool
	}{
		{"1", true}, {"2", true}, {" 1 ", true}, {"\t2\r", true}, {"01", true}, {"+1", true},
		{"0000000000000000000000000000000002", true},
		{"", false}, {"   ", false}, {"0", false}, {"-0", false}, {"-1", false}, {"10", false},
		{"99999999999999999999999", false},
		{"1.0", false}, {"1.5", false}, {"1e0", false}, {"1 2", false}, {"1a", false}, {"a", false}, {"0x1", false},
		{"1_0", false},
		{"+", false}, {"+ 1", false}, {"١", false}, {"１", false}, {"\x00", false}, {"1\x00", false},
		{"\xff\xfe", false}, {"\x1b[A", false},
	}
	for _, q := range questions {
		for _, l := range lines {
			out, _ := run(classic.Two, q.typed+l.line+"\n", classic.Options{})
			want := complaint
			if l.good {
				want = q.accepted
			}
			if !strings.HasSuffix(out, want) || strings.Count(out, complaint) > 1 {
				t.Errorf("after %q, %q: got %q at the end, want %q", q.typed, l.line, out[max(0, len(out)-60):], want)
			}
		}
	}
	for _, line := range []string{"3", "9"} {
		for _, q := range questions[:2] {
			if out, _ := run(classic.Two, q.typed+line+"\n", classic.Options{}); !strings.HasSuffix(out, complaint) {
				t.Errorf("after %q, %s is taken", q.typed, line)
			}
		}
	}
}
