package match

import (
	"fmt"

	"notakto/rules"
)

func (s State) move(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case !s.Started():
		return s, ErrNotStarted
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
	case !s.SeatState(e.Seat).Taken:
		return s, ErrNotSeated
	case s.Over():
		return s, ErrMatchOver
	case !s.Started():
		return s, ErrNotStarted
	}
	return s.end(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Resign}), nil
}

func (s State) forfeit(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case e.Seat != s.Turn() || s.Turn() == rules.Nobody || s.SeatState(e.Seat).Present:
		return s, fmt.Errorf("%w: seat %d expired, but it is here or not to move", ErrBadEvent, e.Seat)
	}
	return s.end(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Abandoned}), nil
}

// overdue ends a match whose player to move did not in time.
func (s State) overdue(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case e.Seat != s.Turn() || !s.HasMoveLimit():
		return s, fmt.Errorf("%w: seat %d took too long, but has no limit or is not to move", ErrBadEvent, e.Seat)
	case s.IsFirstMove():
		return s.end(e, rules.Outcome{Reason: rules.Abandoned}), nil
	default:
		return s.end(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Time}), nil
	}
}

func (s State) offer(e Event) (State, error) {
	switch {
	case !s.SeatState(e.Seat).Taken:
		return s, ErrNotSeated
	case !s.Started():
		return s, ErrNotStarted
	case !s.Outcome.Over():
		return s, ErrNotOver
	case s.RematchOffered(e.Seat):
		return s, fmt.Errorf("%w: seat %d offered twice", ErrBadEvent, e.Seat)
	}
	s.rematchOffers[e.Seat-1] = true
	return s, nil
}

func (s State) rematch(e Event) (State, error) {
	if !s.RematchOffered(rules.First) || !s.RematchOffered(rules.Second) || s.Next != "" || e.Next == "" {
		return s, fmt.Errorf("%w: a rematch that not both want, or twice", ErrBadEvent)
	}
	s.Next = e.Next
	return s, nil
}
