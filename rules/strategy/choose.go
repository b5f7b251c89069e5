package strategy

import (
	"math/rand/v2"

	"notakto/rules"
)

// Choose is the move that the level plays in p. Chance comes from rng alone, so the same seed plays the same game;
// among moves that the level holds equally good the draw is uniform. If the game is over or l is no level there is
// nothing to choose: it is then the zero move, which is never legal.
func (l Level) Choose(p rules.Position, rng *rand.Rand) rules.Move {
	return l.ChooseAfter(rules.Move{}, p, rng)
}

// ChooseAfter is [Level.Choose] for who knows the opponent's last move, which [Center] heeds. The zero move stands for
// an unknown one.
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
	default:
		return rules.Move{}
	}
}

func anyMove(p rules.Position, rng *rand.Rand) rules.Move {
	legal := p.Legal()
	return legal[rng.IntN(len(legal))]
}
