package strategy

import (
	"sync"

	"notakto/rules"
)

// ticTacToe has the verdict of every reachable position for the side to move: 5,478 of them, searched once on first
// use.
var ticTacToe = sync.OnceValue(func() map[rules.Position]Verdict {
	verdicts := make(map[rules.Position]Verdict, 5478)
	search(rules.TicTacToe().Start(), verdicts)
	return verdicts
})

// search returns the verdict of p, which is remembered with those of all positions after it.
func search(p rules.Position, known map[rules.Position]Verdict) Verdict {
	if verdict, ok := known[p]; ok {
		return verdict
	}
	best := Loss // what it stays if the opponent has just completed a line
	if p.Outcome().Reason == rules.Draw {
		best = Draw
	}
	for _, m := range p.Legal() {
		best = max(best, search(after(p, m), known).forOpponent())
	}
	known[p] = best
	return best
}
