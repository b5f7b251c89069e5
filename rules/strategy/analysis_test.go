package strategy_test

import (
	"math/rand/v2"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

func TestAnAnalysisIsConsistent(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, v := range variants(t) {
		for range 20 {
			for p := v.Start(); !p.Outcome().IsOver(); p = play(t, p, strategy.Random.Choose(p, rng)) {
				checkAnalysis(t, p)
			}
		}
	}
}

func checkAnalysis(t *testing.T, p rules.Position) {
	t.Helper()
	a, legal := strategy.Analyse(p), p.LegalMoves()
	if len(a.Moves) != len(legal) || a.Verdict != strategy.Evaluate(p) {
		t.Fatalf("%v: %d moves analysed of %d", p, len(a.Moves), len(legal))
	}
	best, winning := strategy.Loss, 0
	for i, verdict := range a.Moves {
		if verdict.Move != legal[i] {
			t.Fatalf("%v: move %d is %v, want %v", p, i, verdict.Move, legal[i])
		}
		if verdict.Verdict == strategy.Win {
			if a.WinningMoves()[winning] != verdict.Move {
				t.Fatalf("%v: the winning moves are %v", p, a.WinningMoves())
			}
			winning++
		}
		reply := strategy.Evaluate(play(t, p, verdict.Move))
		if (verdict.Verdict == strategy.Win) != (reply == strategy.Loss) ||
			(verdict.Verdict == strategy.Draw) != (reply == strategy.Draw) {
			t.Fatalf("%v: %v is a %v, and leaves a %v", p, verdict.Move, verdict.Verdict, reply)
		}
		best = max(best, verdict.Verdict)
	}
	if best != a.Verdict || winning != len(a.WinningMoves()) {
		t.Fatalf("%v is a %v, but its best move is a %v, and %d moves win of %v",
			p, a.Verdict, best, winning, a.WinningMoves())
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
