package match

import (
	"fmt"

	"notakto/rules"
)

// Limits of the takebacks of one player in a match. The limit between people bounds the log.
const (
	MaxTakebacks       = 3  // that a computer agrees to
	maxPeoplesTakeback = 20 // between people
)

// Request is a question of one player that the opponent has not answered. The opponent agrees with an event of
// Kind, or declines. A move ends the request too.
type Request struct {
	Kind Kind // [TakebackOffered] or [HintsOffered], zero without a request
	Side rules.Side
}

// Takeback holds the moves that were taken back by one request.
type Takeback struct {
	Side  rules.Side   // of the player with the request
	Plies int          // moves that stand
	Moves []rules.Move // one move of Side, and the opponent's answer if there was one
}

// TurnNumber counts the turns of the match from 1. A takeback begins a turn too.
func (s State) TurnNumber() int {
	n := len(s.Moves) + 1
	for _, t := range s.Takebacks {
		n += len(t.Moves) + 1
	}
	return n
}

// TakebacksBy returns how often the player of a side has taken back a move.
func (s State) TakebacksBy(side rules.Side) (n int) {
	for _, t := range s.Takebacks {
		if t.Side == side {
			n++
		}
	}
	return n
}

// RequestTo returns the kind of the open request that the player of a side has to answer, or zero.
func (s State) RequestTo(side rules.Side) Kind {
	if s.Request.Side.Other() != side || s.IsOver() {
		return 0
	}
	return s.Request.Kind
}

// CanTakeBack returns nil if the player of a side may ask for a takeback. Otherwise the error has a text for players.
func (s State) CanTakeBack(side rules.Side) error {
	most := maxPeoplesTakeback
	if s.IsAgainstComputer() {
		most = MaxTakebacks
	}
	switch {
	case !s.HasMoved(side):
		return ErrNoOwnMove
	case s.TakebacksBy(side) >= most:
		return ErrNoTakebacks
	}
	return nil
}

// foldRequest folds a request or the agreement to the opponent's request. A computer agrees at once.
func (s State) foldRequest(e Event) (State, error) {
	asked := Request{e.Kind, e.Seat}
	isAgreed := s.Request == Request{e.Kind, e.Seat.Other()}
	if isAgreed {
		asked = s.Request
	}
	switch {
	case !s.Seat(e.Seat).Taken || s.Seat(e.Seat).Player.IsComputer():
		return s, ErrNotSeated
	case s.IsOver():
		return s, ErrMatchOver
	case !s.HasStarted():
		return s, ErrNotStarted
	case s.Pool.IsRated():
		return s, ErrRated
	case s.Request.Kind != 0 && !isAgreed:
		return s, ErrUnanswered
	case s.declinedIn[e.Seat-1] == s.TurnNumber() && !isAgreed:
		return s, ErrDeclined
	case e.Kind == HintsOffered && s.Hinted:
		return s, fmt.Errorf("%w: hints are allowed already", ErrBadEvent)
	case e.Spent < 0 || s.ClockRuns() && e.Spent > s.Seat(s.Turn()).ClockLeft:
		return s, fmt.Errorf("%w: a takeback after %v, with %v left", ErrBadEvent, e.Spent, s.Seat(s.Turn()).ClockLeft)
	case e.Kind == TakebackOffered:
		if err := s.CanTakeBack(asked.Side); err != nil {
			return s, err
		}
	}
	if !isAgreed && !s.IsAgainstComputer() {
		s.Request = asked
		return s, nil
	}
	s.Request = Request{}
	if e.Kind == HintsOffered {
		s.Hinted = true
		return s, nil
	}
	return s.takenBack(asked.Side, e), nil
}

// takenBack returns s without the last move of a side and the answer to it. The clocks keep the time that was used,
// also in the turn that ends here, and lose the increments of the moves taken back.
func (s State) takenBack(side rules.Side, e Event) State {
	if s.ClockRuns() {
		mover := &s.seats[s.Turn()-1]
		mover.ClockLeft = s.Clock.remaining(mover.ClockLeft, e.Spent) - s.Clock.Increment()
	}
	kept := len(s.Moves) - 1
	if s.Turn() == side {
		kept--
	}
	for ply := max(kept, len(s.seats)); ply < len(s.Moves); ply++ { // the first moves had no increment
		mover := &s.seats[ply%len(s.seats)]
		mover.ClockLeft = max(0, mover.ClockLeft-s.Clock.Increment())
	}
	s.Takebacks = append(s.Takebacks[:len(s.Takebacks):len(s.Takebacks)], Takeback{side, kept, s.Moves[kept:]})
	s.Moves, s.Position, s.TurnSince, s.Spent = s.Moves[:kept:kept], s.PositionAfter(kept), e.At, 0
	return s
}

// PositionAfter returns the position after the first moves of the match.
func (s State) PositionAfter(moves int) rules.Position {
	position := s.Start
	for _, m := range s.Moves[:moves] {
		position, _ = position.Play(m) // the fold has checked every move
	}
	return position
}

// Positions returns the positions of the match, from its start to the current one.
func (s State) Positions() []rules.Position {
	all := []rules.Position{s.Start}
	for ply := range s.Moves {
		all = append(all, s.PositionAfter(ply+1))
	}
	return all
}

func (s State) foldDeclined(e Event) (State, error) {
	if s.RequestTo(e.Seat) == 0 {
		return s, fmt.Errorf("%w: seat %d declines, but was not asked", ErrBadEvent, e.Seat)
	}
	s.declinedIn[s.Request.Side-1], s.Request = s.TurnNumber(), Request{}
	return s, nil
}
