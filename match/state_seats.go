package match

import (
	"fmt"

	"notakto/rules"
)

func (s State) foldSeated(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrNoSuchTable
	case s.Side(e.Player.ID) != rules.Nobody:
		return s, ErrOwnTable
	case s.Started():
		return s, ErrTableFull
	case !e.Seat.Valid() || e.Player.ID == "" || s.SeatState(e.Seat).Taken:
		return s, fmt.Errorf("%w: seat %d is not free for %q", ErrBadEvent, e.Seat, e.Player.ID)
	}
	s.seats[e.Seat-1] = SeatState{
		Player: e.Player, Taken: true, Present: true, Since: e.At, Code: e.Code, Node: e.Node, ClockLeft: s.Clock.Initial(),
	}
	if s.Started() {
		s.TurnSince, s.Code = e.At, ""
	}
	return s, nil
}

func (s State) foldPresence(e Event) (State, error) {
	seatState := s.SeatState(e.Seat)
	if !seatState.Taken || seatState.Player.IsComputer() || s.Closed || seatState.Present == (e.Kind == Returned) {
		return s, fmt.Errorf("%w: seat %d came or went twice, or is empty", ErrBadEvent, e.Seat)
	}
	seatState.Present = e.Kind == Returned
	if e.Kind != NoShow {
		seatState.Since = e.At
	}
	if e.Kind == Returned {
		seatState.Node = e.Node
	}
	s.seats[e.Seat-1] = seatState
	return s, nil
}

func (s State) foldCancelled(e Event) (State, error) {
	if s.Over() || s.Started() {
		return s, fmt.Errorf("%w: a table was cleared after the match began", ErrBadEvent)
	}
	s.Closed, s.Code, s.EndedAt = true, "", e.At
	return s, nil
}
