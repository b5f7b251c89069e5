package classic_test

import (
	"strings"
	"testing"

	"notakto/rules/classic"
)

func TestThreeTakesOnlyALetterAndADigit(t *testing.T) {
	const (
		accepted = "Player 2: "
		refused  = "Player 1: Invalid move, please input again\nPlayer 1: "
	)
	for _, line := range []string{"A0", "A8", "B4", "C0", "C8", " B4", "B4 ", "\tB4\r"} {
		out, _ := run(classic.Three, line+"\n", classic.Options{})
		if !strings.HasSuffix(out, accepted) || strings.Contains(out, "Invalid") {
			t.Errorf("%q is refused: %q", line, out)
		}
	}
	for _, line := range []string{
		"", " ", "A", "6", "A9", "A10", "D0", "Z0", "@0", "[0", "a6", "A 6", "6A", "A6 B6", "AA", "A-", "A/", "A:",
		"A66", "AA6", "Ａ6", "A\x00", "\xff\xfe",
		"exit", "A06", "A+6",
	} {
		out, _ := run(classic.Three, line+"\n", classic.Options{})
		if !strings.HasSuffix(out, refused) {
			t.Errorf("%q is not refused: %q", line, out)
		}
	}
}

// The live boards keep their order. Dead boards leave no gap and no trailing space.
func TestThreeShowsTheBoardsAlive(t *testing.T) {
	tests := []struct{ typed, shown string }{
		{"B0\nB1\nB2\n", "A      C\n0 1 2  0 1 2\n3 4 5  3 4 5\n6 7 8  6 7 8\nPlayer 2: "},
		{"C2\nC4\nC6\n", "A      B\n0 1 2  0 1 2\n3 4 5  3 4 5\n6 7 8  6 7 8\nPlayer 2: "},
		{"A0\nA4\nA8\nB2\nB5\nB8\n", "C\n0 1 2\n3 4 5\n6 7 8\nPlayer 1: "},
		{"A0\nA4\nA8\nC1\nC4\nB2\nC7\n", "B\n0 1 X\n3 4 5\n6 7 8\nPlayer 2: "},
		{"A0\nA4\nA8\nC1\nC4\nB2\nC7\nB6\nB3\nB4\n", "Player 2: Player 1 wins game\n"},
		{"A0\nA4\nA8\nB0\nB4\nB8\nC0\nC4\nC8\nA0\nA1\n", "Player 1: Player 2 wins game\n"},
		{"A0\nA4\nA8\nA1\n", "Player 2: Invalid move, please input again\nPlayer 2: "},
	}
	for _, test := range tests {
		out, _ := run(classic.Three, test.typed, classic.Options{})
		if !strings.HasSuffix(out, test.shown) {
			t.Errorf("after %q:\n%s", test.typed, out)
		}
		if strings.Contains(out, " \n") {
			t.Errorf("after %q a line ends with a space:\n%s", test.typed, out)
		}
	}
}
