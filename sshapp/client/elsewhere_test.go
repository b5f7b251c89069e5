package client_test

import (
	"fmt"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
)

// Otherwise a session that is open for hours beside a bot with the same key keeps all of its matches, and sorts them
// once a second.
func TestElsewhereTheLatestMatchesThatAreOverAreKept(t *testing.T) {
	inBubble(t, func(t *testing.T, m *manager.Manager) {
		s, e := client.New(m), client.Elsewhere{}
		defer s.Close()
		isNot := func(client.OwnMatch) bool { return false }
		const played = 24
		for i := range played {
			own := client.OwnMatch{Summary: match.Summary{ID: match.ID(fmt.Sprint(i))}, State: client.OpponentsTurn}
			e.Update(s, ann().ID, []client.OwnMatch{own}, isNot)
			if ended, _ := e.Update(s, ann().ID, nil, isNot); len(ended) != 1 {
				t.Errorf("of match %d the player is not told once", i)
			}
		}
		if len(e.Matches) != 8 || e.Matches[0].ID != match.ID(fmt.Sprint(played-1)) {
			t.Errorf("%d are kept, the first is %s", len(e.Matches), e.Matches[0].ID)
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
		table := sit(t, m, s, strategy.Perfect)
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
