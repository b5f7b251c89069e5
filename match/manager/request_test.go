package manager

import (
	"testing"

	"notakto/match"
	"notakto/rules"
)

func TestTakebackOfTwoPlayers(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, two := b.pair(boards(t, 1))
		onlooker := b.onlooker(one.ID())
		b.play(one, "A5")
		for range 2 { // the second has no effect
			b.must(one.Ask(b.Context(), match.TakebackOffered))
		}
		if s := b.sees(two); s.RequestTo(rules.Second) != match.TakebackOffered {
			t.Errorf("bob sees %+v", s.Request)
		}
		b.must(two.Ask(b.Context(), match.Declined))
		b.must(two.Ask(b.Context(), match.Declined)) // has no effect
		b.fails(one.Ask(b.Context(), match.TakebackOffered), match.ErrDeclined)
		b.play(two, "A1")
		b.must(one.Ask(b.Context(), match.TakebackOffered))
		b.must(two.Ask(b.Context(), match.TakebackOffered))
		for _, r := range []interface{ Snapshots() <-chan *match.Snapshot }{one, two, onlooker} {
			if s := b.sees(r); len(s.Moves) != 0 || s.Turn() != rules.First || len(s.Takebacks) != 1 {
				t.Errorf("%v is left", s.Moves)
			}
		}
		checkKinds(b, one.ID(), match.Moved, match.TakebackOffered, match.Declined, match.Moved, match.TakebackOffered,
			match.TakebackOffered)
	})
}

// The computer answers again after a takeback, also if its answer was due.
func TestTakebackAgainstTheComputer(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		seat := b.vsComputer(ann(), rules.First)
		for range match.MaxTakebacks {
			b.play(seat, "A5")
			b.must(seat.Ask(b.Context(), match.TakebackOffered))
			if s := b.sees(seat); len(s.Moves) != 0 || s.Turn() != rules.First {
				t.Errorf("%v is left, and it is the turn of %d", s.Moves, s.Turn())
			}
		}
		b.play(seat, "A5")
		if s := b.sees(seat); len(s.Moves) != 2 {
			t.Errorf("the computer does not answer: %v", s.Moves)
		}
		b.fails(seat.Ask(b.Context(), match.TakebackOffered), match.ErrNoTakebacks)
	})
}

// A player of a rated pair gets no hints, in no match, and in the pair takes no move back and reveals no deadly cells.
func TestRequestsOfRatedPlayers(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		casual := b.vsComputer(ann(), rules.First)
		first, second := b.rated(ann(), bob())
		for _, seat := range []*Seat{first, second} {
			b.fails(seat.Ask(b.Context(), match.TakebackOffered), match.ErrRated)
			b.fails(seat.Reveal(b.Context()), match.ErrRated)
		}
		for _, seat := range []*Seat{casual, first} {
			b.fails(seat.Ask(b.Context(), match.HintsOffered), match.ErrRated)
		}
	})
}
