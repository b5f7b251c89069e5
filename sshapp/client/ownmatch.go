package client

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

// OwnMatch is one of a player's matches.
type OwnMatch struct {
	match.Summary // of a match that waits for a guest or is over: the ID, and what is known
	State         OwnState
	Result        history.Entry // how a match that is over has ended; zero if that is not known
}

// OwnState is what a player who is away from a match has to know of it.
type OwnState uint8

// The most urgent comes first.
const (
	PersonWaits   OwnState = iota // it is the player's turn, and a person waits
	ComputerWaits                 // it is the player's turn
	MatchOver                     // it has ended while the player was elsewhere
	OpponentsTurn                 // nothing need be done
	BetweenGames                  // the first game of a pair is over, and the second one is about to begin
	AwaitsGuest                   // a private table without a guest yet
)

// Over reports whether the match is over.
func (o OwnMatch) Over() bool { return o.State == MatchOver }

// LostAt is when the player loses the match by staying away; zero if the time does not run.
func (o OwnMatch) LostAt() time.Time {
	if o.State != PersonWaits && o.State != ComputerWaits {
		return time.Time{}
	}
	return o.ForfeitAt
}

// OwnMatches are the matches of a player that are not over, in the order of [manager.Manager.MatchesOf].
func (s *Session) OwnMatches(p match.PlayerID) []OwnMatch {
	ids := s.manager.MatchesOf(p)
	begun := s.manager.Summaries(ids)
	all := make([]OwnMatch, 0, len(ids))
	for _, id := range ids {
		own := OwnMatch{Summary: match.Summary{ID: id}, State: AwaitsGuest}
		if i := slices.IndexFunc(begun, func(m match.Summary) bool { return m.ID == id }); i >= 0 {
			own = OwnMatch{Summary: begun[i], State: ownState(begun[i], p)}
		}
		all = append(all, own)
	}
	return all
}

func ownState(m match.Summary, p match.PlayerID) OwnState {
	switch {
	case m.IsBetween:
		return BetweenGames
	case m.ToMove().ID != p:
		return OpponentsTurn
	case m.Opponent(p).IsComputer():
		return ComputerWaits
	default:
		return PersonWaits
	}
}

// Result returns how a match of p has just ended; the zero value if the server does not know that any more.
func (s *Session) Result(id match.ID, p match.PlayerID) history.Entry {
	state := s.manager.Finished(id)
	if state == nil || state.Side(p) == rules.Nobody {
		return history.Entry{}
	}
	return history.EntryOf(state, state.Side(p))
}

// AwaitsOpponent reports whether it is the opponent's turn in one of these matches.
func AwaitsOpponent(all []OwnMatch) bool {
	return slices.ContainsFunc(all, func(o OwnMatch) bool { return o.State == OpponentsTurn })
}

// Ended are those of before that have begun and are not among now. The first game of a pair is not: the second one
// follows.
func Ended(before, now []OwnMatch) []OwnMatch {
	var ended []OwnMatch
	for _, was := range before {
		isOn := slices.ContainsFunc(now, func(o OwnMatch) bool { return o.ID == was.ID })
		if was.State != AwaitsGuest && was.State != BetweenGames && !was.Over() && !isOn {
			was.State = MatchOver
			ended = append(ended, was)
		}
	}
	return ended
}
