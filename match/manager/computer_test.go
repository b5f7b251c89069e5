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

func TestComputerKeepsToItsSeed(t *testing.T) {
	play := func(seed uint64) (moves []rules.Move) {
		inBubble(t, Config{Seed: seed}, func(b *harness) {
			id, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), strategy.Random, rules.NoSide)
			b.must(err)
			one := b.sit(id, ann())
			s := b.sees(one)
			for ; !s.IsOver(); s = b.sees(one) {
				b.must(one.Play(b.Context(), s.Position.LegalMoves()[0]))
			}
			moves = s.Moves
		})
		return moves
	}
	if a, b := play(11), play(11); !slices.Equal(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
	if a, b := play(11), play(12); slices.Equal(a, b) {
		t.Errorf("two seeds play %v", a)
	}
}

func TestSidesAgainstTheComputer(t *testing.T) {
	b := newHarness(t, Config{MaxMatches: 1000})
	defer b.Close()
	drawn := make(map[rules.Side]int)
	for i := range 90 {
		side := rules.Side(i % 3)
		id, err := b.PlayComputer(b.Context(), ann(), match.DefaultTerms(), strategy.Club, side)
		b.must(err)
		got := b.sit(id, ann()).Side()
		if side == rules.NoSide {
			drawn[got]++
		} else if got != side {
			t.Errorf("ann plays %d, not %d", got, side)
		}
	}
	if drawn[rules.First] < 5 || drawn[rules.Second] < 5 {
		t.Errorf("drawn: %v", drawn)
	}
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
