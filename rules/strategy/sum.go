package strategy

import (
	"math"

	"notakto/rules"
)

// sum is a position of Notakto as a combinatorial sum: the patterns of its boards.
type sum struct {
	*theory
	patterns [rules.MaxBoards]pattern
	boards   int
}

func newSum(p rules.Position) sum {
	s := sum{theory: notakto(), boards: p.Variant().Boards()}
	for i := range s.boards {
		s.patterns[i] = p.Crosses(i)
	}
	return s
}

func (s *sum) verdict() Verdict {
	product := one
	for _, p := range s.patterns[:s.boards] {
		product = s.product[product][s.value[p]]
	}
	if s.lost[product] {
		return Loss
	}
	return Win
}

// rest is, for each board, the product of all the others.
func (s *sum) rest() [rules.MaxBoards]element {
	var rest [rules.MaxBoards]element
	before, after := one, one
	for i := range s.boards {
		rest[i] = before
		before = s.product[before][s.value[s.patterns[i]]]
	}
	for i := s.boards - 1; i >= 0; i-- {
		rest[i] = s.product[rest[i]][after]
		after = s.product[after][s.value[s.patterns[i]]]
	}
	return rest
}

// winningMoves returns the number of moves that win. It is 0 in a lost position, and when the game is over.
func (s *sum) winningMoves() int {
	rest, n := s.rest(), 0
	for i, p := range s.patterns[:s.boards] {
		n += int(s.winning[p][rest[i]])
	}
	return n
}

// best lists the moves that win; in a lost position, those that leave the opponent the fewest winning replies.
func (s *sum) best() shortlist {
	if s.winningMoves() > 0 {
		return s.winners()
	}
	return s.traps()
}

func (s *sum) winners() shortlist {
	var list shortlist
	rest := s.rest()
	for i, p := range s.patterns[:s.boards] {
		if s.winning[p][rest[i]] == 0 {
			continue
		}
		for cell := range rules.DefaultVariant().Cells() {
			if next := p | bit(cell); next != p && s.leavesLost(next, rest[i]) {
				list.offer(rules.Move{Board: uint8(i), Cell: cell}, 0)
			}
		}
	}
	return list
}

func (s *sum) traps() shortlist {
	var list shortlist
	for i, p := range s.patterns[:s.boards] {
		if !s.live[p] {
			continue
		}
		for cell := range rules.DefaultVariant().Cells() {
			next := p | bit(cell)
			if next == p {
				continue
			}
			s.patterns[i] = next
			replies := s.winningMoves()
			if replies == 0 { // no reply wins because the game is over, and lost
				replies = math.MaxInt
			}
			list.offer(rules.Move{Board: uint8(i), Cell: cell}, replies)
		}
		s.patterns[i] = p
	}
	return list
}
