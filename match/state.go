package match

import (
	"time"

	"notakto/rules"
)

// SeatState is one side of the table: who sits there and whether that player is here.
type SeatState struct {
	Player  Player
	Taken   bool
	Present bool
	Since   time.Time // the beginning of being here, or away
	Node    Node      // where the player is, or was
	Code    Code      // a guest's way back; only that guest's snapshots have it
}

// State is a match as its events tell it. It is a value: [State.Apply] returns a new one, and no State that was handed
// out ever changes.
type State struct {
	ID  ID
	Seq uint64 // of the last event folded
	Terms
	Origin    Origin
	Code      Code // of a private table that waits for a second player
	Position  rules.Position
	Moves     []rules.Move
	Outcome   rules.Outcome
	OpenedAt  time.Time
	TurnSince time.Time // when the side to move came to move
	EndedAt   time.Time
	Closed    bool // the table was cleared before the match began
	Next      ID   // of the rematch, once both want one

	seats         [2]SeatState
	names         [2]string // that were recorded, of players who are shown under other ones
	rematchOffers [2]bool
	TableCode     Code // Code, kept after it was used up
}

// SeatStates are both sides of the table, who moves first before who moves second.
func (s State) SeatStates() [2]SeatState { return s.seats }

// SeatState is one side of the table; the zero SeatState for [rules.Nobody].
func (s State) SeatState(side rules.Side) SeatState {
	if !side.Valid() {
		return SeatState{}
	}
	return s.seats[side-1]
}

// ShownAs returns s with other names for the players of the two sides. [State.Recorded] still has those of the log.
func (s State) ShownAs(names ...string) State {
	for i, name := range names {
		if recorded := s.seats[i].Player.Name; name != recorded {
			s.names[i], s.seats[i].Player.Name = recorded, name
		}
	}
	return s
}

// Recorded returns the player of a side under the name that was recorded, which may be another than is shown.
func (s State) Recorded(side rules.Side) Player {
	p := s.SeatState(side).Player
	if side.Valid() && s.names[side-1] != "" {
		p.Name = s.names[side-1]
	}
	return p
}

// Side is the side that p plays; [rules.Nobody] if p has no seat here.
func (s State) Side(p PlayerID) rules.Side {
	for i, seatState := range s.seats {
		if seatState.Taken && seatState.Player.ID == p {
			return rules.Sides()[i]
		}
	}
	return rules.Nobody
}

// Turn is the side to move; [rules.Nobody] before the match has begun and after it has ended.
func (s State) Turn() rules.Side {
	if !s.Started() || s.Over() {
		return rules.Nobody
	}
	return s.Position.Turn()
}

// HasMoveLimit reports whether the side to move has a limited time for its move: in matches of the queue, where players
// do not know each other.
func (s State) HasMoveLimit() bool { return s.Origin == QueueOrigin && s.Turn() != rules.Nobody }

// IsFirstMove reports whether the side to move has not moved yet.
func (s State) IsFirstMove() bool { return len(s.Moves) < len(s.seats) }

// IsAgainstComputer reports whether the computer is one of the players.
func (s State) IsAgainstComputer() bool {
	return s.seats[0].Player.IsComputer() || s.seats[1].Player.IsComputer()
}

// IsHere reports whether the player of a side is at the table, as a computer always is.
func (s State) IsHere(side rules.Side) bool {
	seatState := s.SeatState(side)
	return seatState.Present || seatState.Player.IsComputer()
}

// Started reports whether both seats are taken.
func (s State) Started() bool { return s.seats[0].Taken && s.seats[1].Taken }

// Over reports whether the match has ended, or its table was cleared before it began.
func (s State) Over() bool { return s.Outcome.Over() || s.Closed }

// RematchOffered reports whether a side wants a rematch.
func (s State) RematchOffered(side rules.Side) bool { return side.Valid() && s.rematchOffers[side-1] }

// Vacant is a side without a player yet.
func (s State) Vacant() rules.Side {
	for i, seatState := range s.seats {
		if !seatState.Taken {
			return rules.Sides()[i]
		}
	}
	return rules.Nobody
}

// Awaited is the side whose absence counts: the one to move, or, before an opponent has come, the one that waits.
func (s State) Awaited() rules.Side {
	if s.Started() || s.Over() {
		return s.Turn()
	}
	return s.Vacant().Other()
}
