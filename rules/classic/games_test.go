package classic_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/rules/classic"
)

// someGames plays games in one run against random input, and passes each turn of the computer to check.
func someGames(t *testing.T, options classic.Options, mode string, check func(before string, last, mark string)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 2))
	last, games := "", 0
	out := talk(t, classic.One, options, func(printed string) string {
		checkTurns(printed, last, check)
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

func checkTurns(printed, last string, check func(before string, last, mark string)) {
	before, after, found := strings.Cut(printed, "Computer placed the mark: ")
	if boards := boardsIn(before); found {
		check(boards[len(boards)-1], last, after[:1])
	}
}
