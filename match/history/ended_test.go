package history_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

// state folds the events of a match of the archive.
func state(t testing.TB, m match.ArchivedMatch) *match.State {
	t.Helper()
	var s match.State
	for _, e := range m.Events {
		next, err := s.Apply(e)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return &s
}

// await returns once a store has changed since a version.
func await(t testing.TB, s *history.Store, version uint64) {
	t.Helper()
	for s.Version() == version {
		if err := match.Sleep(t.Context(), time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
}

// A match counts when it ends, once, and the archive brings it a second time in vain.
func TestAMatchCountsWhenItEnds(t *testing.T) {
	var r record
	r.pair(t, match.PeoplePool, "ann", "bob", 2, monday)
	path := filepath.Join(t.TempDir(), "history.db")
	s := follow(t, path, nil)
	first, second := state(t, r[0]), state(t, r[1])
	s.Add(first)
	s.Add(second)
	s.Add(second) // another time, as at the next start of the server
	pair, standing, err := s.AwaitRatedPair(t.Context(), second, rules.Second)
	if err != nil || pair.Before.String() != "1500?" || pair.After.String() != "1662?" || pair.Change() != 162 ||
		pair.After.Pairs != 1 || !pair.Counts || pair.Opponent.Name != "bob" || standing.Won != 1 {
		t.Fatalf("ann has %+v, %+v, %v", pair, standing, err)
	}
	if got := list(t, s, "ann", 0, 10, true); got != string(second.ID+" "+first.ID) {
		t.Errorf("ann's matches are %q", got)
	}
	before := dumped(t, s)
	_ = s.Close()
	s = follow(t, path, r)
	if got := totals(t, s, "ann"); got.Matches != 2 || !bytes.Equal(dumped(t, s), before) {
		t.Errorf("with the archive ann has %+v and the ratings are\n%s", got, dumped(t, s))
	}
	if position, err := s.FindArchived(t.Context(), second.ID); err != nil || position != 2 {
		t.Errorf("it is in the archive at %d, %v", position, err)
	}
}

func TestNoRatingIsWaitedForForEver(t *testing.T) {
	var r record
	r.pair(t, match.PeoplePool, "ann", "bob", 2, monday)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := follow(t, "", nil).AwaitRatedPair(ctx, state(t, r[1]), rules.First)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Whoever stays on the result screen changes the order of the archive, and no rating.
func TestRatingsDoNotDependOnTheOrderOfTheArchive(t *testing.T) {
	r := season(t, 6, 12)
	want := dumped(t, follow(t, "", r))
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		shuffled := append(record(nil), r...)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for i := range shuffled {
			shuffled[i].Position = uint64(i + 1)
		}
		path := filepath.Join(t.TempDir(), "history.db")
		for end := 1; end < len(shuffled); end += 29 { // in several transactions
			_ = follow(t, path, shuffled[:end]).Close()
		}
		if got := dumped(t, follow(t, path, shuffled)); !bytes.Equal(got, want) {
			t.Fatal("another order of the archive makes other ratings")
		}
	}
}

// lostAway is a match that ann lost to an opponent, while she was away.
func lostAway(t testing.TB, id match.ID, opponent match.Player) *match.State {
	t.Helper()
	events := []match.Event{
		{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.PrivateOrigin},
		{Kind: match.Seated, Seat: rules.First, Player: person("ann")},
		{Kind: match.Seated, Seat: rules.Second, Player: opponent},
		{Kind: match.Left, Seat: rules.First},
		{Kind: match.Forfeited, Seat: rules.First},
	}
	for i := range events {
		events[i].Match, events[i].Seq, events[i].At = id, uint64(i+1), monday
	}
	return state(t, match.ArchivedMatch{Events: events})
}

// A result that a player has not seen is kept, also over a restart of the server, until it was seen.
func TestUnseenResultsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s := follow(t, path, nil)
	for i, opponent := range []match.Player{person("bob"), {ID: "guest:g", Name: "gus", Guest: true}, person("cyd")} {
		version := s.Version()
		s.Add(lostAway(t, match.ID(fmt.Sprint("m", i)), opponent))
		await(t, s, version)
	}
	_ = s.Close()
	s = follow(t, path, nil)
	unseen := func(p match.PlayerID) (text string) {
		t.Helper()
		all, err := s.Unseen(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			text += fmt.Sprintf("%s %s to %s, ", e.Match, e.Result(), e.Opponent.Name)
		}
		return text
	}
	if got, want := unseen("ann"), "m2 lost to cyd, m1 lost to gus, m0 lost to bob, "; got != want {
		t.Errorf("ann has not seen %q, want %q", got, want)
	}
	if got := unseen("bob") + unseen("guest:g"); got != "" {
		t.Errorf("those who were there have not seen %q", got)
	}
	if err := s.See(t.Context(), "ann", history.Entry{Match: "m1"}, history.Entry{Match: "other"}); err != nil {
		t.Fatal(err)
	}
	if got, want := unseen("ann"), "m2 lost to cyd, m0 lost to bob, "; got != want {
		t.Errorf("then ann has not seen %q, want %q", got, want)
	}
	for i := range history.MaxUnseen {
		version := s.Version()
		s.Add(lostAway(t, match.ID(fmt.Sprint("later", i)), person("bob")))
		await(t, s, version)
	}
	if all, err := s.Unseen(t.Context(), "ann"); err != nil || len(all) != history.MaxUnseen || all[0].Match != "later19" {
		t.Errorf("%d are kept, %v", len(all), err)
	}
}
