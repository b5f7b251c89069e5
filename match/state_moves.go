package match

import (
	"fmt"

	"notakto/rules"
)

func (s State) foldMoved(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case !s.Started():
		return s, ErrNotStarted
	case e.Seat != s.Turn():
		return s, ErrNotYourTurn
	case e.Spent < 0 || s.ClockRuns() && e.Spent > s.SeatState(e.Seat).ClockLeft:
		return s, fmt.Errorf("%w: seat %d moved after %v, with %v left", ErrBadEvent, e.Seat, e.Spent,
			s.SeatState(e.Seat).ClockLeft)
	}
	position, err := s.Position.Play(e.Move)
	if err != nil {
		return s, err
	}
	if s.ClockRuns() {
		s.seats[e.Seat-1].ClockLeft = s.Clock.after(s.seats[e.Seat-1].ClockLeft, e.Spent)
	}
	s.Position = position
	s.Moves = append(s.Moves[:len(s.Moves):len(s.Moves)], e.Move) // clipped: other States may share the array
	s.TurnSince, s.Spent = e.At, e.Spent
	if outcome := position.Outcome(); outcome.Over() {
		return s.ended(e, outcome), nil
	}
	return s, nil
}

func (s State) ended(e Event, outcome rules.Outcome) State {
	s.Outcome, s.EndedAt = outcome, e.At
	return s
}

func (s State) foldResigned(e Event) (State, error) {
	switch {
	case !s.SeatState(e.Seat).Taken:
		return s, ErrNotSeated
	case s.Over():
		return s, ErrMatchOver
	case !s.Started():
		return s, ErrNotStarted
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Resign}), nil
}

func (s State) foldForfeited(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case e.Seat != s.Turn() || s.Turn() == rules.Nobody || s.SeatState(e.Seat).Present:
		return s, fmt.Errorf("%w: seat %d expired, but it is here or not to move", ErrBadEvent, e.Seat)
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Abandoned}), nil
}

// foldExpired ends a match against the computer whose player does not come back.
func (s State) foldExpired(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case !s.IsAgainstComputer() || e.Seat != s.Turn() || s.Turn() == rules.Nobody || s.IsHere(e.Seat):
		return s, fmt.Errorf("%w: seat %d stayed away, but is here, not to move, or not against the computer",
			ErrBadEvent, e.Seat)
	}
	return s.ended(e, rules.Outcome{Reason: rules.Abandoned}), nil
}

// foldOverdue ends a match because the player to move did not move in time.
func (s State) foldOverdue(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case e.Seat != s.Turn() || !s.HasMoveLimit():
		return s, fmt.Errorf("%w: seat %d took too long, but has no limit or is not to move", ErrBadEvent, e.Seat)
	case s.ClockRuns() && e.Spent < s.SeatState(e.Seat).ClockLeft:
		return s, fmt.Errorf("%w: seat %d took too long after %v, with %v left", ErrBadEvent, e.Seat, e.Spent,
			s.SeatState(e.Seat).ClockLeft)
	case s.IsFirstMove() && s.Game() != 2: // the second game of a pair counts in any case
		return s.ended(e, rules.Outcome{Reason: rules.Abandoned}), nil
	}
	if s.ClockRuns() {
		s.seats[e.Seat-1].ClockLeft = 0
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.Time}), nil
}

// foldAdjudicated ends a match as the operator has decided.
func (s State) foldAdjudicated(e Event) (State, error) {
	switch {
	case s.Over():
		return s, ErrMatchOver
	case !s.Started():
		return s, ErrNotStarted
	case e.Seat > rules.Second:
		return s, fmt.Errorf("%w: there is no seat %d that could win", ErrBadEvent, e.Seat)
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat, Reason: rules.Operator}), nil
}

func (s State) foldRevealed(e Event) (State, error) {
	switch {
	case !s.SeatState(e.Seat).Taken:
		return s, ErrNotSeated
	case !s.Started():
		return s, ErrNotStarted
	case s.Over():
		return s, ErrMatchOver
	case s.Pool.IsRated():
		return s, ErrRated
	case s.RevealedBy() != rules.Nobody || s.Variant.IsTicTacToe():
		return s, fmt.Errorf("%w: seat %d has the deadly cells shown again, or where there are none", ErrBadEvent, e.Seat)
	}
	s.seats[e.Seat-1].Revealed = true
	return s, nil
}

func (s State) foldOffered(e Event) (State, error) {
	switch {
	case !s.SeatState(e.Seat).Taken:
		return s, ErrNotSeated
	case !s.Started():
		return s, ErrNotStarted
	case !s.Outcome.Over():
		return s, ErrNotOver
	case s.AwaitsSecondGame():
		return s, ErrPairNotOver
	case s.RematchOffered(e.Seat):
		return s, fmt.Errorf("%w: seat %d offered twice", ErrBadEvent, e.Seat)
	}
	s.rematchOffers[e.Seat-1] = true
	return s, nil
}

func (s State) foldRematched(e Event) (State, error) {
	isWanted := s.RematchOffered(rules.First) && s.RematchOffered(rules.Second) || s.AwaitsSecondGame()
	if !isWanted || s.Next != "" || e.Next == "" {
		return s, fmt.Errorf("%w: a rematch that not both want, or twice", ErrBadEvent)
	}
	s.Next = e.Next
	return s, nil
}
