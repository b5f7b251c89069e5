package match

import (
	"errors"
	"slices"
	"testing"
	"time"

	"notakto/rules"
)

// againstNovice returns the events of a match of ann against the computer, who moves second.
func againstNovice(t *testing.T, more ...Event) []Event {
	t.Helper()
	events := begun(t)
	events[2].Player = Computer(1)
	return append(events, more...)
}

func TestFoldTakebacks(t *testing.T) {
	moves := []Event{moved(t, rules.First, "A5"), moved(t, rules.Second, "A1"), moved(t, rules.First, "A2")}
	ask := func(side rules.Side) Event { return of(TakebackOffered, side) }
	for name, test := range map[string]struct {
		events []Event
		left   int
		turn   rules.Side
		want   Takeback
	}{
		"the last move": {
			begun(t, append(moves, ask(1), ask(2))...), 2, 1, Takeback{1, 2, []rules.Move{{Cell: 2}}},
		},
		"a move with its answer": {
			begun(t, append(moves, ask(2), ask(1))...), 1, 2, Takeback{2, 1, []rules.Move{{Cell: 1}, {Cell: 2}}},
		},
		"the computer agrees at once": {
			againstNovice(t, append(moves[:2:2], ask(1))...), 0, 1, Takeback{1, 0, []rules.Move{{Cell: 5}, {Cell: 1}}},
		},
		"while the computer is thinking": {
			againstNovice(t, append(moves, ask(1))...), 2, 1, Takeback{1, 2, []rules.Move{{Cell: 2}}},
		},
	} {
		s := fold(t, test.events...)
		if len(s.Moves) != test.left || s.Turn() != test.turn || len(s.Takebacks) != 1 || s.Request != (Request{}) ||
			s.TurnSince != second(s.Seq) || s.Position != s.PositionAfter(len(s.Moves)) {
			t.Errorf("%s: %+v", name, s)
		}
		if got := s.Takebacks[0]; got.Side != test.want.Side || got.Plies != test.want.Plies ||
			!slices.Equal(got.Moves, test.want.Moves) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
		checkState(t, s)
	}
}

func TestFoldRequests(t *testing.T) {
	a5 := moved(t, rules.First, "A5")
	asked := fold(t, begun(t, a5, of(TakebackOffered, rules.First))...)
	if asked.RequestTo(rules.Second) != TakebackOffered || asked.RequestTo(rules.First) != 0 ||
		asked.RequestTo(rules.NoSide) != 0 {
		t.Errorf("ann asks: %+v", asked.Request)
	}
	if s := fold(t, begun(t, a5, of(TakebackOffered, rules.First), moved(t, rules.Second, "A1"))...); s.Request.Kind != 0 {
		t.Errorf("a move left the request %+v", s.Request)
	}
	if s := fold(t, begun(t, of(HintsOffered, rules.First), of(HintsOffered, rules.Second))...); !s.Hinted {
		t.Error("both agreed, and there are no hints")
	}
	if s := fold(t, againstNovice(t, of(HintsOffered, rules.First))...); !s.Hinted || s.Request.Kind != 0 {
		t.Errorf("the computer: %+v", s.Request)
	}
	again := fold(t, begun(t, a5, of(TakebackOffered, rules.First), of(Declined, rules.Second),
		moved(t, rules.Second, "A1"), of(TakebackOffered, rules.First))...)
	if again.RequestTo(rules.Second) != TakebackOffered {
		t.Error("no second request in the next turn")
	}
}

func TestFoldRefusesRequests(t *testing.T) {
	a5, ask, hints := moved(t, rules.First, "A5"), of(TakebackOffered, rules.First), of(HintsOffered, rules.First)
	rated := RatedTerms(PeoplePool)
	pair := FirstGame("seed")
	asRated := []Event{
		{Kind: Opened, Terms: rated, Pair: pair}, seated(rules.First, ann()), seated(rules.Second, bob()),
	}
	three := againstNovice(t)
	for range MaxTakebacks {
		three = append(three, a5, ask)
	}
	late := of(TakebackOffered, rules.First)
	late.Spent = -time.Second
	checkRefused(t, map[string]refused{
		"before a move":           {begun(t), ask, ErrNoOwnMove},
		"only the other's move":   {begun(t, a5), of(TakebackOffered, rules.Second), ErrNoOwnMove},
		"at the end":              {begun(t, a5, of(Resigned, rules.First)), ask, ErrMatchOver},
		"too early":               {begun(t)[:2], ask, ErrNotStarted},
		"by no side":              {begun(t, a5), of(TakebackOffered, rules.NoSide), ErrNotSeated},
		"by the computer":         {againstNovice(t, a5), of(HintsOffered, rules.Second), ErrNotSeated},
		"in a rated game":         {asRated, of(HintsOffered, rules.First), ErrRated},
		"a takeback when rated":   {asRated, ask, ErrRated},
		"twice":                   {begun(t, a5, ask), ask, ErrUnanswered},
		"two requests":            {begun(t, a5, ask), of(HintsOffered, rules.Second), ErrUnanswered},
		"after a refusal":         {begun(t, a5, ask, of(Declined, rules.Second)), ask, ErrDeclined},
		"hints after a refusal":   {begun(t, a5, ask, of(Declined, rules.Second)), hints, ErrDeclined},
		"hints twice":             {againstNovice(t, hints), hints, ErrBadEvent},
		"a fourth time":           {append(three, a5), ask, ErrNoTakebacks},
		"negative time":           {begun(t, a5), late, ErrBadEvent},
		"declining nothing":       {begun(t, a5), of(Declined, rules.Second), ErrBadEvent},
		"declining one's request": {begun(t, a5, ask), of(Declined, rules.First), ErrBadEvent},
	})
}

// A takeback ends a turn, and the time that the player has used in it is gone. The increments of the moves that are
// taken back are gone too, so making a move and taking it back adds no time. A clock never falls below zero.
func TestTakebacksReturnNoTime(t *testing.T) {
	opened := begun(t)
	opened[0].Clock = Clock{minutes: 1, increment: 5}
	first := []Event{moved(t, rules.First, "A5"), moved(t, rules.Second, "A1")}
	a2, a6 := moved(t, rules.First, "A2"), moved(t, rules.Second, "A6")
	back := []Event{of(TakebackOffered, rules.First), of(TakebackOffered, rules.Second)}
	slow := []Event{spent(a2, 10*time.Second), spent(a6, 20*time.Second), back[1]}
	for name, test := range map[string]struct {
		events []Event
		a, b   time.Duration
	}{
		"after thinking":  {append(slow, spent(back[0], 7*time.Second)), 48 * time.Second, 40 * time.Second},
		"a move":          {slices.Concat([]Event{a2}, back, []Event{a2}, back), time.Minute, time.Minute},
		"with its answer": {slices.Concat([]Event{a2, a6}, back, []Event{a2, a6}, back), time.Minute, time.Minute},
		"first moves":     {append(slices.Clone(back), first...), time.Minute, time.Minute},
		"not less than zero": {
			[]Event{spent(a2, time.Minute), a6, back[0], spent(back[1], 3*time.Second)}, 0, time.Minute,
		},
	} {
		s := fold(t, slices.Concat(opened, first, test.events)...)
		if a, b := s.Seat(rules.First).ClockLeft, s.Seat(rules.Second).ClockLeft; a != test.a || b != test.b {
			t.Errorf("%s: %v and %v are left", name, a, b)
		}
	}
	asked := fold(t, slices.Concat(opened, first, slow)...)
	tooLong := spent(back[0], 2*time.Minute)
	if _, err := asked.Apply(after(asked, tooLong)); !errors.Is(err, ErrBadEvent) || len(asked.Moves) != 4 {
		t.Errorf("more than the clock has: %v", err)
	}
}
