package classic_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/rules/classic"
)

func TestStrongComputerKeepsToItsRuleInTicTacToe(t *testing.T) {
	turns := 0
	someGames(t, seeded(classic.Strong, 3), "1", func(before, _, mark string) {
		turns++
		if want := ticTacToeByRule(before); mark != want {
			t.Fatalf("on %s it takes %s and not %s", before, mark, want)
		}
	})
	if turns < 4000 {
		t.Errorf("it had only %d turns", turns)
	}
}

func ticTacToeByRule(board string) string {
	own, other := "0", "X"
	if strings.Count(board, "0") > strings.Count(board, "X") {
		own, other = other, own
	}
	for _, mark := range []string{own, other} {
		for _, line := range []string{"123", "456", "789", "147", "258", "369", "159", "357"} {
			for _, face := range strings.Split(line, "") {
				if after := withMark(board, face, mark); after != board && lineOf(after, line) == strings.Repeat(mark, 3) {
					return face
				}
			}
		}
	}
	for _, face := range strings.Split("513792468", "") {
		if strings.Contains(board, face) {
			return face
		}
	}
	return ""
}

// lineOf returns the marks on the cells with the digits of line.
func lineOf(board, line string) string {
	return string([]byte{board[line[0]-'1'], board[line[1]-'1'], board[line[2]-'1']})
}

func TestStrongComputerKeepsToItsRuleInNotakto(t *testing.T) {
	lots := map[string]bool{}
	someGames(t, seeded(classic.Strong, 3), "2", func(before, last, mark string) {
		switch want := notaktoByRule(before, last); {
		case want == "":
			lots[before+last+mark] = true
		case mark != want:
			t.Fatalf("on %s after %s it takes %s and not %s", before, last, mark, want)
		}
	})
	if len(lots) < 10 {
		t.Errorf("where the rule has no answer it plays only %v", lots)
	}
}

func notaktoByRule(board, last string) string {
	if strings.Contains(board, "5") {
		return "5"
	}
	bad := map[string]string{
		"1": "123147", "2": "1232582468", "3": "123369", "4": "4561472468", "5": "456258", "6": "4563692468",
		"7": "789147", "8": "7892582468",
		"9": "789369",
	}[last]
	for _, opposites := range []string{"19", "28", "37", "46", "55"} {
		if !strings.Contains(board, opposites[:1]) || !strings.Contains(board, opposites[1:]) {
			bad += opposites
		}
	}
	for _, face := range freeFaces(board) {
		if !strings.Contains(bad, face) {
			return face
		}
	}
	return ""
}

// On an empty board the strong computer takes 5, and the random one takes 5 in one game of nine.
func TestTheComputerIsDrawnByAFairCoin(t *testing.T) {
	center, begun := 0, 0
	someGames(t, seeded(classic.Drawn, 6), "2", func(before, _, mark string) {
		if before != "123456789" {
			return
		}
		begun++
		if mark == "5" {
			center++
		}
	})
	if share := float64(center) / float64(begun); begun < 900 || share < 0.5 || share > 0.61 {
		t.Errorf("it begins %d games, with 5 in %d", begun, center)
	}
}

func TestWithoutASeedEveryRunDrawsAnew(t *testing.T) {
	different := map[string]bool{}
	for range 200 {
		out, _ := run(classic.One, "2\n1\n1\n1\n2\n3\n4\n6\n7\n8\n9\n5\n0\n", classic.Options{Computer: classic.Random})
		different[out] = true
	}
	if len(different) < 5 {
		t.Errorf("200 runs play %d games", len(different))
	}
}

// someGames plays games in one run against random input, and passes each turn of the computer to check.
func someGames(t *testing.T, options classic.Options, mode string, check func(before string, last, mark string)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 2))
	last, games := "", 0
	out := talk(t, classic.One, options, func(printed string) string {
		if before, after, found := strings.Cut(printed, "Computer placed the mark: "); found {
			boards := boardsIn(before)
			check(boards[len(boards)-1], last, after[:1])
		}
		switch {
		case strings.HasSuffix(printed, "notakto)\n"):
			return mode
		case strings.HasSuffix(printed, "playing? (1 or 2)\n"):
			return "1"
		case strings.HasSuffix(printed, "computer be? (1 or 2)\n"):
			last = ""
			return []string{"1", "2"}[rng.IntN(2)]
		case strings.HasSuffix(printed, "Again?(1:Yes, 0:No)\n"):
			if games++; games == 2000 {
				return "0"
			}
			return "1"
		default:
			last = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}[rng.IntN(9)]
			return last
		}
	})
	if n := strings.Count(out, "Starting..."); n != 2000 || games != 2000 {
		t.Fatalf("%d games were begun and %d ended", n, games)
	}
}
