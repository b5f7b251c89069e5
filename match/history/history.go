// Package history defines the values that follow from finished matches, such as the entries of a player's list,
// totals, rated pairs and standings. Package store computes and keeps them, and front ends show them. The package
// starts no goroutine.
package history

import (
	"time"

	"notakto/match"
	"notakto/match/rating"
	"notakto/rules"
)

// MaxPage is the largest number of entries that a query returns.
const MaxPage = 200

// Numbers of entries that the store keeps for a player who has not seen them, the newest ones. Challenges have their
// own number, because other players could otherwise push results out.
const (
	MaxUnseen           = 20 // results of matches
	MaxUnseenChallenges = 10
)

// Reasons of an [Entry] for a challenge that ended without a match. Declined and Expired are for its maker, Withdrawn
// is for the invited player.
const (
	Declined  = "declined"
	Expired   = "expired"
	Withdrawn = "withdrawn"
)

// PairsADay is the number of pairs between two players that count for their ratings in one day, by UTC.
const PairsADay = 4

// NetworkPoints is the number of points above which no pair between players of one network raises a rating. If one of
// them has more points, the pair does not count. Otherwise a player could buy a rating with other keys at home.
const NetworkPoints = 1700

// Entry is a finished match in a player's history. An unseen entry may be a challenge instead (see IsChallenge).
type Entry struct {
	Number uint64 // counts matches in the order of their ends
	Match  match.ID
	match.Terms
	Side     rules.Side   // of the player
	Player   match.Player // only ID and Name
	Opponent match.Player // only ID and Name, zero for a challenge to anyone
	Winner   rules.Side
	Reason   string // from [rules.Reason.String], or Declined, Expired or Withdrawn
	Plies    int
	Ended    time.Time
	Pair     RatedPair // that the match ended, only of an unseen entry, else zero
}

// NewEntry returns a finished match as an entry of the player of a side, without Number and Pair.
func NewEntry(s *match.State, side rules.Side) Entry {
	player, opponent := s.Seat(side).Player, s.Seat(side.Other()).Player
	return Entry{
		Match: s.ID, Terms: s.Terms, Side: side, Player: match.Player{ID: player.ID, Name: player.Name},
		Opponent: match.Player{ID: opponent.ID, Name: opponent.Name}, Winner: s.Outcome.Winner,
		Reason: s.Outcome.Reason.String(), Plies: len(s.Moves), Ended: s.EndedAt,
	}
}

// IsChallenge reports whether e is a challenge that ended without a match.
func (e Entry) IsChallenge() bool {
	return e.Reason == Declined || e.Reason == Expired || e.Reason == Withdrawn
}

// IsVoid reports whether the match has ended without a result (see [rules.Outcome.IsVoid]). Only unseen entries can
// be void.
func (e Entry) IsVoid() bool {
	return e.Winner == rules.NoSide && e.Reason != rules.ReasonDraw.String() && !e.IsChallenge()
}

// Result returns "won", "lost" or "draw", as the match ended for the player. For a challenge it returns the reason.
func (e Entry) Result() string {
	switch {
	case e.IsChallenge():
		return e.Reason
	case e.Winner == rules.NoSide:
		return "draw"
	case e.Winner == e.Side:
		return "won"
	default:
		return "lost"
	}
}

// Totals are the sums over the matches of a player.
type Totals struct {
	Matches, Won, Lost int // the rest was drawn
	// Chances counts the player's moves from positions that perfect play wins. Kept is the number of them that kept the
	// win.
	Chances, Kept int
}

// Share returns the share of winning positions that the player won. ok is false if there was no winning position.
func (t Totals) Share() (share float64, ok bool) {
	if t.Chances == 0 {
		return 0, false
	}
	return float64(t.Kept) / float64(t.Chances), true
}

// RatedPair is a rated pair with its change for one of its players.
type RatedPair struct {
	Match         match.ID     // its last game
	Opponent      match.Player // only ID and Name
	Result        rating.Result
	Counts        bool          // whether the pair changed the rating
	IsInNetwork   bool          // the pair does not count because of [NetworkPoints]
	Before, After rating.Rating // only points and deviation, and in After the number of pairs
	Ended         time.Time
}

// Change returns by how many whole points the rating changed.
func (r RatedPair) Change() int { return r.After.WholePoints() - r.Before.WholePoints() }

// Standing is the rank of a player in a pool. Without a rated pair it holds the rating of a new player.
type Standing struct {
	Pool             match.Pool
	Player           match.Player // only ID and Name
	Rating           rating.Rating
	Won, Split, Lost int       // pairs, even if they did not count for the rating
	Ended            time.Time // of the last pair, zero without one
	Rank, Players    int       // of the ladder, with Rank 0 if the player is not listed
}
