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
	Result        history.Entry // how a match that is over ended; zero if the server does not know that any more
}

// OwnState says what a player who is away from a match has to know of the match.
type OwnState uint8

// The most urgent comes first.
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

// LostAt returns when the player loses the match by staying away; zero if that time does not run.
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

// Ended returns the matches of before that had begun and are not in now. The first game of a pair does not end a match:
// the second one follows.
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
	// Matches are the most urgent first. Those that have ended stay, at most maxOver of them, until the front end
	// removes them.
	Matches []OwnMatch
}

// maxOver is the number of matches that are over in [Elsewhere], the latest.
const maxOver = 8

// Update takes in how the matches of p stand; isHere reports which of them are open in the session. Update returns the
// matches elsewhere that have ended since the last call, and those that p now loses by staying away.
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
