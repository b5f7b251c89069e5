package client

import (
	"cmp"
	"math"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

// OwnMatch is one of a player's matches.
type OwnMatch struct {
	match.Summary // only the ID for AwaitsGuest
	State         OwnState
	Result        history.Entry // of a match that is over, zero if the server no longer knows it
}

// OwnState says how urgently a match needs an absent player. The most urgent state is the smallest (see [ByUrgency]).
type OwnState uint8

// The states of a player's own match.
const (
	PersonWaits   OwnState = iota // the player's turn, against a person
	ComputerWaits                 // the player's turn, against the computer
	MatchOver                     // the match has ended while the player was elsewhere
	OpponentsTurn
	BetweenGames // the first game of a pair is over, and the second one is about to begin
	AwaitsGuest  // a private table without a guest yet
)

// IsOver reports whether the match is over.
func (o OwnMatch) IsOver() bool { return o.State == MatchOver }

// IsMyTurn reports whether the match waits for the player's move.
func (o OwnMatch) IsMyTurn() bool { return o.State == PersonWaits || o.State == ComputerWaits }

// LostAt returns the time when the player loses the match by absence, or zero if the player may stay away.
func (o OwnMatch) LostAt() time.Time {
	if !o.IsMyTurn() {
		return time.Time{}
	}
	return o.ForfeitAt
}

// DueAt returns the time when the player loses the match without a move, by absence or by a clock of days. The result
// is zero if that time is unknown, and on the opponent's turn.
func (o OwnMatch) DueAt() time.Time {
	if at := o.LostAt(); !at.IsZero() || !o.IsMyTurn() {
		return at
	}
	return o.MoveBy
}

// ByUrgency compares two matches for a list that begins with the most urgent one. Matches that the player loses by
// absence come first, the earliest loss before the others. The rest has the order of [OwnState]. In each state, matches
// with a clock of days come last, the earliest end of a move before the others.
func ByUrgency(a, b OwnMatch) int {
	lostAt := func(o OwnMatch) int64 {
		if at := o.LostAt(); !at.IsZero() {
			return at.UnixNano()
		}
		return math.MaxInt64
	}
	return cmp.Or(cmp.Compare(lostAt(a), lostAt(b)), cmp.Compare(a.State, b.State), a.MoveBy.Compare(b.MoveBy))
}

// WaitingMatches returns the matches that wait for p's move, the most urgent first.
func (s *Session) WaitingMatches(p match.PlayerID) []OwnMatch {
	all := slices.DeleteFunc(s.OwnMatches(p), func(o OwnMatch) bool { return !o.IsMyTurn() })
	slices.SortStableFunc(all, ByUrgency)
	return all
}

// OwnMatches returns p's private tables, unfinished matches and unfinished rated pairs of games. The order is that of
// [manager.Manager.PlayerMatches].
func (s *Session) OwnMatches(p match.PlayerID) []OwnMatch {
	ids := s.manager.PlayerMatches(p)
	begun := s.manager.Summaries(ids)
	// A match without a summary is a private table, unless it has ended since the first call of PlayerMatches.
	unfinished := s.manager.PlayerMatches(p)
	all := make([]OwnMatch, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(unfinished, id) {
			continue
		}
		own := OwnMatch{Summary: match.Summary{ID: id}, State: AwaitsGuest}
		if i := slices.IndexFunc(begun, func(m match.Summary) bool { return m.ID == id }); i >= 0 {
			own.Summary = begun[i]
			switch {
			case own.AwaitsSecondGame:
				own.State = BetweenGames
			case own.ToMove().ID != p:
				own.State = OpponentsTurn
			case own.Opponent(p).IsComputer():
				own.State = ComputerWaits
			default:
				own.State = PersonWaits
			}
		}
		all = append(all, own)
	}
	return all
}

// EndedMatches returns the begun matches that are in before and not in current. A match in the state [BetweenGames]
// is left out, because the second game continues the pair.
func EndedMatches(before, current []OwnMatch) []OwnMatch {
	var ended []OwnMatch
	for _, was := range before {
		hasBegun := was.State != AwaitsGuest && was.State != BetweenGames && !was.IsOver()
		if hasBegun && indexOf(current, was.ID) < 0 {
			was.State = MatchOver
			ended = append(ended, was)
		}
	}
	return ended
}

// Elsewhere follows the matches of a player that are not open in the session. The zero value has no matches.
type Elsewhere struct {
	// Matches is in the order of [ByUrgency]. At most maxOver ended matches stay until the front end removes them.
	Matches []OwnMatch
}

// maxOver limits the ended matches in [Elsewhere]. The latest stay.
const maxOver = 8

// Update sets Matches from current, the matches of p. isHere reports whether a match is open in the session.
//
// The result ended holds the matches elsewhere that have ended since the last call. The result atRisk holds the matches
// elsewhere with a LostAt that was not set at the last call.
func (e *Elsewhere) Update(
	s *Session, p match.PlayerID, current []OwnMatch, isHere func(OwnMatch) bool,
) (ended, atRisk []OwnMatch) {
	before := slices.DeleteFunc(slices.Clone(e.Matches), isHere) // the front end may still hold the old slice
	for _, o := range current {
		was := indexOf(before, o.ID)
		if !isHere(o) && !o.LostAt().IsZero() && (was < 0 || before[was].LostAt().IsZero()) {
			atRisk = append(atRisk, o)
		}
	}
	ended = EndedMatches(before, current)
	over := slices.Concat(ended, slices.DeleteFunc(before, func(o OwnMatch) bool { return !o.IsOver() }))
	for i := range over {
		state := s.manager.Finished(over[i].ID)
		if over[i].Result.Match == "" && state != nil && state.Side(p) != rules.NoSide {
			over[i].Result = history.NewEntry(state, state.Side(p))
		}
	}
	all := slices.Concat(current, over[:min(len(over), maxOver)])
	e.Matches = slices.DeleteFunc(all, isHere)
	slices.SortStableFunc(e.Matches, ByUrgency)
	return over[:len(ended)], atRisk
}

// IsOpponentsTurn reports whether it is the opponent's turn in one of the matches.
func (e *Elsewhere) IsOpponentsTurn() bool {
	return slices.ContainsFunc(e.Matches, func(o OwnMatch) bool { return o.State == OpponentsTurn })
}

func indexOf(all []OwnMatch, id match.ID) int {
	return slices.IndexFunc(all, func(o OwnMatch) bool { return o.ID == id })
}
