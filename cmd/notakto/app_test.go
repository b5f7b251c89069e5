package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/journaltest"
	"notakto/match/manager"
)

// The opponent of a deleted account would otherwise see its name and identifier for as long as a match of days lasts,
// and what the player was told to be deleted, such as answers to puzzles, would stay.
func TestAServerResignsTheMatchesOfDeletedAccountsAndDropsTheirProgress(t *testing.T) {
	s, log := testkit.Store(t), new(account.Memory)
	later := func() time.Time { return time.Now().Add(account.UndoPeriod + time.Minute) }
	directory, stop, err := account.Open(t.Context(), log, nil, later)
	testkit.OK(t, err)
	defer stop()
	ann, bob := match.Player{ID: "annannannannanna", Name: "ann"}, match.Player{ID: "bobbobbobbobbobb", Name: "bob"}
	_, err = log.Append(t.Context(), account.Event{
		Seq: 2, Kind: account.DeletionRequested, Account: ann.ID, Key: "keykeykeykeykeyk", ShownID: "shownshownshowns",
	})
	testkit.OK(t, err)
	testkit.OK(t, s.Progress().MarkVisited(t.Context(), ann))
	m := manager.New(manager.Config{Journal: s})
	defer m.Close()
	terms := match.DefaultTerms()
	terms.Clock, err = match.Correspondence(3)
	testkit.OK(t, err)
	id, err := m.Challenge(t.Context(), ann, manager.Challenge{Terms: terms, Opponent: bob})
	testkit.OK(t, err)
	testkit.OK(t, m.Accept(t.Context(), bob, id, match.PeoplePool))

	sweeping, stopSweeping := context.WithTimeout(t.Context(), 10*time.Second)
	defer stopSweeping()
	defer s.Subscribe(func(e match.Event) {
		if e.Kind == match.Resigned {
			stopSweeping()
		}
	})()
	(&app{store: s, manager: m, accounts: directory, log: slog.New(slog.DiscardHandler)}).sweepDeleted(sweeping)
	events, err := s.Load(t.Context(), id, 0)
	testkit.OK(t, err)
	last, state := events[len(events)-1], journaltest.Fold(t, events...)
	testkit.Equal(t, last.Kind, match.Resigned)
	testkit.Equal(t, state.Seat(last.Seat).Player.ID, ann.ID, "who resigns")
	progress, err := s.Progress().State(t.Context(), ann)
	testkit.OK(t, err)
	testkit.Equal(t, progress.Visited, false, "progress of the deleted account")
}
