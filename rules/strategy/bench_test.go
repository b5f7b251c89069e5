package strategy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// BenchmarkPerfect measures a choice at the start of a game. An even number of boards is lost for the first player,
// and the perfect player then considers every reply to every move.
func BenchmarkPerfect(b *testing.B) {
	for _, boards := range []int{1, 2, 3, 8, 9} {
		p := notakto(b, boards).Start()
		b.Run(fmt.Sprintf("boards=%d/%v", boards, strategy.Evaluate(p)), func(b *testing.B) { benchmarkChoice(b, p) })
	}
	lost := play(b, notakto(b, 9).Start(), rules.Move{Board: 0, Cell: 5})
	b.Run(fmt.Sprintf("boards=9/%v", strategy.Evaluate(lost)), func(b *testing.B) { benchmarkChoice(b, lost) })
	b.Run("tictactoe", func(b *testing.B) { benchmarkChoice(b, rules.TicTacToe().Start()) })
	b.Run("three", func(b *testing.B) { benchmarkChoice(b, threeBoards(b)) })
}

func BenchmarkJudge(b *testing.B) {
	p := notakto(b, 9).Start()
	b.ReportAllocs()
	for b.Loop() {
		strategy.Evaluate(p)
	}
}

func benchmarkChoice(b *testing.B, p rules.Position) {
	rng := rand.New(rand.NewPCG(1, 2))
	strategy.Perfect.Choose(p, rng) // builds the tables
	b.ReportAllocs()
	for b.Loop() {
		strategy.Perfect.Choose(p, rng)
	}
}

// threeBoards returns a game on three boards, early enough to give a search work and late enough for it to end.
func threeBoards(b *testing.B) rules.Position {
	return after(b, "notakto/3: A5 B5 C5 A1 B1 C9 A6 B3 C4")
}

// BenchmarkPlainSearch chooses a winning move on three boards by a full search, without memoization from the position
// of BenchmarkPerfect/three, and with it from the start.
func BenchmarkPlainSearch(b *testing.B) {
	b.Run("three", func(b *testing.B) {
		p := threeBoards(b)
		b.ReportAllocs()
		for b.Loop() {
			searchMoves(p, plainlyWon)
		}
	})
	b.Run("boards=3/memory", func(b *testing.B) {
		p := notakto(b, 3).Start()
		b.ReportAllocs()
		for b.Loop() {
			force := newBruteForce()
			searchMoves(p, func(p rules.Position) bool { return force.wins(force.liveOf(p)) })
		}
	})
}

func searchMoves(p rules.Position, wins func(rules.Position) bool) []rules.Move {
	var winning []rules.Move
	for _, m := range p.LegalMoves() {
		if next, err := p.Play(m); err == nil && !wins(next) {
			winning = append(winning, m)
		}
	}
	return winning
}

func plainlyWon(p rules.Position) bool {
	if outcome := p.Outcome(); outcome.IsOver() {
		return outcome.Winner == p.Turn()
	}
	for _, m := range p.LegalMoves() {
		if next, err := p.Play(m); err == nil && !plainlyWon(next) {
			return true
		}
	}
	return false
}

func TestAPerfectChoiceDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		start := notakto(t, boards).Start()
		for _, p := range []rules.Position{start, play(t, start, rules.Move{Cell: 5})} {
			if n := testing.AllocsPerRun(100, func() { strategy.Perfect.Choose(p, rng) }); n != 0 {
				t.Errorf("%v: a choice makes %v allocations", p, n)
			}
		}
	}
}
