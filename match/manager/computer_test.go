package manager

import (
	"slices"
	"testing"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// A match on the largest number of boards begins with the moves of another one, up to the last move but one, for
// either side.
func TestPlayOn(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		v, err := rules.Notakto(rules.MaxBoards)
		b.must(err)
		var moves []rules.Move
		for p := v.Start(); !p.Outcome().IsOver(); {
			m := p.LegalMoves()[0]
			moves = append(moves, m)
			p, _ = p.Play(m)
		}
		b.fails(errOf(b.PlayComputer(b.Context(), ann(), match.Terms{Variant: v}, strategy.Perfect, rules.First,
			moves...)), match.ErrMatchOver)
		twice := []rules.Move{moves[0], moves[0]}
		b.fails(errOf(b.PlayComputer(b.Context(), ann(), match.Terms{Variant: v}, strategy.Perfect, rules.First,
			twice...)), rules.ErrCellTaken)
		for _, side := range rules.Sides() {
			from := moves[:len(moves)-3+int(side)]
			id, err := b.PlayComputer(b.Context(), ann(), match.Terms{Variant: v}, strategy.Perfect, side, from...)
			b.must(err)
			s := b.sees(b.sit(id, ann()))
			if !slices.Equal(s.Moves[:len(from)], from) || s.Origin != match.ReviewOrigin ||
				s.Seat(side).Player != ann() {
				b.Errorf("%+v", s)
			}
		}
	})
}
