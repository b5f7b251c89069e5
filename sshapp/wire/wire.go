// Package wire has the JSON types that commands, administrators and bots share. docs/commands.md and docs/bot.md
// promise the fields and their order.
package wire

import (
	"fmt"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

// Player is a player of a match. An empty seat has an empty ID.
type Player struct {
	ID    match.PlayerID `json:"id"`
	Name  string         `json:"name"`
	Guest bool           `json:"guest"`
}

// NewPlayer returns p in its JSON form.
func NewPlayer(p match.Player) Player { return Player{p.ID, p.Name, p.Guest} }

// NewPlayers returns the players of a match. The first player moves first.
func NewPlayers(s *match.State) (both [2]Player) {
	for i, side := range rules.Sides() {
		both[i] = NewPlayer(s.Seat(side).Player)
	}
	return both
}

// Clocks holds the milliseconds left to seat 1 and to seat 2.
type Clocks [2]int64

// ClocksAt returns the time left on the clocks at now, or nil for a match without a clock.
func ClocksAt(s *match.Snapshot, now time.Time) *Clocks {
	if s.Clock.IsNone() {
		return nil
	}
	return &Clocks{s.ClockLeft(rules.First, now).Milliseconds(), s.ClockLeft(rules.Second, now).Milliseconds()}
}

// Opening is the seed of the openings of a rated pair, and its hash for a player to verify them. Seed is empty until
// the pair is over.
type Opening struct {
	Hash string `json:"hash"`
	Seed string `json:"seed,omitempty"`
}

// RatingChange is a player's rating after a rated pair, in whole points.
type RatingChange struct {
	Before      int  `json:"before"` // the pair
	Value       int  `json:"value"`
	Change      int  `json:"change"`
	Deviation   int  `json:"deviation"`
	Provisional bool `json:"provisional"`
	Pairs       int  `json:"pairs"`  // that counted, with this one
	Counts      bool `json:"counts"` // false if the two have met too often today for a change
}

// NewRatingChange returns the change of a rating by a pair in its JSON form.
func NewRatingChange(r history.RatedPair) *RatingChange {
	return &RatingChange{
		Before: r.Before.WholePoints(), Value: r.After.WholePoints(), Change: r.Change(),
		Deviation: r.After.WholeDeviation(), Provisional: r.After.IsProvisional(),
		Pairs: r.After.Pairs, Counts: r.Counts,
	}
}

// Move is a move of a match with its time.
type Move struct {
	Ply          int        `json:"ply"`
	Seat         rules.Side `json:"seat"`
	Move         string     `json:"move"`
	Milliseconds int64      `json:"ms"`
}

// NewMoves returns the moves of a match that were not taken back. states holds its state after each of its events.
func NewMoves(states []match.State) []Move {
	all, before := []Move{}, match.State{}
	for _, s := range states {
		took := max(0, s.TurnSince.Sub(before.TurnSince))
		if before.ClockRuns() {
			took = s.Spent // the time charged
		}
		if len(s.Takebacks) > len(before.Takebacks) {
			all, before.Moves = all[:len(s.Moves)], s.Moves
		}
		for ply := len(before.Moves); ply < len(s.Moves); ply++ {
			all = append(all, Move{ply + 1, rules.Sides()[ply%2], s.Variant.FormatMove(s.Moves[ply]), took.Milliseconds()})
		}
		before = s
	}
	return all
}

// Text returns a line with the move and name, the name of its player.
func (m Move) Text(name string) string {
	return fmt.Sprintf("%3d  %-3s  %-16s  %d.%03d s", m.Ply, m.Move, name, m.Milliseconds/1000, m.Milliseconds%1000)
}
