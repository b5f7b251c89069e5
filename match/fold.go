package match

import (
	"errors"
	"fmt"

	"notakto/rules"
)

// ErrBadEvent says that an event cannot follow the ones before it.
var ErrBadEvent = errors.New("the event does not fit the log")

// Apply is the match after e. It refuses every event that the events before it do not allow: with the sentinel that a player is told where
// a player can cause it ([ErrNotYourTurn], [ErrMatchOver] and so on), else with [ErrBadEvent].
func (s State) Apply(e Event) (State, error) {
	if e.Seq != s.Seq+1 || s.Seq > 0 && e.Match != s.ID {
		return s, fmt.Errorf("%w: %s/%d after %s/%d", ErrBadEvent, e.Match, e.Seq, s.ID, s.Seq)
	}
	if (e.Kind == Opened) != (s.Seq == 0) {
		return s, fmt.Errorf("%w: kind %d at %d", ErrBadEvent, e.Kind, e.Seq)
	}
	next, err := s.fold(e)
	if err != nil {
		return s, err
	}
	next.Seq = e.Seq
	return next, nil
}

func (s State) fold(e Event) (State, error) {
	switch e.Kind {
	case Opened:
		return s.open(e)
	case Seated:
		return s.seat(e)
	case Moved:
		return s.move(e)
	case Resigned:
		return s.resign(e)
	case Left, Missing, Returned:
		return s.presence(e)
	case Expired:
		return s.expire(e)
	case Offered:
		return s.offer(e)
	case Rematched:
		return s.rematch(e)
	case Dismantled:
		return s.dismantle(e)
	default:
		return s, fmt.Errorf("%w: kind %d", ErrBadEvent, e.Kind)
	}
}

func (s State) open(e Event) (State, error) {
	if e.Match == "" || !e.Variant.Valid() {
		return s, fmt.Errorf("%w: opened without a name or a variant", ErrBadEvent)
	}
	return State{
		ID: e.Match, Variant: e.Variant, Position: e.Variant.Start(), Code: e.Code, key: e.Code, OpenedAt: e.At,
	}, nil
}

func (s State) seat(e Event) (State, error) {
	switch {
	case !isSide(e.Seat) || e.Player.ID == "":
		return s, fmt.Errorf("%w: seated nobody, or nowhere", ErrBadEvent)
	case s.Closed:
		return s, ErrNoSuchTable
	case s.Side(e.Player.ID) != rules.Nobody:
		return s, ErrOwnTable
	case s.Begun():
		return s, ErrTableFull
	case s.Chair(e.Seat).Taken:
		return s, fmt.Errorf("%w: seat %d is taken", ErrBadEvent, e.Seat)
	}
	s.chairs[e.Seat-1] = Chair{Player: e.Player, Taken: true, Present: true, Since: e.At, Code: e.Code}
	if s.Begun() {
		s.TurnSince, s.Code = e.At, ""
	}
	return s, nil
}

func (s State) move(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case !s.Begun():
		return s, ErrNotBegun
	case e.Seat != s.Turn():
		return s, ErrNotYourTurn
	}
	position, err := s.Position.Play(e.Move)
	if err != nil {
		return s, err
	}
	s.Position = position
	s.Moves = append(s.Moves[:len(s.Moves):len(s.Moves)], e.Move) // clipped: another State may share what is there
	s.TurnSince = e.At
	if outcome := position.Outcome(); outcome.Over() {
		return s.end(e, outcome), nil
	}
	return s, nil
}

func (s State) end(e Event, outcome rules.Outcome) State {
	s.Outcome, s.EndedAt = outcome, e.At
	return s
}

func (s State) resign(e Event) (State, error) {
	switch {
	case !s.Chair(e.Seat).Taken:
		return s, ErrNotSeated
	case s.Over():
		return s, ErrMatchOver
	case !s.Begun():
		return s, ErrNotBegun
	}
	return s.end(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Resign}), nil
}

func (s State) presence(e Event) (State, error) {
	chair := s.Chair(e.Seat)
	if !chair.Taken || chair.Player.IsComputer() || s.Closed || chair.Present == (e.Kind == Returned) {
		return s, fmt.Errorf("%w: seat %d came or went twice, or is nobody's", ErrBadEvent, e.Seat)
	}
	chair.Present = e.Kind == Returned
	if e.Kind != Missing {
		chair.Since = e.At
	}
	s.chairs[e.Seat-1] = chair
	return s, nil
}

func (s State) expire(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case e.Seat != s.Turn() || s.Turn() == rules.Nobody || s.Chair(e.Seat).Present:
		return s, fmt.Errorf("%w: seat %d expired, but it is here or not to move", ErrBadEvent, e.Seat)
	}
	return s.end(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Abandoned}), nil
}

func (s State) offer(e Event) (State, error) {
	switch {
	case !s.Chair(e.Seat).Taken:
		return s, ErrNotSeated
	case !s.Outcome.Over():
		return s, ErrNotOver
	case s.Offers(e.Seat):
		return s, fmt.Errorf("%w: seat %d offered twice", ErrBadEvent, e.Seat)
	}
	s.offers[e.Seat-1] = true
	return s, nil
}

func (s State) rematch(e Event) (State, error) {
	if !s.Offers(rules.First) || !s.Offers(rules.Second) || s.Next != "" || e.Next == "" {
		return s, fmt.Errorf("%w: a rematch that not both want, or twice", ErrBadEvent)
	}
	s.Next = e.Next
	return s, nil
}

func (s State) dismantle(e Event) (State, error) {
	if s.Over() || s.Begun() {
		return s, fmt.Errorf("%w: a table was cleared after the match began", ErrBadEvent)
	}
	s.Closed, s.Code, s.EndedAt = true, "", e.At
	return s, nil
}

func isSide(side rules.Side) bool { return side == rules.First || side == rules.Second }
