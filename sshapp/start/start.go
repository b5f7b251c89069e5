// Package start names the places where a player's session can begin, whether it is played on the full screen or line by
// line.
package start

import (
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Kind is what a session begins with.
type Kind uint8

// Each but the lobby is what a player could have chosen there.
const (
	Lobby    Kind = iota
	Queue         // wait for an opponent: Terms to insist on
	Computer      // play the computer: Variant, Level, Side
	Private       // make a private table: Variant
	Code          // sit down by a code: Code
	Match         // watch Match, or the busiest one
)

// Start is where a session begins. The zero value is the lobby.
type Start struct {
	At          Kind
	match.Terms                // zero for the default; in the queue, for all that is accepted by default
	Level       strategy.Level // zero for the one that is offered
	Side        rules.Side     // rules.Nobody to draw lots
	Code        match.Code
	Match       match.ID
}
