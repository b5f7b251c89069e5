package store

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/rules/strategy"
)

// A season has the same history in the store as what package history computes from the same archive.
func TestASeasonHasTheHistoryOfTheProjection(t *testing.T) {
	testSeason(t, openIn(t, t.TempDir()))
}

// testSeason plays a season in a store, in the order in which its matches were archived.
func testSeason(t *testing.T, s *Store) {
	season := journaltest.Season(t)
	replay(t, s, season)
	compareHistories(t, s, s)
}

// replay appends the matches of an archive to a store, and archives them.
func replay(t *testing.T, s *Store, archive match.Archive) {
	t.Helper()
	for _, m := range readAll(t, archive) {
		if _, err := s.Append(t.Context(), m.Events...); err != nil {
			t.Fatal(err)
		}
		ended := s.Now().UnixMilli()
		if err := s.Archive(t.Context(), m.ID); err != nil {
			t.Fatal(err)
		}
		for s.Now().UnixMilli() <= ended { // package history orders the pairs of one millisecond by their names
			runtime.Gosched()
		}
	}
}

// readAll returns all matches of an archive.
func readAll(t *testing.T, archive match.Archive) (all []match.ArchivedMatch) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	end := archive.ArchiveEnd()
	_ = archive.ReadArchive(ctx, 0, func(m match.ArchivedMatch) error { // until ctx ends
		if all = append(all, m); m.Position == end {
			stop()
			return ctx.Err()
		}
		return nil
	})
	return all
}

// compareHistories compares the history of a store with what package history computes from the archive of another one.
func compareHistories(t *testing.T, s *Store, archive match.Archive) {
	t.Helper()
	want, err := history.Start(history.Config{}, archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = want.Close() }()
	<-want.Current()
	got, ctx := s.History(), t.Context()
	players := []match.PlayerID{"nobody"}
	for _, name := range journaltest.SeasonNames() {
		players = append(players, journaltest.SeasonPlayer(name).ID)
	}
	same := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", what, got, want)
		}
	}
	rows := 0
	for _, p := range players {
		for _, withPrivate := range []bool{false, true} {
			mine, err1 := got.List(ctx, p, 0, history.MaxPage, withPrivate)
			theirs, err2 := want.List(ctx, p, 0, history.MaxPage, withPrivate)
			rows += len(mine)
			same("list of "+string(p), numbered(mine), numbered(theirs))
			same("errors", err1, err2)
		}
		mine, err1 := got.RatedPairs(ctx, match.PeoplePool, p, history.RatedPair{}, history.MaxPage)
		theirs, err2 := want.RatedPairs(ctx, match.PeoplePool, p, history.RatedPair{}, history.MaxPage)
		same("pairs of "+string(p), mine, theirs)
		same("errors", err1, err2)
		if len(mine) > 1 {
			rest, err := got.RatedPairs(ctx, match.PeoplePool, p, mine[0], history.MaxPage)
			same("later page of "+string(p), []any{rest, err}, []any{mine[1:], error(nil)})
		}
		t1, err1 := got.Totals(ctx, p)
		t2, err2 := want.Totals(ctx, p)
		same("totals of "+string(p), []any{t1, err1}, []any{t2, err2})
		s1, err1 := got.Standing(ctx, match.PeoplePool, p)
		s2, err2 := want.Standing(ctx, match.PeoplePool, p)
		same("standing of "+string(p), []any{s1, err1}, []any{s2, err2})
		b1, err1 := got.BeatenComputers(ctx, p)
		b2, err2 := want.BeatenComputers(ctx, p)
		same("computers that lost to "+string(p), []any{b1, err1}, []any{b2, err2})
		for _, opponent := range players {
			a1, err1 := got.Against(ctx, p, opponent)
			a2, err2 := want.Against(ctx, p, opponent)
			same("totals against", []any{a1, err1}, []any{a2, err2})
		}
	}
	for pool := range match.LastPool + 1 {
		ladder := got.Ladder(pool, 0, 100)
		same("ladder", ladder, want.Ladder(pool, 0, 100))
		same("page of the ladder", got.Ladder(pool, 2, 3), want.Ladder(pool, 2, 3))
		rows += len(ladder)
	}
	n1, err1 := got.Named(ctx, "hal")
	n2, err2 := want.Named(ctx, "hal")
	same("players named hal", []any{n1, err1}, []any{n2, err2})
	if rows == 0 {
		t.Error("there is nothing to compare")
	}
}

// numbered returns entries whose numbers count from 1: in the store they are the positions of the ending events.
func numbered(all []history.Entry) []history.Entry {
	for i := range all {
		all[i].Number = uint64(len(all) - i)
	}
	return all
}

func person(name string) match.Player { return match.Player{ID: match.PlayerID(name), Name: name} }

// play returns the events of a match of two players with the moves of a game, which the player of a side resigns if it
// is not over; no player resigns for [rules.Nobody].
func play(t testing.TB, id match.ID, origin match.Origin, one, other match.Player, game string,
	resigns rules.Side) []match.Event {
	t.Helper()
	g, err := rules.ParseGame(game)
	if err != nil {
		t.Fatal(err)
	}
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant}, Origin: origin},
		{Kind: match.Seated, Seat: rules.First, Player: one},
		{Kind: match.Seated, Seat: rules.Second, Player: other},
	}
	for i, m := range g.Moves {
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Sides()[i%2], Move: m})
	}
	if resigns != rules.Nobody {
		events = append(events, match.Event{Kind: match.Resigned, Seat: resigns})
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	return events
}

// Matches of each kind are listed and counted as by the projection, event by event, whether or not they are archived.
func TestMatchesOfEachKind(t *testing.T) {
	s := openIn(t, t.TempDir())
	ann, bob, guest := person("ann"), person("bob"), match.Player{ID: "guest-g", Name: "gus", Guest: true}
	computer := match.Computer(strategy.Club)
	for _, events := range [][]match.Event{
		play(t, "lost", match.QueueOrigin, ann, bob, "notakto/1: A5 A1 A9", rules.Nobody),
		play(t, "private", match.PrivateOrigin, bob, ann, "notakto/2: A5", rules.First),
		play(t, "drawn", match.QueueOrigin, ann, guest, "tictactoe: 5 1 7 3 2 8 4 6 9", rules.Nobody),
		play(t, "computer", match.ComputerOrigin, ann, computer, "notakto/3: A5 B5", rules.Second),
		play(t, "review", match.ReviewOrigin, ann, computer, "notakto/3: A5 B5", rules.Second),
		play(t, "on", match.QueueOrigin, ann, bob, "notakto/3: A5 B5", rules.Nobody),
	} {
		for _, e := range events {
			if _, err := s.Append(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := s.History()
	for want, withPrivate := range map[string]bool{"computer drawn private lost": true, "computer drawn lost": false} {
		var ids []string
		all, err := h.List(t.Context(), "ann", 0, 10, withPrivate)
		for _, e := range all {
			ids = append(ids, string(e.Match))
		}
		if got := strings.Join(ids, " "); err != nil || got != want {
			t.Errorf("ann's matches are %s, want %s, %v", got, want, err)
		}
	}
	totals, err := h.Totals(t.Context(), "ann")
	if want := (history.Totals{Matches: 4, Won: 2, Lost: 1, Chances: 3, Kept: 2}); err != nil || totals != want {
		t.Errorf("ann has %+v, want %+v, %v", totals, want, err)
	}
	if all, err := h.BeatenComputers(t.Context(), "ann"); err != nil || !slices.Equal(all, []match.PlayerID{computer.ID}) {
		t.Errorf("ann has beaten %v, %v", all, err)
	}
	for _, p := range []match.PlayerID{guest.ID, computer.ID} {
		if all, err := h.List(t.Context(), p, 0, 10, true); err != nil || len(all) > 0 {
			t.Errorf("%s has %v, %v", p, all, err)
		}
	}
	for _, id := range []match.ID{"lost", "private", "drawn", "computer", "review"} {
		if err := s.Archive(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	want, err := history.Start(history.Config{}, s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = want.Close() }()
	<-want.Current()
	mine, _ := h.List(t.Context(), "ann", 0, 10, true)
	if theirs, err := want.List(t.Context(), "ann", 0, 10, true); err != nil ||
		!reflect.DeepEqual(numbered(mine), numbered(theirs)) {
		t.Errorf("ann has %+v, want %+v, %v", mine, theirs, err)
	}
}

// The standing of both players is new when the append returns that ends their pair; subscribers see it on the ladder.
func TestTheEndOfAPairHasTheNewRating(t *testing.T) {
	s := openIn(t, t.TempDir())
	memory := match.NewMemory(0)
	journaltest.PlayPair(t, memory, match.PeoplePool, "a", "ann", "bob", true)
	for _, m := range readAll(t, memory) {
		if _, err := s.Append(t.Context(), m.Events...); err != nil {
			t.Fatal(err)
		}
	}
	ann, err := s.History().Standing(t.Context(), match.PeoplePool, journaltest.SeasonPlayer("ann").ID)
	if err != nil || ann.Won != 1 || ann.Rating.String() != "1662?" {
		t.Errorf("ann stands at %+v, %v", ann, err)
	}
}

// More than four pairs of two players on a day do not count, also if they end together.
func TestPairsThatEndTogether(t *testing.T) {
	s := openIn(t, t.TempDir())
	memory := match.NewMemory(0)
	const pairs = 12
	for i := range pairs {
		journaltest.PlayPair(t, memory, match.PeoplePool, match.ID(fmt.Sprint("p", i)), "ann", "bob", true)
	}
	done := make(chan error, 2*pairs)
	for _, m := range readAll(t, memory) {
		go func() {
			_, err := s.Append(t.Context(), m.Events...)
			done <- err
		}()
	}
	for range 2 * pairs {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	ann, err := s.History().Standing(t.Context(), match.PeoplePool, journaltest.SeasonPlayer("ann").ID)
	if err != nil || ann.Won != pairs || ann.Rating.Pairs != pairsADay {
		t.Errorf("ann stands at %+v, %v", ann, err)
	}
	all, err := s.History().RatedPairs(t.Context(), match.PeoplePool, ann.Player.ID, history.RatedPair{}, 100)
	if err != nil || len(all) != pairs || all[0].Counts || !all[pairs-1].Counts {
		t.Errorf("ann's pairs are %+v, %v", all, err)
	}
}

// A store that is opened again has the same history.
func TestTheHistoryStays(t *testing.T) {
	dir := t.TempDir()
	first, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	season := journaltest.Season(t)
	replay(t, first, season)
	before := first.History().Ladder(match.PeoplePool, 0, 100)
	if err := first.Close(); err != nil || len(before) == 0 {
		t.Fatal(before, err)
	}
	again := openIn(t, dir)
	if after := again.History().Ladder(match.PeoplePool, 0, 100); !reflect.DeepEqual(after, before) {
		t.Errorf("the ladder is %+v, was %+v", after, before)
	}
	compareHistories(t, again, again)
}

// Names are shown as the accounts have them now; deleted accounts are left out of the ladder.
func TestPlayersAreShownAsNow(t *testing.T) {
	s := openIn(t, t.TempDir())
	for _, e := range play(t, "m", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.Nobody) {
		if _, err := s.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	s.History().Show(func(p match.Player) match.Player {
		p.Name = strings.ToUpper(p.Name)
		return p
	})
	all, err := s.History().List(t.Context(), "ann", 0, 10, true)
	if err != nil || len(all) != 1 || all[0].Opponent.Name != "BOB" || all[0].Ended.After(time.Now()) {
		t.Errorf("%+v, %v", all, err)
	}
}
