// Package start names the places where a player's session can begin. The commands of sshapp/cli/player select one,
// and the front ends tui and plain begin there.
package start

import (
	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Kind is the first activity of a session. In the lobby a player can choose any of the others.
type Kind uint8

// The first activities of a session.
const (
	Lobby    Kind = iota
	Queue         // wait for an opponent, see Start.Accepts
	Computer      // play the computer with Variant, Level and Side
	Private       // make a private table with Variant
	Code          // sit down by Code
	Match         // watch Match, or the busiest match
	Daily         // the puzzles of Day
	Rush          // a run against the clock
	Slips         // the player's own slips that wait
	Learn         // Lesson, or the list of lessons
)

// Start is the place where a session begins. The zero value is the lobby.
type Start struct {
	At          Kind
	match.Terms                // without a variant for the default
	Untimed     bool           // never with a clock in the queue, where a front end may prefer one
	Level       strategy.Level // zero for the level that is offered
	Side        rules.Side     // zero to draw lots
	Code        match.Code
	Match       match.ID
	Day         int // of the puzzles, 0 for today
	Lesson      int // from 1, 0 for the list
}

// Accepts returns the terms for the queue, the preferred ones first. Without a variant, Accepts returns the default
// terms with Clock.
func (s Start) Accepts() []match.Terms {
	all := match.DefaultAccepted()
	if s.Variant.IsValid() {
		all = []match.Terms{s.Terms}
	}
	for i := range all {
		all[i].Clock = s.Clock
	}
	return all
}

// Table returns the terms of a private table or of a match against the computer.
func (s Start) Table() match.Terms {
	if s.Variant.IsValid() {
		return s.Terms
	}
	return match.Terms{Variant: rules.DefaultVariant(), Clock: s.Clock}
}
