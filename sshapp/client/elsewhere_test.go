package client_test

import (
	"fmt"
	"slices"
	"testing"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

func own(id match.ID, state client.OwnState) client.OwnMatch {
	return client.OwnMatch{Summary: match.Summary{ID: id}, State: state}
}

func isIn(all []client.OwnMatch) (ids []match.ID) {
	for _, o := range all {
		ids = append(ids, o.ID)
	}
	return ids
}

// Where an opponent waits for the player comes first, then where it is the player's turn; and what has ended stays to
// be seen.
func TestElsewhereTheMostUrgentComesFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s, e := client.New(m), client.Elsewhere{}
		defer s.Close()
		isShown := func(o client.OwnMatch) bool { return o.ID == "shown" }
		theirs := own("theirs", client.OpponentsTurn)
		e.Update(s, ann().ID, []client.OwnMatch{
			own("shown", client.AwaitsGuest), own("private", client.AwaitsGuest), theirs,
			own("engine", client.ComputerWaits), own("mine", client.PersonWaits),
		}, isShown)
		if got, want := isIn(e.Matches), []match.ID{"mine", "engine", "theirs", "private"}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		ended, _ := e.Update(s, ann().ID, []client.OwnMatch{theirs}, isShown)
		if got, want := isIn(ended), []match.ID{"mine", "engine"}; !slices.Equal(got, want) {
			t.Errorf("%v have ended, want %v", got, want)
		}
		if got, want := isIn(e.Matches), []match.ID{"mine", "engine", "theirs"}; !slices.Equal(got, want) ||
			!e.Matches[1].Over() || e.Matches[2].Over() || !e.AwaitsOpponent() {
			t.Errorf("%v, want %v, over but the last", got, want)
		}
	})
}

// Who was on another screen than the lobby for hours, with a bot that played one match after the other under the same
// key, had them all kept and sorted once a second.
func TestElsewhereTheLatestMatchesThatAreOverAreKept(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s, e := client.New(m), client.Elsewhere{}
		defer s.Close()
		isNot := func(client.OwnMatch) bool { return false }
		const played = 24
		for i := range played {
			e.Update(s, ann().ID, []client.OwnMatch{own(match.ID(fmt.Sprint(i)), client.OpponentsTurn)}, isNot)
			if ended, _ := e.Update(s, ann().ID, nil, isNot); len(ended) != 1 {
				t.Errorf("of match %d the player is not told once", i)
			}
		}
		if len(e.Matches) != 8 || e.Matches[0].ID != match.ID(fmt.Sprint(played-1)) {
			t.Errorf("%d are kept, the first is %s", len(e.Matches), e.Matches[0].ID)
		}
	})
}

// A match that the player resigned elsewhere has its result.
func TestElsewhereTheResultIsKnown(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s, e := client.New(m), client.Elsewhere{}
		defer s.Close()
		isNot := func(client.OwnMatch) bool { return false }
		table := sit(t, m, s)
		e.Update(s, ann().ID, s.OwnMatches(ann().ID), isNot)
		if len(e.Matches) != 1 || e.Matches[0].State != client.ComputerWaits {
			t.Fatalf("the matches are %+v", e.Matches)
		}
		if err := table.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		ended, _ := e.Update(s, ann().ID, s.OwnMatches(ann().ID), isNot)
		if len(ended) != 1 || ended[0].Result.Opponent.ID != match.Computer(strategy.Perfect).ID ||
			ended[0].Result.Result() != "lost" {
			t.Errorf("it has ended as %+v", ended)
		}
	})
}
