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
	Queue         // wait for an opponent: Accepts
	Computer      // play the computer: Variant, Level, Side
	Private       // make a private table: Variant
	Code          // sit down by a code: Code
	Match         // watch Match, or the busiest one
)

// Start is where a session begins. The zero value is the lobby.
type Start struct {
	At          Kind
	match.Terms                // without a variant for the default: see Accepts and Table
	Untimed     bool           // never with a clock in the queue, where a front end may prefer one
	Level       strategy.Level // zero for the one that is offered
	Side        rules.Side     // rules.Nobody to draw lots
	Code        match.Code
	Match       match.ID
}

// Accepts returns what the player accepts of an opponent, the preferred terms first: the variants that are accepted by
// default, or the one that is named, all with the clock that is named, or without one.
func (s Start) Accepts() []match.Terms {
	all := match.DefaultAccepted()
	if s.Variant.Valid() {
		all = []match.Terms{s.Terms}
	}
	for i := range all {
		all[i].Clock = s.Clock
	}
	return all
}

// Table returns what is played at a private table or against the computer.
func (s Start) Table() match.Terms {
	if s.Variant.Valid() {
		return s.Terms
	}
	return match.Terms{Variant: rules.DefaultVariant(), Clock: s.Clock}
}
