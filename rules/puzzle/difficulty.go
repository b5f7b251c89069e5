package puzzle

import (
	"notakto/rules"
	"notakto/rules/strategy"
)

// The weights of moves. Among winning moves, a clearer reason gives more weight. Among losing moves, a safer look gives
// more weight.
const (
	leavesNoSafeCell = 12
	leavesAnswers    = 6
	winsByTheory     = 3
	losesSafely      = 2
	losesWithAKill   = 1
)

// mistakes holds the percentage of mistakes of each level of [strategy.Ladder], as in the first version of this
// package. A change of the levels must not change mistakes, because the puzzles of past days depend on these numbers.
var mistakes = [...]int{80, 50, 30, 17, 8, 0}

// candidate is a position that is a puzzle, with its difficulty.
type candidate struct {
	position   rules.Position
	difficulty int
}

// newCandidate reports false if p is no puzzle.
func newCandidate(p rules.Position) (c candidate, ok bool) {
	if p.Variant().IsTicTacToe() || p.Outcome().IsOver() || strategy.Evaluate(p) != strategy.Win {
		return candidate{}, false
	}
	student := strategy.Student.Choose(p, nil) // Student draws no lots.
	var solution kind
	var right, wrong int // sums of weights
	hasSafeMistake := false
	for _, m := range p.LegalMoves() {
		next, _ := p.Play(m) // m is legal.
		switch {
		case strategy.Evaluate(next) == strategy.Loss:
			k := kindOf(p, m)
			if m == student || right > 0 && k != solution {
				return candidate{}, false
			}
			solution = k
			right += clarity(next)
		case next.Outcome().IsOver():
		case next.IsDead(int(m.Board)):
			wrong += losesWithAKill
		default:
			wrong += losesSafely
			hasSafeMistake = true
		}
	}
	return candidate{position: p, difficulty: difficultyFor(right, wrong)}, hasSafeMistake
}

// clarity returns the weight of a winning move that leads to p.
func clarity(p rules.Position) int {
	switch strategy.ExplainLoss(p).Reason {
	case strategy.NoSafeCell:
		return leavesNoSafeCell
	case strategy.Answered, strategy.Twins:
		return leavesAnswers
	case strategy.ByTheory, strategy.GameOver:
	}
	return winsByTheory
}

// difficultyFor returns the difficulty of a puzzle. right and wrong are the sums of the weights of its winning and
// losing moves. Integers give one result on all platforms, unlike floating-point numbers.
func difficultyFor(right, wrong int) int {
	sum := 0
	for _, percent := range mistakes {
		sum += 10_000 * percent * wrong / (percent*wrong + 100*right)
	}
	return sum / (10 * len(mistakes))
}
