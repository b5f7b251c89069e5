package client_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"notakto/internal/testkit"
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
			!e.Matches[1].IsOver() || e.Matches[2].IsOver() || !e.IsOpponentsTurn() {
			t.Errorf("%v, want %v, over but the last", got, want)
		}
	})
}

func TestTheOrderOfUrgency(t *testing.T) {
	due := func(o client.OwnMatch, forfeit, move time.Duration) client.OwnMatch {
		if forfeit > 0 {
			o.ForfeitAt = time.UnixMilli(0).Add(forfeit)
		}
		if move > 0 {
			o.MoveBy = time.UnixMilli(0).Add(move)
		}
		return o
	}
	all := []client.OwnMatch{
		due(own("theirs", client.OpponentsTurn), time.Second, 0),
		due(own("week", client.PersonWaits), 0, 168*time.Hour),
		own("engine", client.ComputerWaits),
		due(own("day", client.PersonWaits), 0, 24*time.Hour),
		due(own("minute", client.PersonWaits), time.Minute, 0),
		own("here", client.PersonWaits),
		due(own("engine's clock", client.ComputerWaits), 20*time.Second, 0),
	}
	slices.SortStableFunc(all, client.ByUrgency)
	want := []match.ID{"engine's clock", "minute", "here", "day", "week", "engine", "theirs"}
	if got := isIn(all); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for id, want := range map[match.ID]time.Time{
		"minute": all[1].ForfeitAt, "day": all[3].MoveBy, "here": {}, "theirs": {},
	} {
		if got := all[slices.Index(isIn(all), id)].DueAt(); !got.Equal(want) {
			t.Errorf("%s is due at %v, want %v", id, got, want)
		}
	}
}

func TestElsewhereAnUpdateKeepsTheOldMatches(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s, e := client.New(m), client.Elsewhere{}
		defer s.Close()
		current := []client.OwnMatch{own("one", client.ComputerWaits), own("two", client.OpponentsTurn)}
		e.Update(s, ann().ID, current, func(client.OwnMatch) bool { return false })
		old := e.Matches
		e.Update(s, ann().ID, current, func(o client.OwnMatch) bool { return o.ID == "one" })
		if got, want := isIn(old), []match.ID{"one", "two"}; !slices.Equal(got, want) {
			t.Errorf("the old matches are %v, want %v", got, want)
		}
	})
}

// Otherwise a session that is open for hours beside a bot with the same key keeps all of its matches, and sorts them
// once a second.
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
		testkit.OK(t, table.Resign(t.Context()))
		ended, _ := e.Update(s, ann().ID, s.OwnMatches(ann().ID), isNot)
		if len(ended) != 1 || ended[0].Result.Opponent.ID != match.Computer(strategy.Perfect).ID ||
			ended[0].Result.Result() != "lost" {
			t.Errorf("it has ended as %+v", ended)
		}
	})
}

// A match that ended while the list was made used to be taken for a private table, and its end was never told.
func TestElsewhereAMatchThatEndsIsNoPrivateTable(t *testing.T) {
	m := manager.New(manager.Config{Seed: 7})
	defer m.Close()
	s := client.New(m)
	defer s.Close()
	for range 200 {
		table := sit(t, m, s)
		resigned := make(chan error)
		go func() { resigned <- table.Resign(t.Context()) }()
		for all := s.OwnMatches(ann().ID); len(all) > 0; all = s.OwnMatches(ann().ID) {
			if all[0].State == client.AwaitsGuest {
				t.Fatalf("a match that has begun awaits a guest")
			}
		}
		testkit.OK(t, <-resigned)
		table.Close()
	}
}
