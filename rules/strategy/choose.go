package strategy

import (
	"math/rand/v2"

	"notakto/rules"
)

// Choose returns the level's move in p. Randomness comes from rng alone, so the same seed plays the same game; the draw
// among moves that the level considers equally good is uniform. If the game is over or l is no level, it returns the
// zero move, which is never legal.
func (l Level) Choose(p rules.Position, rng *rand.Rand) rules.Move {
	return l.ChooseAfter(rules.Move{}, p, rng)
}

// ChooseAfter is [Level.Choose] for callers that know the opponent's last move, which [Center] uses. The zero move
// stands for an unknown one.
func (l Level) ChooseAfter(last rules.Move, p rules.Position, rng *rand.Rand) rules.Move {
	if !p.Variant().Valid() || p.Outcome().Over() {
		return rules.Move{}
	}
	switch l {
	case Random:
		return anyMove(p, rng)
	case Student:
		return student(p)
	case Center:
		return center(p, last, rng)
	case Club:
		return club(p, rng)
	case Perfect:
		best := perfect(p)
		return best.draw(rng)
	case Novice, Learner, Steady, Careful, Sharp:
		return rungs[l].choose(p, rng)
	default:
		return rules.Move{}
	}
}

func anyMove(p rules.Position, rng *rand.Rand) rules.Move {
	legal := p.Legal()
	return legal[rng.IntN(len(legal))]
}
