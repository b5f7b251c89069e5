package match

import (
	"time"

	"notakto/rules"
)

// SeatState is one seat: its player, and whether that player is connected.
type SeatState struct {
	Player  Player
	Taken   bool
	Present bool
	Since   time.Time // when the player was last seen to connect or leave
	Node    Node      // the player's node, or the last one
	Code    Code      // a guest's resume code; only in snapshots for that guest

	Revealed bool // the player has had the deadly cells shown to both

	// ClockLeft is what the clock left to the player at the end of the player's last turn. Zero without a clock.
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
	rematchOffers [2]bool
	TableCode     Code // Code, retained after it was used
}

// Result is what is played in a match, from which position, and how it ended.
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

// HasMoveLimit reports whether the current move has a time limit: with a clock, and in matches of the queue, whose
// players do not know each other.
func (s State) HasMoveLimit() bool {
	return (s.Origin == QueueOrigin || !s.Clock.IsNone()) && s.Turn() != rules.Nobody
}

// ClockRuns reports whether the clock of the side to move runs. The clock of minutes begins with each side's second
// move: the first one has a limit of its own. One of days runs from the start.
func (s State) ClockRuns() bool {
	return s.Turn() != rules.Nobody && (s.Clock.IsCorrespondence() || !s.Clock.IsNone() && !s.IsFirstMove())
}

// IsFirstMove reports whether the side to move has not moved yet.
func (s State) IsFirstMove() bool { return len(s.Moves) < len(s.seats) }

// HasMoved reports whether the player of a side has made a move.
func HasMoved(s *State, side rules.Side) bool { return len(s.Moves) >= int(side) }

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
func (s State) RematchOffered(side rules.Side) bool { return side.Valid() && s.rematchOffers[side-1] }

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
