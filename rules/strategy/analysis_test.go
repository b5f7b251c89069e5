package strategy_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// A move wins if it leaves a lost position, and draws if it leaves a drawn one.
func TestAnAnalysisIsConsistent(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, v := range variants(t) {
		for range 20 {
			for p := v.Start(); !p.Outcome().IsOver(); p = play(t, p, strategy.Random.Choose(p, rng)) {
				a := strategy.Analyse(p)
				var moves []strategy.MoveVerdict
				var winning []rules.Move
				best := strategy.Loss
				for _, m := range p.LegalMoves() {
					verdict := strategy.Win + strategy.Loss - strategy.Evaluate(play(t, p, m))
					moves, best = append(moves, strategy.MoveVerdict{Move: m, Verdict: verdict}), max(best, verdict)
					if verdict == strategy.Win {
						winning = append(winning, m)
					}
				}
				if !slices.Equal(a.Moves, moves) || !slices.Equal(a.WinningMoves(), winning) || a.Verdict != best ||
					strategy.Evaluate(p) != best {
					t.Fatalf("%v: %+v, want %v by %v", p, a, best, moves)
				}
			}
		}
	}
}

func TestAFinishedGameHasNoMoves(t *testing.T) {
	for game, want := range map[string]strategy.Verdict{
		"notakto/1: 7 8 9":             strategy.Win, // the side that would move has won
		"notakto/2: A7 A8 A9 B1 B2 B3": strategy.Win,
		"tictactoe: 7 1 8 2 9":         strategy.Loss,
		"tictactoe: 5 1 7 3 2 8 4 6 9": strategy.Draw,
	} {
		a := strategy.Analyse(after(t, game))
		if a.Verdict != want || len(a.Moves) != 0 || len(a.WinningMoves()) != 0 {
			t.Errorf("%s is analysed as %+v, want %v and no moves", game, a, want)
		}
	}
	if got := strategy.Evaluate(rules.Position{}); got != 0 {
		t.Errorf("the zero position is judged a %v", got)
	}
}
