package client

import (
	"cmp"
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
	Result        history.Entry // how a match that is over ended; zero if the server no longer knows
}

// OwnState says how urgently a match needs a player who is away from it.
type OwnState uint8

// The states, the most urgent first.
const (
	PersonWaits   OwnState = iota // it is the player's turn, and a person waits
	ComputerWaits                 // it is the player's turn
	MatchOver                     // the match has ended while the player was elsewhere
	OpponentsTurn
	BetweenGames // the first game of a pair is over, and the second one is about to begin
	AwaitsGuest  // a private table without a guest yet
)

// Over reports whether the match is over.
func (o OwnMatch) Over() bool { return o.State == MatchOver }

// LostAt returns when the player loses the match by staying away, or zero if the player may stay away.
func (o OwnMatch) LostAt() time.Time {
	if o.State != PersonWaits && o.State != ComputerWaits {
		return time.Time{}
	}
	return o.ForfeitAt
}

// OwnMatches returns the matches of a player that are not over, in the order of [manager.Manager.MatchesOf].
func (s *Session) OwnMatches(p match.PlayerID) []OwnMatch {
	ids := s.manager.MatchesOf(p)
	begun := s.manager.Summaries(ids)
	all := make([]OwnMatch, 0, len(ids))
	for _, id := range ids {
		own := OwnMatch{Summary: match.Summary{ID: id}, State: AwaitsGuest}
		if i := slices.IndexFunc(begun, func(m match.Summary) bool { return m.ID == id }); i >= 0 {
			own.Summary = begun[i]
			switch {
			case own.IsBetween:
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

// Ended returns the matches of before that had begun and are missing from now. A pair of games ends only with its
// second game.
func Ended(before, now []OwnMatch) []OwnMatch {
	var ended []OwnMatch
	for _, was := range before {
		hasBegun := was.State != AwaitsGuest && was.State != BetweenGames && !was.Over()
		if hasBegun && indexOf(now, was.ID) < 0 {
			was.State = MatchOver
			ended = append(ended, was)
		}
	}
	return ended
}

// Elsewhere follows the matches of a player that are not open in the session. The zero value knows of none.
type Elsewhere struct {
	// Matches holds the most urgent match first. At most maxOver ended matches stay until the front end removes them.
	Matches []OwnMatch
}

// maxOver limits the ended matches in [Elsewhere]; the latest stay.
const maxOver = 8

// Update sets Matches from now, the matches of p. isHere reports whether a match is open in the session. Update
// returns the matches elsewhere that have ended since the last call, and those that p has begun to lose by staying
// away.
func (e *Elsewhere) Update(
	s *Session, p match.PlayerID, now []OwnMatch, isHere func(OwnMatch) bool,
) (ended, called []OwnMatch) {
	before := slices.DeleteFunc(e.Matches, isHere)
	for _, o := range now {
		was := indexOf(before, o.ID)
		if !isHere(o) && !o.LostAt().IsZero() && (was < 0 || before[was].LostAt().IsZero()) {
			called = append(called, o)
		}
	}
	ended = Ended(before, now)
	over := slices.Concat(ended, slices.DeleteFunc(before, func(o OwnMatch) bool { return !o.Over() }))
	for i := range over {
		state := s.manager.Finished(over[i].ID)
		if over[i].Result.Match == "" && state != nil && state.Side(p) != rules.Nobody {
			over[i].Result = history.EntryOf(state, state.Side(p))
		}
	}
	all := slices.Concat(now, over[:min(len(over), maxOver)])
	e.Matches = slices.DeleteFunc(all, isHere)
	slices.SortStableFunc(e.Matches, func(a, b OwnMatch) int { return cmp.Compare(a.State, b.State) })
	return over[:len(ended)], called
}

// AwaitsOpponent reports whether it is the opponent's turn in one of the matches.
func (e *Elsewhere) AwaitsOpponent() bool {
	return slices.ContainsFunc(e.Matches, func(o OwnMatch) bool { return o.State == OpponentsTurn })
}

func indexOf(all []OwnMatch, id match.ID) int {
	return slices.IndexFunc(all, func(o OwnMatch) bool { return o.ID == id })
}
