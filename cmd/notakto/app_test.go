package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
)

// The opponent of a deleted account would otherwise see its name and identifier for as long as a match of days lasts,
// and what the player was told to be deleted, such as answers to puzzles, would stay.
func TestAServerResignsTheMatchesOfDeletedAccountsAndDropsTheirProgress(t *testing.T) {
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	testkit.OK(t, err)
	defer func() { _ = s.Close() }()
	var log account.Memory
	directory, stop, err := account.Open(t.Context(), &log, nil, func() time.Time {
		return time.Now().Add(account.UndoPeriod + time.Minute)
	})
	testkit.OK(t, err)
	defer stop()
	_, err = log.Append(t.Context(), account.Event{
		Seq: 2, Kind: account.DeletionRequested, Account: "annannannannanna", Key: "keykeykeykeykeyk",
		ShownID: "shownshownshowns",
	})
	testkit.OK(t, err)
	m := manager.New(manager.Config{Journal: s})
	defer m.Close()
	ann, bob := match.Player{ID: "annannannannanna", Name: "ann"}, match.Player{ID: "bobbobbobbobbobb", Name: "bob"}
	terms := match.DefaultTerms()
	if terms.Clock, err = match.Correspondence(3); err != nil {
		t.Fatal(err)
	}
	testkit.OK(t, s.Progress().MarkVisited(t.Context(), ann))
	id, err := m.Challenge(t.Context(), ann, manager.Challenge{Terms: terms, Opponent: bob})
	if err == nil {
		err = m.Accept(t.Context(), bob, id, match.PeoplePool)
	}
	testkit.OK(t, err)
	ended := make(chan match.Event, 1)
	defer s.Subscribe(func(e match.Event) {
		if e.Match == id && e.Kind == match.Resigned {
			ended <- e
		}
	})()
	a := &app{store: s, manager: m, accounts: directory, log: slog.New(slog.DiscardHandler)}
	sweeping, stopSweeping := context.WithCancel(t.Context())
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		a.sweepDeleted(sweeping)
	}()
	select {
	case e := <-ended:
		if s, err := m.Operator().History(t.Context(), id); err != nil || s[len(s)-1].Side(ann.ID) != e.Seat ||
			e.Seat == rules.NoSide {
			t.Errorf("seat %d resigned: %v", e.Seat, err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the match goes on")
	}
	progress, err := s.Progress().State(t.Context(), ann)
	testkit.OK(t, err)
	testkit.Equal(t, progress.Visited, false, "progress of the deleted account")
	stopSweeping()
	<-swept
}
