package match

import (
	"errors"
	"fmt"
	"time"

	"notakto/rules"
	"notakto/rules/opening"
)

// Seat is one seat of a match, with its player and whether that player is connected.
type Seat struct {
	Player  Player
	Taken   bool
	Present bool
	Since   time.Time // when the player last connected or left
	Node    Node      // the player's current or last node
	Code    Code      // a guest's resume code, removed from snapshots for other readers

	Revealed bool // the player has had the deadly cells shown to both

	// ClockLeft is the player's remaining time at the end of the player's last turn, zero without a clock.
	ClockLeft time.Duration
}

// IsAway reports whether the player of the seat is not connected. A computer is never away.
func (s Seat) IsAway() bool { return !s.Present && !s.Player.IsComputer() }

// State is a match folded from its events. A State is a value. [State.Apply] returns a new one and never changes an
// old one.
type State struct {
	Result
	Seq       uint64 // of the last event applied
	Origin    Origin
	Code      Code   // of a private table with a free seat
	Invited   Player // the opponent that a challenge names, else zero
	Position  rules.Position
	Moves     []rules.Move
	OpenedAt  time.Time
	TurnSince time.Time
	Spent     time.Duration // charged for the last move
	Closed    bool          // the table was closed before the match began
	Request   Request       // that waits for an answer
	Takebacks []Takeback    // oldest first
	// IsDeclined says that the invited player has declined the challenge.
	IsDeclined bool
	Hinted     bool // the players get hints, and a win against the computer does not count

	seats         [2]Seat
	recordedNames [2]string // "" where the recorded name is shown
	rematchOffers [2]rematchOffer
	declinedIn    [2]int // TurnNumber of a declined request of the side, no other one may follow in this turn
	TableCode     Code   // Code, retained after it was used
}

type rematchOffer uint8

const (
	noOffer rematchOffer = iota
	offered
	withdrawn
)

// Result holds the terms of a match, its first position and its end.
type Result struct {
	ID ID
	Terms
	Pair    PairGame
	Start   rules.Position // the opening of a rated match, else the empty boards
	Outcome rules.Outcome
	EndedAt time.Time
	Next    ID // the rematch that both players want, or the second game of the pair

	openingHash string
}

// Seats returns both seats in the order of moving.
func (s State) Seats() [2]Seat { return s.seats }

// Seat returns the seat of a side, or the zero Seat for the zero side.
func (s State) Seat(side rules.Side) Seat {
	if !side.IsValid() {
		return Seat{}
	}
	return s.seats[side-1]
}

// WithNames returns s with other names for the players. [State.RecordedPlayer] still returns the recorded names.
func (s State) WithNames(names ...string) State {
	for i, name := range names {
		if recorded := s.seats[i].Player.Name; name != recorded {
			s.recordedNames[i], s.seats[i].Player.Name = recorded, name
		}
	}
	return s
}

// RecordedPlayer returns the player of a side under the recorded name, even after [State.WithNames].
func (s State) RecordedPlayer(side rules.Side) Player {
	p := s.Seat(side).Player
	if side.IsValid() && s.recordedNames[side-1] != "" {
		p.Name = s.recordedNames[side-1]
	}
	return p
}

// Side returns the side of p, or the zero side if p has no seat.
func (s State) Side(p PlayerID) rules.Side {
	for i, seatState := range s.seats {
		if seatState.Taken && seatState.Player.ID == p {
			return rules.Sides()[i]
		}
	}
	return rules.NoSide
}

// Turn returns the side to move, or the zero side before the match has begun and after it has ended.
func (s State) Turn() rules.Side {
	if !s.HasStarted() || s.IsOver() {
		return rules.NoSide
	}
	return s.Position.Turn()
}

// HasMoveLimit reports whether the current move has a time limit. A match with a clock has one, and so has every
// match with an origin that limits moves ([Origin.LimitsMoves]).
func (s State) HasMoveLimit() bool {
	return (s.Origin.LimitsMoves() || !s.Clock.IsNone()) && s.Turn() != rules.NoSide
}

// ClockRuns reports whether the clock of the side to move runs. A clock of days runs from the start. A clock of
// minutes starts with a side's second move, because the first move has its own limit.
func (s State) ClockRuns() bool {
	return s.Turn() != rules.NoSide && (s.Clock.IsCorrespondence() || !s.Clock.IsNone() && !s.IsFirstMove())
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
	seatState := s.Seat(side)
	return seatState.Present || seatState.Player.IsComputer()
}

// HasStarted reports whether both seats are taken.
func (s State) HasStarted() bool { return s.seats[0].Taken && s.seats[1].Taken }

// IsOpenChallenge reports whether s is a challenge that can be accepted until [State.ExpiresAt].
func (s State) IsOpenChallenge() bool {
	return s.Origin == ChallengeOrigin && s.Seq > 0 && !s.HasStarted() && !s.IsOver()
}

// ChallengeLife limits the life of a challenge that is not accepted.
const ChallengeLife = 7 * 24 * time.Hour

// ExpiresAt returns the end of an open challenge.
func (s State) ExpiresAt() time.Time { return s.OpenedAt.Add(ChallengeLife) }

// IsOver reports whether the match has ended, or its table was closed before it began.
func (s State) IsOver() bool { return s.Outcome.IsOver() || s.Closed }

// RematchOffered reports whether the player of a side wants a rematch.
func (s State) RematchOffered(side rules.Side) bool {
	return side.IsValid() && s.rematchOffers[side-1] == offered
}

// RematchWithdrawn reports whether the player of a side wanted a rematch but plays another match instead.
func (s State) RematchWithdrawn(side rules.Side) bool {
	return side.IsValid() && s.rematchOffers[side-1] == withdrawn
}

// RevealedBy returns the side that has had the deadly cells shown to both, or the zero side.
func (s State) RevealedBy() rules.Side {
	for i, seatState := range s.seats {
		if seatState.Revealed {
			return rules.Sides()[i]
		}
	}
	return rules.NoSide
}

// VacantSide returns the first side without a player, or the zero side.
func (s State) VacantSide() rules.Side {
	for i, seatState := range s.seats {
		if !seatState.Taken {
			return rules.Sides()[i]
		}
	}
	return rules.NoSide
}

// Awaited returns the side to move, or the side of the only player of a table with a free seat. The rules of absence
// apply to no other side.
func (s State) Awaited() rules.Side {
	if s.HasStarted() || s.IsOver() {
		return s.Turn()
	}
	return s.VacantSide().Other()
}

// ErrBadEvent says that an event cannot follow the previous ones.
var ErrBadEvent = errors.New("the event does not fit the log")

// Apply returns the state after e, or s and an error if the previous events do not allow e. If a player can cause the
// error, it has a text for players, such as [ErrNotYourTurn]. Otherwise it is [ErrBadEvent].
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
	case TakebackOffered, HintsOffered:
		return s.foldRequest(e)
	case Declined:
		return s.foldDeclined(e)
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
	if e.Match == "" || !e.Variant.IsValid() {
		return s, fmt.Errorf("%w: opened without a name or a variant", ErrBadEvent)
	}
	start, err := e.Pair.startPosition(e.Terms)
	if err != nil {
		return s, err
	}
	origin := e.Origin
	if e.Code != "" { // older versions recorded no origin
		origin = PrivateOrigin
	}
	result := Result{ID: e.Match, Terms: e.Terms, Pair: e.Pair, Start: start}
	if e.Pool.IsRated() {
		result.openingHash = opening.Commitment(e.Pair.Seed)
	}
	return State{
		Result: result, Origin: origin, Position: start, OpenedAt: e.At, Code: e.Code, TableCode: e.Code,
		Invited: e.Player,
	}, nil
}

func (s State) foldMoved(e Event) (State, error) {
	switch {
	case s.IsOver():
		return s, ErrMatchOver
	case !s.HasStarted():
		return s, ErrNotStarted
	case e.Seat != s.Turn():
		return s, ErrNotYourTurn
	case e.Spent < 0 || s.ClockRuns() && e.Spent > s.Seat(e.Seat).ClockLeft:
		return s, fmt.Errorf("%w: seat %d moved after %v, with %v left", ErrBadEvent, e.Seat, e.Spent,
			s.Seat(e.Seat).ClockLeft)
	}
	position, err := s.Position.Play(e.Move)
	if err != nil {
		return s, err
	}
	if s.ClockRuns() {
		s.seats[e.Seat-1].ClockLeft = s.Clock.remaining(s.seats[e.Seat-1].ClockLeft, e.Spent)
	}
	s.Position = position
	s.Moves = append(s.Moves[:len(s.Moves):len(s.Moves)], e.Move) // clipped, because other States may share the array
	s.TurnSince, s.Spent, s.Request = e.At, e.Spent, Request{}
	if outcome := position.Outcome(); outcome.IsOver() {
		return s.ended(e, outcome), nil
	}
	return s, nil
}

func (s State) ended(e Event, outcome rules.Outcome) State {
	s.Outcome, s.EndedAt, s.Request = outcome, e.At, Request{}
	if s.IsSimultaneous() {
		s.Pair.OtherWinner, s.Pair.OtherVoid = e.Pair.OtherWinner, e.Pair.OtherVoid
	}
	return s
}

func (s State) foldResigned(e Event) (State, error) {
	switch {
	case !s.Seat(e.Seat).Taken:
		return s, ErrNotSeated
	case s.IsOver():
		return s, ErrMatchOver
	case !s.HasStarted():
		return s, ErrNotStarted
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.ReasonResign}), nil
}

func (s State) foldForfeited(e Event) (State, error) {
	switch {
	case s.IsOver():
		return s, ErrMatchOver
	case e.Seat != s.Turn() || s.Turn() == rules.NoSide || s.Seat(e.Seat).Present:
		return s, fmt.Errorf("%w: seat %d expired, but it is here or not to move", ErrBadEvent, e.Seat)
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.ReasonAbandoned}), nil
}

func (s State) foldExpired(e Event) (State, error) {
	switch {
	case s.IsOver():
		return s, ErrMatchOver
	case !s.IsAgainstComputer() || e.Seat != s.Turn() || s.Turn() == rules.NoSide || s.IsHere(e.Seat):
		return s, fmt.Errorf("%w: seat %d stayed away, but is here, not to move, or not against the computer",
			ErrBadEvent, e.Seat)
	}
	return s.ended(e, rules.Outcome{Reason: rules.ReasonAbandoned}), nil
}

func (s State) foldOverdue(e Event) (State, error) {
	switch {
	case s.IsOver():
		return s, ErrMatchOver
	case e.Seat != s.Turn() || !s.HasMoveLimit():
		return s, fmt.Errorf("%w: seat %d took too long, but has no limit or is not to move", ErrBadEvent, e.Seat)
	case s.ClockRuns() && e.Spent < s.Seat(e.Seat).ClockLeft:
		return s, fmt.Errorf("%w: seat %d took too long after %v, with %v left", ErrBadEvent, e.Seat, e.Spent,
			s.Seat(e.Seat).ClockLeft)
	case s.IsFirstMove() && (s.Game() != 2 || s.IsSimultaneous()) && !e.Pair.OtherMoved:
		outcome := rules.Outcome{Reason: rules.ReasonAbandoned}
		if e.Pair.MissedBefore && s.Game() == 1 && !s.IsSimultaneous() {
			outcome.Winner = e.Seat.Other()
		}
		return s.ended(e, outcome), nil
	}
	if s.ClockRuns() {
		s.seats[e.Seat-1].ClockLeft = 0
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat.Other(), Reason: rules.ReasonTime}), nil
}

func (s State) foldAdjudicated(e Event) (State, error) {
	switch {
	case s.IsOver():
		return s, ErrMatchOver
	case !s.HasStarted():
		return s, ErrNotStarted
	case e.Seat > rules.Second:
		return s, fmt.Errorf("%w: there is no seat %d that could win", ErrBadEvent, e.Seat)
	}
	return s.ended(e, rules.Outcome{Winner: e.Seat, Reason: rules.ReasonOperator}), nil
}

func (s State) foldRevealed(e Event) (State, error) {
	switch {
	case !s.Seat(e.Seat).Taken:
		return s, ErrNotSeated
	case !s.HasStarted():
		return s, ErrNotStarted
	case s.IsOver():
		return s, ErrMatchOver
	case s.Pool.IsRated():
		return s, ErrRated
	case s.RevealedBy() != rules.NoSide || s.Variant.IsTicTacToe():
		return s, fmt.Errorf("%w: seat %d has the deadly cells shown again, or where there are none", ErrBadEvent, e.Seat)
	}
	s.seats[e.Seat-1].Revealed = true
	return s, nil
}

func (s State) foldOffered(e Event) (State, error) {
	switch {
	case !s.Seat(e.Seat).Taken:
		return s, ErrNotSeated
	case !s.HasStarted():
		return s, ErrNotStarted
	case !s.Outcome.IsOver():
		return s, ErrNotOver
	case s.AwaitsSecondGame():
		return s, ErrPairNotOver
	case s.EndedFirst():
		return s, ErrOtherGame
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
	if s.LacksSecondGame() && e.Next != "" {
		s.Pair.Second = e.Next
		return s, nil
	}
	isWanted := s.RematchOffered(rules.First) && s.RematchOffered(rules.Second) || s.AwaitsSecondGame()
	if !isWanted || s.Next != "" || e.Next == "" {
		return s, fmt.Errorf("%w: a rematch that not both want, or twice", ErrBadEvent)
	}
	s.Next = e.Next
	return s, nil
}

func (s State) foldSeated(e Event) (State, error) {
	switch {
	case s.IsOver():
		return s, ErrNoSuchTable
	case s.Side(e.Player.ID) != rules.NoSide:
		return s, ErrOwnTable
	case s.HasStarted():
		return s, ErrTableFull
	case s.Invited.ID != "" && s.Invited.ID != e.Player.ID && (s.seats[0].Taken || s.seats[1].Taken):
		return s, ErrNoSuchTable
	case !e.Seat.IsValid() || e.Player.ID == "" || s.Seat(e.Seat).Taken:
		return s, fmt.Errorf("%w: seat %d is not free for %q", ErrBadEvent, e.Seat, e.Player.ID)
	}
	s.seats[e.Seat-1] = Seat{
		Player: e.Player, Taken: true, Present: true, Since: e.At, Code: e.Code, Node: e.Node, ClockLeft: s.Clock.Initial(),
	}
	if s.HasStarted() {
		s.TurnSince, s.Code = e.At, ""
		s.Pair.SameNetwork = s.Pair.SameNetwork || e.Pair.SameNetwork
	}
	return s, nil
}

func (s State) foldPresence(e Event) (State, error) {
	seatState := s.Seat(e.Seat)
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
	if s.IsOver() || s.HasStarted() {
		return s, fmt.Errorf("%w: a table was cleared after the match began", ErrBadEvent)
	}
	if e.Seat != rules.NoSide && (s.Invited.ID == "" || e.Seat != s.VacantSide()) {
		return s, fmt.Errorf("%w: seat %d declined, but was not invited", ErrBadEvent, e.Seat)
	}
	s.Closed, s.Code, s.EndedAt, s.IsDeclined = true, "", e.At, e.Seat != rules.NoSide
	return s, nil
}
