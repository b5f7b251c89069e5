package match

import (
	"errors"
	"fmt"
	"time"

	"notakto/rules"
	"notakto/rules/opening"
)

// SeatState is one seat: its player, and whether that player is connected.
type SeatState struct {
	Player  Player
	Taken   bool
	Present bool
	Since   time.Time // when the player was last seen to connect or leave
	Node    Node      // the node at which the player is, or was last
	Code    Code      // a guest's resume code; only in snapshots for that guest

	Revealed bool // the player has had the deadly cells shown to both

	// ClockLeft is the player's remaining time at the end of the player's last turn. Zero without a clock.
	ClockLeft time.Duration
}

// IsAway reports whether the seat is of a person who is not connected.
func (s SeatState) IsAway() bool { return !s.Present && !s.Player.IsComputer() }

// State is a match folded from its events. It is a value: [State.Apply] returns a new one and never changes an old one.
type State struct {
	Result
	Seq       uint64 // of the last event applied
	Origin    Origin
	Code      Code // of a private table with a free seat
	Position  rules.Position
	Moves     []rules.Move
	OpenedAt  time.Time
	TurnSince time.Time     // when the current turn began
	Spent     time.Duration // charged for the last move, in a match with a clock
	Closed    bool          // the table was closed before the match began

	seats         [2]SeatState
	names         [2]string // recorded names of players who are shown under other ones
	rematchOffers [2]rematchOffer
	TableCode     Code // Code, retained after it was used
}

// rematchOffer is one side's answer to a rematch.
type rematchOffer uint8

const (
	noOffer rematchOffer = iota
	offered
	withdrawn // see [Withdrawn]
)

// Result holds the terms of a match, its first position and its end.
type Result struct {
	ID ID
	Terms
	Pair    PairGame
	Start   rules.Position // before the first move: the opening of a rated match, else the empty boards
	Outcome rules.Outcome
	EndedAt time.Time
	Next    ID // the rematch, once both players want one, or the second game of the pair

	openingHash string
}

// SeatStates returns both seats, the first to move first.
func (s State) SeatStates() [2]SeatState { return s.seats }

// SeatState returns the seat of a side; the zero SeatState for [rules.Nobody].
func (s State) SeatState(side rules.Side) SeatState {
	if !side.Valid() {
		return SeatState{}
	}
	return s.seats[side-1]
}

// ShownAs returns s with other names for the players. [State.Recorded] still returns the recorded names.
func (s State) ShownAs(names ...string) State {
	for i, name := range names {
		if recorded := s.seats[i].Player.Name; name != recorded {
			s.names[i], s.seats[i].Player.Name = recorded, name
		}
	}
	return s
}

// Recorded returns the player of a side under the recorded name, which may differ from the name shown.
func (s State) Recorded(side rules.Side) Player {
	p := s.SeatState(side).Player
	if side.Valid() && s.names[side-1] != "" {
		p.Name = s.names[side-1]
	}
	return p
}

// Side returns the side of p, or [rules.Nobody] if p has no seat.
func (s State) Side(p PlayerID) rules.Side {
	for i, seatState := range s.seats {
		if seatState.Taken && seatState.Player.ID == p {
			return rules.Sides()[i]
		}
	}
	return rules.Nobody
}

// Turn returns the side to move; [rules.Nobody] before the match has begun and after it has ended.
func (s State) Turn() rules.Side {
	if !s.Started() || s.Over() {
		return rules.Nobody
	}
	return s.Position.Turn()
}

// HasMoveLimit reports whether the current move has a time limit. It has one with a clock, and in every match of the
// queue, because its players do not know each other.
func (s State) HasMoveLimit() bool {
	return (s.Origin == QueueOrigin || !s.Clock.IsNone()) && s.Turn() != rules.Nobody
}

// ClockRuns reports whether the clock of the side to move runs. A clock of days runs from the start. A clock of
// minutes starts with each side's second move: the first move has a limit of its own.
func (s State) ClockRuns() bool {
	return s.Turn() != rules.Nobody && (s.Clock.IsCorrespondence() || !s.Clock.IsNone() && !s.IsFirstMove())
}

// IsFirstMove reports whether the side to move has not moved yet.
func (s State) IsFirstMove() bool { return len(s.Moves) < len(s.seats) }

// HasMoved reports whether the player of a side has made a move.
func (s State) HasMoved(side rules.Side) bool { return len(s.Moves) >= int(side) }

// IsAgainstComputer reports whether the computer is one of the players.
func (s State) IsAgainstComputer() bool {
	return s.seats[0].Player.IsComputer() || s.seats[1].Player.IsComputer()
}

// IsHere reports whether the player of a side is connected. A computer always is.
func (s State) IsHere(side rules.Side) bool {
	seatState := s.SeatState(side)
	return seatState.Present || seatState.Player.IsComputer()
}

// Started reports whether both seats are taken.
func (s State) Started() bool { return s.seats[0].Taken && s.seats[1].Taken }

// Over reports whether the match has ended, or its table was closed before it began.
func (s State) Over() bool { return s.Outcome.Over() || s.Closed }

// RematchOffered reports whether a side wants a rematch.
func (s State) RematchOffered(side rules.Side) bool {
	return side.Valid() && s.rematchOffers[side-1] == offered
}

// RematchWithdrawn reports whether a side has wanted a rematch, but plays another match instead.
func (s State) RematchWithdrawn(side rules.Side) bool {
	return side.Valid() && s.rematchOffers[side-1] == withdrawn
}

// RevealedBy returns the side that has had the deadly cells shown to both, or [rules.Nobody].
func (s State) RevealedBy() rules.Side {
	for i, seatState := range s.seats {
		if seatState.Revealed {
			return rules.Sides()[i]
		}
	}
	return rules.Nobody
}

// Vacant returns the first side without a player.
func (s State) Vacant() rules.Side {
	for i, seatState := range s.seats {
		if !seatState.Taken {
			return rules.Sides()[i]
		}
	}
	return rules.Nobody
}

// Awaited returns the side whose absence counts: the side to move, or the only player of a table with a free seat.
func (s State) Awaited() rules.Side {
	if s.Started() || s.Over() {
		return s.Turn()
	}
	return s.Vacant().Other()
}

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
	case Withdrawn:
		return s.foldWithdrawn(e)
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
	s.rematchOffers[e.Seat-1] = offered
	return s, nil
}

func (s State) foldWithdrawn(e Event) (State, error) {
	if !s.RematchOffered(e.Seat) || s.Next != "" {
		return s, fmt.Errorf("%w: seat %d withdraws an offer that it has not made, or that was accepted", ErrBadEvent, e.Seat)
	}
	s.rematchOffers[e.Seat-1] = withdrawn
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
