package match

import (
	"errors"
	"testing"
	"time"

	"notakto/rules"
	"notakto/rules/opening"
)

const seed = "Q7WERTY"

// firstGame returns the events of the first game of a pair that ann and bob have begun.
func firstGame(more ...Event) []Event {
	return rated(FirstGame(seed), ann(), bob(), more...)
}

func rated(game PairGame, first, second Player, more ...Event) []Event {
	opened := Event{Kind: Opened, Terms: RatedTerms(PeoplePool), Origin: QueueOrigin, Pair: game}
	return append([]Event{opened, seated(rules.First, first), seated(rules.Second, second)}, more...)
}

// played returns the moves of a whole game from start.
func played(start rules.Position) (moves []Event) {
	for p := start; !p.Outcome().IsOver(); {
		m := p.LegalMoves()[0]
		moves = append(moves, Event{Kind: Moved, Seat: p.Turn(), Move: m})
		p, _ = p.Play(m)
	}
	return moves
}

// The points are those of ann, the first player of the first game.
func TestPairResult(t *testing.T) {
	seconds := func(events ...Event) []Event { return events }
	whole := played(opening.Draw(seed)[0])
	wonBy := fold(t, firstGame(whole...)...).Outcome.Winner
	for name, test := range map[string]struct {
		first   []Event // of the first game
		second  []Event // of the second, in which bob is first; nil if it does not follow
		ann     int
		isRated bool
	}{
		"lost both by resigning": {seconds(of(Resigned, rules.First)), seconds(of(Resigned, rules.Second)), 0, true},
		"one each":               {seconds(of(Resigned, rules.First)), seconds(of(Resigned, rules.First)), 1, true},
		"won both":               {seconds(of(Resigned, rules.Second)), seconds(of(Resigned, rules.First)), 2, true},
		"the first to its end": {
			whole, seconds(of(Resigned, rules.First)), map[rules.Side]int{rules.First: 2, rules.Second: 1}[wonBy], true,
		},
		"left the first": {seconds(of(Left, rules.First), of(Forfeited, rules.First)), nil, 0, true},
		"the other left the first": {
			append(whole[:1:1], of(Left, rules.Second), of(Forfeited, rules.Second)), nil, 2, true,
		},
		"a first game without a move":  {seconds(of(Overdue, rules.First)), nil, 0, false},
		"a second game without a move": {seconds(of(Resigned, rules.First)), seconds(of(Overdue, rules.First)), 1, true},
		"the operator ended the first": {seconds(of(Adjudicated, rules.First)), nil, 0, false},
		"the operator ended the second": {
			seconds(of(Resigned, rules.First)), seconds(of(Adjudicated, rules.First)), 0, false,
		},
		"the second without a player": {
			seconds(of(Resigned, rules.First)), seconds(of(NoShow, rules.First), of(Forfeited, rules.First)), 1, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := fold(t, firstGame(test.first...)...)
			if s.AwaitsSecondGame() != (test.second != nil) {
				t.Fatalf("a second game follows: %t", s.AwaitsSecondGame())
			}
			side := rules.First
			if test.second != nil {
				if s.IsPairOver() || s.PairPoints(side) != 0 || s.OpeningSeed() != "" || s.SeenBy(side).Pair.Seed != "" {
					t.Errorf("between the games the pair is over: %+v", s)
				}
				s, side = fold(t, rated(s.SecondGame(), bob(), ann(), test.second...)...), rules.Second
			}
			if s.IsPairOver() != test.isRated || s.OpeningSeed() != seed || s.SeenBy(side).Pair.Seed != seed {
				t.Errorf("the pair is over: %t, with seed %q", s.IsPairOver(), s.OpeningSeed())
			}
			other := 0
			if test.isRated {
				other = 2 - test.ann
			}
			if s.PairPoints(side) != test.ann || s.PairPoints(side.Other()) != other {
				t.Errorf("%d to %d points, want %d to %d", s.PairPoints(side), s.PairPoints(side.Other()), test.ann, other)
			}
		})
	}
}

func TestSecondGameFollowsTheFirst(t *testing.T) {
	over := firstGame(of(Resigned, rules.First))
	s := fold(t, over...)
	if got := s.SecondGameAt(); !got.Equal(s.EndedAt.Add(5 * time.Second)) {
		t.Errorf("the second game begins at %v", got)
	}
	if _, err := s.Apply(after(s, of(Offered, rules.First))); !errors.Is(err, ErrPairNotOver) ||
		!errors.Is(err, ErrNotOver) {
		t.Errorf("a rematch after the first game: %v", err)
	}
	next := fold(t, append(over, Event{Kind: Rematched, Next: "next"})...)
	if next.Next != "next" || !next.SecondGameAt().IsZero() || !next.AwaitsSecondGame() {
		t.Errorf("after the second game has begun: %+v", next)
	}
	if _, err := next.Apply(after(next, Event{Kind: Rematched, Next: "other"})); !errors.Is(err, ErrBadEvent) {
		t.Errorf("two second games: %v", err)
	}
	left := fold(t, firstGame(of(Left, rules.First), of(Forfeited, rules.First))...)
	for _, ended := range []State{left, fold(t, rated(s.SecondGame(), bob(), ann(), of(Resigned, rules.First))...)} {
		if _, err := ended.Apply(after(ended, Event{Kind: Rematched, Next: "next"})); !errors.Is(err, ErrBadEvent) {
			t.Errorf("a rematch that no player offered: %v", err)
		}
		if _, err := ended.Apply(after(ended, of(Offered, rules.First))); err != nil {
			t.Errorf("another pair: %v", err)
		}
	}
}

func TestBadPairGames(t *testing.T) {
	ok := Event{Kind: Opened, Terms: RatedTerms(BotPool), Pair: FirstGame(seed)}
	if _, err := tryFold(ok); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Event){
		"a casual pair":           func(e *Event) { e.Pool = Casual },
		"a pool of tomorrow":      func(e *Event) { e.Pool = LastPool + 1 },
		"no seed":                 func(e *Event) { e.Pair.Seed = "" },
		"no pair":                 func(e *Event) { e.Pair = PairGame{} },
		"another variant":         func(e *Event) { e.Variant = rules.DefaultVariant() },
		"no winner of the first":  func(e *Event) { e.Pair.First = "first" },
		"a winner of no game":     func(e *Event) { e.Pair.OtherWinner = rules.First },
		"the second side to move": func(e *Event) { e.Pair.Start, _ = e.Pair.Start.Play(e.Pair.Start.LegalMoves()[0]) },
	} {
		e := ok
		change(&e)
		if _, err := tryFold(e); !errors.Is(err, ErrBadEvent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
