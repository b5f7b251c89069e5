package match

import (
	"time"

	"notakto/rules"
)

// Chair is one side of the table: who sits there and whether that player is here.
type Chair struct {
	Player  Player
	Taken   bool
	Present bool
	Since   time.Time // of Present's last change
	Code    Code      // a guest's way back; show it to that guest only
}

// State is a match as its events tell it. It is a value: [State.Apply] returns a new one, and no State that was handed out ever changes.
type State struct {
	ID        ID
	Seq       uint64 // of the last event folded
	Variant   rules.Variant
	Code      Code // of a private table that waits for a second player
	Position  rules.Position
	Moves     []rules.Move
	Outcome   rules.Outcome
	OpenedAt  time.Time
	TurnSince time.Time // when the side to move came to move
	EndedAt   time.Time
	Closed    bool // the table was cleared before the match began
	Next      ID   // of the rematch, once both want one

	chairs [2]Chair
	offers [2]bool
}
