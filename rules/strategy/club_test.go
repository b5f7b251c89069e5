package strategy_test

import (
	"math/rand/v2"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// share returns how often the club player makes a move that the perfect player would not, of the given number of times.
func share(t testing.TB, p rules.Position, times int) float64 {
	t.Helper()
	best, errs := equallyGood(t, p), 0
	for m, n := range drawn(p, strategy.Club, times) {
		if !contains(best, m) {
			errs += n
		}
	}
	return float64(errs) / float64(times)
}

func TestClubErrsOneMoveInFour(t *testing.T) {
	for _, p := range []rules.Position{
		notakto(t, 1).Start(),
		after(t, "notakto/1: 5 1"),
		after(t, "tictactoe: 5 7 9"),
		after(t, "notakto/3: A5 B1 A1 C3"),
	} {
		if got := share(t, p, 20_000); got < 0.24 || got > 0.26 {
			t.Errorf("%v: the club player errs in %.3f of its moves", p, got)
		}
	}
}

func TestClubErrsByAllWorstMoves(t *testing.T) {
	for _, game := range []string{
		"notakto/1:", "notakto/1: 5", "notakto/3: A5 B1 A1 C3", "tictactoe: 5 7 9", "tictactoe: 1 2", "tictactoe: 7",
	} {
		p := after(t, game)
		best, worst := equallyGood(t, p), strategy.Win
		var mistakes []rules.Move
		for _, verdict := range strategy.Analyse(p).Moves {
			if contains(best, verdict.Move) {
				continue
			}
			if verdict.Verdict < worst {
				worst, mistakes = verdict.Verdict, nil
			}
			if verdict.Verdict == worst {
				mistakes = append(mistakes, verdict.Move)
			}
		}
		count := drawn(p, strategy.Club, 20_000)
		for _, m := range best {
			delete(count, m)
		}
		checkUniform(t, count, mistakes)
	}
}

// Where all moves are equally good, nothing can go wrong.
func TestClubPlaysOnWhereNothingCanGoWrong(t *testing.T) {
	for _, game := range []string{"tictactoe:", "notakto/3:", "notakto/1: 7 8 4 5"} {
		p := after(t, game)
		checkUniform(t, drawn(p, strategy.Club, 20_000), p.Legal())
	}
}

func TestClubBeatsRandomAndLosesToPerfect(t *testing.T) {
	rng, v := rand.New(rand.NewPCG(21, 22)), notakto(t, 3)
	const games = 400
	wins := func(level, opponent strategy.Level) int {
		n := 0
		for i := range games {
			if i%2 == 0 && playOut(t, v, level, opponent, rng).Position.Outcome().Winner == rules.First {
				n++
			}
			if i%2 == 1 && playOut(t, v, opponent, level, rng).Position.Outcome().Winner == rules.Second {
				n++
			}
		}
		return n
	}
	if n := wins(strategy.Club, strategy.Random); n < games*6/10 {
		t.Errorf("club wins %d of %d games against random", n, games)
	}
	if n := wins(strategy.Club, strategy.Perfect); n > games*4/10 {
		t.Errorf("club wins %d of %d games against perfect", n, games)
	}
}
