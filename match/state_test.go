package match

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"notakto/rules"
)

// fold numbers events, sets their times one second apart, and returns the state after them.
func fold(t *testing.T, events ...Event) State {
	t.Helper()
	s, err := tryFold(events...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tryFold(events ...Event) (State, error) {
	var s State
	var err error
	for _, e := range events {
		if s, err = s.Apply(after(s, e)); err != nil {
			return s, err
		}
	}
	return s, nil
}

func after(s State, e Event) Event {
	e.Match, e.Seq, e.At = "abc", s.Seq+1, second(s.Seq+1)
	return e
}

func second(n uint64) time.Time { return time.Unix(int64(n), 0) }

func seated(side rules.Side, p Player) Event { return Event{Kind: Seated, Seat: side, Player: p} }

func moved(t *testing.T, side rules.Side, text string) Event {
	t.Helper()
	return Event{Kind: Moved, Seat: side, Move: move(t, text)}
}

func of(kind Kind, side rules.Side) Event { return Event{Kind: kind, Seat: side} }

func ann() Player  { return Player{ID: "SHA256:ann", Name: "ann"} }
func bob() Player  { return Player{ID: "SHA256:bob", Name: "bob"} }
func cleo() Player { return Player{ID: "SHA256:cleo", Name: "cleo"} }

func move(t *testing.T, text string) rules.Move {
	t.Helper()
	m, err := rules.DefaultVariant().ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func boards(t testing.TB, n int) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// begun returns the events of a match on one board that has begun.
func begun(t *testing.T, more ...Event) []Event {
	t.Helper()
	start := []Event{
		{Kind: Opened, Terms: Terms{Variant: boards(t, 1)}}, seated(rules.First, ann()), seated(rules.Second, bob()),
	}
	return append(start, more...)
}

// refused is an event that the fold refuses after a log.
type refused struct {
	log  []Event
	next Event
	want error
}

func checkRefused(t *testing.T, all map[string]refused) {
	t.Helper()
	for name, test := range all {
		before := fold(t, test.log...)
		got, err := before.Apply(after(before, test.next))
		if !errors.Is(err, test.want) || got.Seq != before.Seq {
			t.Errorf("%s: %v, want %v; sequence %d, want %d", name, err, test.want, got.Seq, before.Seq)
		}
	}
}

func TestFoldRefuses(t *testing.T) {
	over := begun(t, of(Resigned, rules.Second))
	private := []Event{{Kind: Opened, Terms: Terms{Variant: boards(t, 1)}, Code: "K7QX"}, seated(rules.First, ann())}
	invitation := Event{Kind: Opened, Terms: Terms{Variant: boards(t, 1)}, Origin: ChallengeOrigin, Player: bob()}
	challenge := []Event{invitation, seated(rules.First, ann())}
	computer := begun(t)
	computer[2].Player = Computer(1)
	checkRefused(t, map[string]refused{
		"nothing opened":        {nil, seated(rules.First, ann()), ErrBadEvent},
		"opened twice":          {begun(t), Event{Kind: Opened, Terms: Terms{Variant: boards(t, 1)}}, ErrBadEvent},
		"no variant":            {nil, Event{Kind: Opened}, ErrBadEvent},
		"unknown kind":          {begun(t), Event{Kind: 99}, ErrBadEvent},
		"seated no player":      {private, seated(rules.Second, Player{}), ErrBadEvent},
		"seated on a lap":       {private, seated(rules.First, bob()), ErrBadEvent},
		"with oneself":          {private, seated(rules.Second, ann()), ErrOwnTable},
		"a third":               {begun(t), seated(rules.First, cleo()), ErrTableFull},
		"seated at the end":     {over, seated(rules.First, cleo()), ErrNoSuchTable},
		"out of turn":           {begun(t), moved(t, rules.Second, "A5"), ErrNotYourTurn},
		"too early":             {private, moved(t, rules.First, "A5"), ErrNotStarted},
		"too late":              {over, moved(t, rules.First, "A5"), ErrMatchOver},
		"no such board":         {begun(t), moved(t, rules.First, "B5"), rules.ErrNoSuchBoard},
		"cell taken":            {begun(t, moved(t, rules.First, "A5")), moved(t, rules.Second, "A5"), rules.ErrCellTaken},
		"resigned by no side":   {begun(t), of(Resigned, rules.NoSide), ErrNotSeated},
		"resigned too early":    {private, of(Resigned, rules.First), ErrNotStarted},
		"came twice":            {begun(t), of(Returned, rules.First), ErrBadEvent},
		"left twice":            {begun(t, of(Left, rules.First)), of(Left, rules.First), ErrBadEvent},
		"missing after leaving": {begun(t, of(Left, rules.First)), of(NoShow, rules.First), ErrBadEvent},
		"left an empty seat":    {private, of(Left, rules.Second), ErrBadEvent},
		"a side out of range":   {begun(t), of(Left, 7), ErrBadEvent},
		"a computer left":       {computer, of(Left, rules.Second), ErrBadEvent},
		"expired while here":    {begun(t), of(Forfeited, rules.First), ErrBadEvent},
		"expired out of turn":   {begun(t, of(Left, rules.Second)), of(Forfeited, rules.Second), ErrBadEvent},
		"offered too early":     {begun(t), of(Offered, rules.First), ErrNotOver},
		"offered by no side":    {over, of(Offered, rules.NoSide), ErrNotSeated},
		"offered twice":         {append(over[:4:4], of(Offered, rules.First)), of(Offered, rules.First), ErrBadEvent},
		"rematch of one": {
			append(over[:4:4], of(Offered, rules.First)), Event{Kind: Rematched, Next: "next"}, ErrBadEvent,
		},
		"cleared with two":   {begun(t), Event{Kind: Cancelled}, ErrBadEvent},
		"another accepts":    {challenge, seated(rules.Second, cleo()), ErrNoSuchTable},
		"declined by maker":  {challenge, of(Cancelled, rules.First), ErrBadEvent},
		"declined by chance": {private, of(Cancelled, rules.Second), ErrBadEvent},
		"rematch to nowhere": {
			append(over[:4:4], of(Offered, rules.First), of(Offered, rules.Second)), of(Rematched, 0), ErrBadEvent,
		},
	})
}

func TestFoldKeepsTheSequence(t *testing.T) {
	s := fold(t, begun(t)...)
	e := after(s, moved(t, rules.First, "A5"))
	for _, seq := range []uint64{0, 1, 3, 5} {
		wrong := e
		wrong.Seq = seq
		if _, err := s.Apply(wrong); !errors.Is(err, ErrBadEvent) {
			t.Errorf("event %d after %d: %v", seq, s.Seq, err)
		}
	}
	e.Match = "another"
	if _, err := s.Apply(e); !errors.Is(err, ErrBadEvent) {
		t.Errorf("an event of another match: %v", err)
	}
}

func TestFoldNeverChangesAState(t *testing.T) {
	s := fold(t, begun(t, moved(t, rules.First, "A5"), moved(t, rules.Second, "A6"), moved(t, rules.First, "A9"))...)
	one, err := s.Apply(after(s, moved(t, rules.Second, "A1")))
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Apply(after(s, moved(t, rules.Second, "A2")))
	if err != nil {
		t.Fatal(err)
	}
	if one.Moves[3].Cell != 1 || other.Moves[3].Cell != 2 || len(s.Moves) != 3 {
		t.Errorf("moves were shared: %v, %v after %v", one.Moves, other.Moves, s.Moves)
	}
	_ = append(one.Moves, rules.Move{Cell: 9})
	three, err := one.Apply(after(one, of(Left, rules.First)))
	if err != nil || !one.Seat(rules.First).Present || three.Seat(rules.First).Present {
		t.Errorf("a seat was shared (%v)", err)
	}
}

// For any events the fold neither panics nor accepts what the rules forbid.
func FuzzFold(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(99))
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 0))
		players := []Player{ann(), bob(), cleo(), Computer(2), {}}
		open := begun(t)[0]
		open.Clock = []Clock{{}, {minutes: 1, increment: 5}, {days: 1}}[rng.IntN(3)]
		s := fold(t, open)
		for range 300 {
			e := after(s, Event{
				Kind: Kind(rng.IntN(int(LastKind) + 2)), Seat: rules.Side(rng.IntN(4)),
				Player: players[rng.IntN(len(players))], Terms: Terms{Variant: boards(t, 1)},
				Move: rules.Move{Board: uint8(rng.IntN(2)), Cell: rules.Cell(rng.IntN(11))},
				Next: "next", Spent: time.Duration(rng.IntN(80)-5) * time.Second,
			})
			next, err := s.Apply(e)
			if err != nil && next.Seq != s.Seq {
				t.Fatalf("refused, but changed: %+v", next)
			}
			checkState(t, next)
			s = next
		}
	})
}

func checkState(t *testing.T, s State) {
	t.Helper()
	played := s.Variant.Start()
	for _, m := range s.Moves {
		next, err := played.Play(m)
		if err != nil {
			t.Fatalf("%s was let through: %v", m, err)
		}
		played = next
	}
	switch {
	case played != s.Position:
		t.Fatalf("the moves do not lead to %s", s.Position)
	case s.Outcome.IsOver() && s.Closed, (s.Outcome.IsOver() || len(s.Moves) > 0) && !s.HasStarted():
		t.Fatalf("an impossible match: %+v", s)
	case played.Outcome().IsOver() && s.Outcome != played.Outcome():
		t.Fatalf("the boards say %+v, the match %+v", played.Outcome(), s.Outcome)
	case s.seats[0].ClockLeft < 0 || s.seats[1].ClockLeft < 0,
		s.Clock.IsNone() && s.seats[0].ClockLeft+s.seats[1].ClockLeft > 0:
		t.Fatalf("%v and %v are left", s.seats[0].ClockLeft, s.seats[1].ClockLeft)
	case s.HasStarted() && s.seats[0].Player.ID == s.seats[1].Player.ID:
		t.Fatalf("%s plays with themselves", s.seats[0].Player.ID)
	}
}
