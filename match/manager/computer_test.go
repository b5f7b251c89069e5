package manager

import (
	"errors"
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// The computer thinks for its pause, neither less nor more.
func TestComputerPause(t *testing.T) {
	inBubble(t, Config{ComputerPause: 700 * time.Millisecond}, func(b *harness) {
		id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), strategy.Perfect, rules.Second)
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
			if len(s.Moves) != 2*plies+1 || s.SeatState(rules.First).Player != match.Computer(strategy.Perfect) {
				b.Fatalf("after the pause: %+v", s)
			}
			b.must(one.Play(b.Context(), s.Position.Legal()[0]))
		}
	})
}

// The same seed plays the same match.
func TestComputerKeepsToItsSeed(t *testing.T) {
	play := func(seed uint64) (moves []rules.Move) {
		inBubble(t, Config{Seed: seed}, func(b *harness) {
			id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), strategy.Random, rules.Nobody)
			b.must(err)
			one := b.sit(id, ann())
			s := b.sees(one)
			for ; !s.Over(); s = b.sees(one) {
				b.must(one.Play(b.Context(), s.Position.Legal()[0]))
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
		id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), strategy.Club, side)
		b.must(err)
		got := b.sit(id, ann()).Side()
		if side == rules.Nobody {
			drawn[got]++
		} else if got != side {
			t.Errorf("ann plays %d, not %d", got, side)
		}
	}
	if drawn[rules.First] < 5 || drawn[rules.Second] < 5 {
		t.Errorf("drawn: %v", drawn)
	}
}

// A match that begins with moves of another goes on from there: on the largest boards, up to the last move but one, for
// either side.
func TestPlayOn(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		v, err := rules.Notakto(rules.MaxBoards)
		b.must(err)
		var moves []rules.Move
		for p := v.Start(); !p.Outcome().Over(); {
			m := p.Legal()[0]
			moves = append(moves, m)
			p, _ = p.Play(m)
		}
		if _, err := b.Play(b.Context(), ann(), match.Terms{Variant: v}, strategy.Perfect, rules.First,
			moves...); !errors.Is(err, match.ErrMatchOver) {
			b.Errorf("from the end: %v", err)
		}
		twice := []rules.Move{moves[0], moves[0]}
		if _, err := b.Play(b.Context(), ann(), match.Terms{Variant: v}, strategy.Perfect, rules.First,
			twice...); !errors.Is(err, rules.ErrCellTaken) {
			b.Errorf("with a move twice: %v", err)
		}
		for _, side := range rules.Sides() {
			from := moves[:len(moves)-3+int(side)]
			id, err := b.Play(b.Context(), ann(), match.Terms{Variant: v}, strategy.Perfect, side, from...)
			b.must(err)
			s := b.sees(b.sit(id, ann()))
			if !slices.Equal(s.Moves[:len(from)], from) || s.Origin != match.ReviewOrigin || s.SeatState(side).Player != ann() {
				b.Errorf("%+v", s)
			}
		}
	})
}
