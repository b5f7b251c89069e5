package strategy

import (
	"math/rand/v2"

	"notakto/rules"
)

// clubErrs is how many moves the club player makes for each one that it errs in.
const clubErrs = 4

// club plays as the perfect player does, but for one move in four on average it draws from the moves which that one
// would not play.
func club(p rules.Position, rng *rand.Rand) rules.Move {
	best := perfect(p)
	if rng.IntN(clubErrs) == 0 {
		if errors := mistakes(p, &best); errors.n > 0 {
			return errors.draw(rng)
		}
	}
	return best.draw(rng)
}

// mistakes lists the legal moves that are not among the best: the losing ones if there are any, else the drawing ones,
// else the rest. It is empty where nothing can go wrong.
func mistakes(p rules.Position, best *shortlist) shortlist {
	var list shortlist
	for _, m := range p.Legal() {
		if !best.has(m) {
			list.offer(m, int(evaluateMove(p, m)))
		}
	}
	return list
}
