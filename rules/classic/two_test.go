package classic_test

import (
	"math/rand/v2"
	"slices"
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

// twoByRule is a second implementation of the rule.
func TestTwoComputerKeepsToItsRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	winners := map[string]int{}
	for range 500 {
		out := talk(t, classic.Two, classic.Options{}, func(printed string) string {
			switch {
			case strings.HasSuffix(printed, "[1-2]:\n"):
				return "1"
			case strings.HasSuffix(printed, "board:\n"), strings.HasSuffix(printed, "dead. Please input again:\n"):
				return []string{"1", "2"}[rng.IntN(2)]
			default:
				return []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}[rng.IntN(9)]
			}
		})
		turns := strings.Split(out, "# Computer's turn #\n")
		for i, turn := range turns[1:] {
			boards := boardsIn(turns[i])
			if want := twoByRule(boards[len(boards)-2:]); !strings.HasPrefix(turn, want) {
				t.Fatalf("on %v it plays\n%s\nand not\n%s", boards[len(boards)-2:], turn[:50], want)
			}
		}
		last := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		winners[last[len(last)-1]]++
	}
	if len(winners) != 2 || winners["Computer wins!"] == 0 || winners["Congratulations! Player 1 wins!"] == 0 {
		t.Errorf("the games ended %v", winners)
	}
}

// twoByRule returns the computer's output on its turn.
func twoByRule(boards []string) string {
	dead := []bool{hasLine(boards[0], 'X'), hasLine(boards[1], 'X')}
	board := 1
	if dead[1] || !dead[0] && strings.Count(boards[0], "X") < strings.Count(boards[1], "X") {
		board = 0
	}
	free := freeFaces(boards[board])
	if board == 1 {
		slices.Reverse(free)
	}
	cell := free[0]
	if dead[1-board] {
		for _, face := range free {
			if !hasLine(withMark(boards[board], face, "X"), 'X') {
				cell = face
				break
			}
		}
	}
	return "Choose the game board:\n" + []string{"1", "2"}[board] + "\nChoose the cell:\n" + cell + "\n#"
}
