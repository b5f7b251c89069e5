// Package history says what follows from finished matches, as package store keeps it: the entries of a player's list,
// what they add up to, rated pairs and standings.
package history

import (
	"time"

	"notakto/match"
	"notakto/match/rating"
	"notakto/rules"
)

// MaxPage is the largest number of entries that a query returns.
const MaxPage = 200

// MaxUnseen is the largest number of unseen results that are kept of a player: the newest.
const MaxUnseen = 20

// PairsADay is the largest number of pairs of the same two players that count for their ratings in one day, by UTC.
const PairsADay = 4

// Entry is a finished match in a player's history.
type Entry struct {
	Number uint64 // grows in the order in which matches end
	Match  match.ID
	match.Terms
	Side     rules.Side   // of the player
	Opponent match.Player // only ID and Name
	Winner   rules.Side
	Reason   string // as [rules.Reason.String]
	Plies    int
	Ended    time.Time
}

// EntryOf returns a match that is over as an entry of the player of a side, without a number.
func EntryOf(s *match.State, side rules.Side) Entry {
	opponent := s.SeatState(side.Other()).Player
	return Entry{
		Match: s.ID, Terms: s.Terms, Side: side, Opponent: match.Player{ID: opponent.ID, Name: opponent.Name},
		Winner: s.Outcome.Winner, Reason: s.Outcome.Reason.String(), Plies: len(s.Moves), Ended: s.EndedAt,
	}
}

// IsVoid reports whether a match has ended without a result: see [rules.Outcome.IsVoid]. Only an unseen one may be.
func (e Entry) IsVoid() bool {
	return e.Winner == rules.Nobody && e.Reason != rules.Draw.String()
}

// Result returns how a match ended for the player: "won", "lost" or "draw".
func (e Entry) Result() string {
	switch e.Winner {
	case e.Side:
		return "won"
	case rules.Nobody:
		return "draw"
	default:
		return "lost"
	}
}

// Totals are the sums over the matches of a player.
type Totals struct {
	Matches, Won, Lost int // the others were drawn
	// Chances is in how many positions the player was to move and could win by perfect play, and Kept how many of the
	// moves made there kept the win.
	Chances, Kept int
}

// Share returns the share of winning positions that the player won. It reports false if there was no winning position.
func (t Totals) Share() (share float64, ok bool) {
	if t.Chances == 0 {
		return 0, false
	}
	return float64(t.Kept) / float64(t.Chances), true
}

// RatedPair tells what a rated pair changed for one of its players.
type RatedPair struct {
	Match         match.ID     // its last game
	Opponent      match.Player // only ID and Name
	Result        rating.Result
	Counts        bool          // whether it changed the rating
	Before, After rating.Rating // only points and deviation, and of After the number of pairs
	Ended         time.Time
}

// Change returns by how many whole points the rating changed.
func (r RatedPair) Change() int { return r.After.Value() - r.Before.Value() }

// Standing is the place of a player in a pool. Without a rated pair, it holds the rating of a new player.
type Standing struct {
	Pool             match.Pool
	Player           match.Player // only ID and Name
	Rating           rating.Rating
	Won, Split, Lost int       // pairs, with those that did not count for the rating
	Ended            time.Time // when the last pair was over; zero without one
	Rank, Players    int       // in the ladder: Rank is 0 for a player who is not listed
}
