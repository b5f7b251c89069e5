package match

import (
	"fmt"

	"notakto/rules"
)

func (s State) seat(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrNoSuchTable
	case s.Side(e.Player.ID) != rules.Nobody:
		return s, ErrOwnTable
	case s.Begun():
		return s, ErrTableFull
	case !e.Seat.Valid() || e.Player.ID == "" || s.Chair(e.Seat).Taken:
		return s, fmt.Errorf("%w: seat %d is not free for %q", ErrBadEvent, e.Seat, e.Player.ID)
	}
	s.chairs[e.Seat-1] = Chair{Player: e.Player, Taken: true, Present: true, Since: e.At, Code: e.Code, Node: e.Node}
	if s.Begun() {
		s.TurnSince, s.Code = e.At, ""
	}
	return s, nil
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
	if e.Kind == Returned {
		chair.Node = e.Node
	}
	s.chairs[e.Seat-1] = chair
	return s, nil
}

func (s State) dismantle(e Event) (State, error) {
	if s.Over() || s.Begun() {
		return s, fmt.Errorf("%w: a table was cleared after the match began", ErrBadEvent)
	}
	s.Closed, s.Code, s.EndedAt = true, "", e.At
	return s, nil
}
