package match

import (
	"errors"
	"fmt"

	"notakto/rules/opening"
)

// ErrBadEvent says that an event cannot follow the previous ones.
var ErrBadEvent = errors.New("the event does not fit the log")

// Apply returns the state after e. It rejects every event that the previous ones do not allow: with an error for
// players if a player can cause it ([ErrNotYourTurn], [ErrMatchOver] and so on), else with [ErrBadEvent].
func (s State) Apply(e Event) (State, error) {
	if e.Seq != s.Seq+1 || s.Seq > 0 && e.Match != s.ID {
		return s, fmt.Errorf("%w: %s/%d after %s/%d", ErrBadEvent, e.Match, e.Seq, s.ID, s.Seq)
	}
	if (e.Kind == Opened) != (s.Seq == 0) {
		return s, fmt.Errorf("%w: kind %d at %d", ErrBadEvent, e.Kind, e.Seq)
	}
	next, err := s.foldEvent(e)
	if err != nil {
		return s, err
	}
	next.Seq = e.Seq
	return next, nil
}

func (s State) foldEvent(e Event) (State, error) {
	switch e.Kind {
	case Opened:
		return s.foldOpened(e)
	case Seated:
		return s.foldSeated(e)
	case Moved:
		return s.foldMoved(e)
	case Resigned:
		return s.foldResigned(e)
	case Left, NoShow, Returned:
		return s.foldPresence(e)
	case Forfeited:
		return s.foldForfeited(e)
	case Overdue:
		return s.foldOverdue(e)
	case Expired:
		return s.foldExpired(e)
	case Adjudicated:
		return s.foldAdjudicated(e)
	case Revealed:
		return s.foldRevealed(e)
	case Offered:
		return s.foldOffered(e)
	case Rematched:
		return s.foldRematched(e)
	case Cancelled:
		return s.foldCancelled(e)
	default:
		return s, fmt.Errorf("%w: kind %d", ErrBadEvent, e.Kind)
	}
}

func (s State) foldOpened(e Event) (State, error) {
	if e.Match == "" || !e.Variant.Valid() {
		return s, fmt.Errorf("%w: opened without a name or a variant", ErrBadEvent)
	}
	start, err := e.Pair.start(e.Terms)
	if err != nil {
		return s, err
	}
	origin := e.Origin
	if e.Code != "" { // older versions recorded no origin
		origin = PrivateOrigin
	}
	result := Result{ID: e.Match, Terms: e.Terms, Pair: e.Pair, Start: start}
	if e.Pool.IsRated() {
		result.openingHash = opening.Hash(e.Pair.Seed)
	}
	return State{
		Result: result, Origin: origin, Position: start, OpenedAt: e.At, Code: e.Code, TableCode: e.Code,
	}, nil
}
