package manager

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

func TestComputerPause(t *testing.T) {
	inBubble(t, Config{ComputerPause: 700 * time.Millisecond}, func(b *harness) {
		id, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.Second)
		b.must(err)
		one := b.sit(id, ann())
		for plies := range 2 {
			if s := b.sees(one); len(s.Moves) != 2*plies || s.Turn() != rules.First {
				b.Fatalf("before the pause: %+v", s)
			}
			pass(700*time.Millisecond - 1)
			b.seesNothing(one)
			pass(1)
			s := b.sees(one)
			if len(s.Moves) != 2*plies+1 || s.Seat(rules.First).Player != match.Computer(strategy.Perfect) {
				b.Fatalf("after the pause: %+v", s)
			}
			b.must(one.Play(b.Context(), s.Position.LegalMoves()[0]))
		}
	})
}

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
