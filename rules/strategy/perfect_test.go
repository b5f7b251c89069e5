package strategy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// equallyGood returns what the perfect player may play in p, found by analysis of every reply.
func equallyGood(t testing.TB, p rules.Position) []rules.Move {
	t.Helper()
	a := strategy.Analyse(p)
	var best []rules.Move
	fewest := math.MaxInt
	for _, verdict := range a.Moves {
		if verdict.Verdict != a.Verdict {
			continue
		}
		next, cost := play(t, p, verdict.Move), 0
		switch {
		case a.Verdict == strategy.Loss && next.Outcome().Over():
			cost = math.MaxInt
		case a.Verdict == strategy.Loss:
			cost = len(strategy.Analyse(next).Winning())
		case next.Outcome().Reason == rules.Line:
			cost = -1
		}
		if cost < fewest {
			best, fewest = nil, cost
		}
		if cost == fewest {
			best = append(best, verdict.Move)
		}
	}
	return best
}

func TestPerfectDrawsFromTheEquallyGoodMoves(t *testing.T) {
	for _, p := range []rules.Position{
		notakto(t, 1).Start(), // won: the centre
		notakto(t, 2).Start(), // lost
		notakto(t, 3).Start(), // won
		notakto(t, 9).Start(),
		rules.TicTacToe().Start(),
		after(t, "notakto/1: 5"),
		after(t, "notakto/3: A5 B1 A1"),
		after(t, "notakto/2: A7 A8 A9 B5"),
		after(t, "tictactoe: 5 2"),
		after(t, "tictactoe: 5 2 7"),
		after(t, "tictactoe: 7 8 4 5"), // completes the column
	} {
		checkUniform(t, drawn(p, strategy.Perfect, 5_000), equallyGood(t, p))
	}
}

func TestPerfectIsNeverAnythingElse(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	won, lost := 0, 0
	for _, v := range variants(t) {
		for range 10 {
			for p := v.Start(); !p.Outcome().Over(); p = play(t, p, strategy.Random.Choose(p, rng)) {
				best, m := equallyGood(t, p), strategy.Perfect.Choose(p, rng)
				if !contains(best, m) {
					t.Fatalf("%v: perfect plays %v, the best moves are %v", p, m, best)
				}
				switch strategy.Evaluate(p) {
				case strategy.Win:
					won++
				case strategy.Loss:
					lost++
				}
			}
		}
	}
	if won < 100 || lost < 100 {
		t.Errorf("only %d won and %d lost positions were seen", won, lost)
	}
}

func contains(moves []rules.Move, m rules.Move) bool {
	for _, other := range moves {
		if other == m {
			return true
		}
	}
	return false
}

// In the last position before the end all that is left may lose, but killing the last board by choice would be
// resigning.
func TestPerfectPutsOffALostGame(t *testing.T) {
	p := after(t, "notakto/1: 5") // lost, and nothing kills yet
	rng := rand.New(rand.NewPCG(15, 16))
	for !p.Outcome().Over() {
		m := strategy.Perfect.Choose(p, rng)
		next := play(t, p, m)
		if next.Outcome().Over() {
			for _, other := range p.Legal() {
				if !play(t, p, other).Outcome().Over() {
					t.Fatalf("%v: %v ends the game, %v would not", p, m, other)
				}
			}
		}
		p = next
	}
}

func TestPerfectWinsEveryWonGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, v := range variants(t) {
		start := strategy.Evaluate(v.Start())
		for _, opponent := range strategy.Levels() {
			for range 20 {
				first := playOut(t, v, strategy.Perfect, opponent, rng).Position.Outcome()
				second := playOut(t, v, opponent, strategy.Perfect, rng).Position.Outcome()
				if start == strategy.Win && first.Winner != rules.First || start != strategy.Loss && first.Winner == rules.Second {
					t.Errorf("%v is a %v, but perfect moving first against %v ends in %+v", v, start, opponent, first)
				}
				if start == strategy.Loss && second.Winner != rules.Second ||
					start == strategy.Draw && second.Winner == rules.First {
					t.Errorf("%v is a %v, but perfect moving second against %v ends in %+v", v, start, opponent, second)
				}
			}
		}
	}
}
