package strategy

import (
	"math/rand/v2"
	"slices"

	"notakto/rules"
)

// shortlist holds the moves that were offered at the lowest cost, without allocating. The zero value is empty.
type shortlist struct {
	moves [9 * rules.MaxBoards]rules.Move
	n     int
	cost  int
}

// offer adds m unless a cheaper move was offered, and drops what is dearer.
func (s *shortlist) offer(m rules.Move, cost int) {
	if s.n > 0 && cost > s.cost {
		return
	}
	if cost < s.cost {
		s.n = 0
	}
	s.moves[s.n], s.cost = m, cost
	s.n++
}

func (s *shortlist) has(m rules.Move) bool { return slices.Contains(s.moves[:s.n], m) }

// draw returns one of the moves, each as likely as any other. There must be one.
func (s *shortlist) draw(rng *rand.Rand) rules.Move { return s.moves[rng.IntN(s.n)] }
