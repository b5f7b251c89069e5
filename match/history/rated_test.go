package history_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/match/rating"
	"notakto/rules"
)

// record is an archive that does not grow.
type record []match.ArchivedMatch

func (r record) ReadArchive(ctx context.Context, after uint64, fn func(match.ArchivedMatch) error) error {
	for _, m := range r[min(after, uint64(len(r))):] {
		if err := fn(m); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

func (r record) ArchiveEnd() uint64 { return uint64(len(r)) }

// game adds a match that the player of a side ends at a time by an event, and returns its state.
func (r *record) game(
	t testing.TB, id match.ID, pair match.PairGame, pool match.Pool, players [2]string, last match.Event, at time.Time,
) match.State {
	t.Helper()
	events := []match.Event{
		{Kind: match.Opened, Terms: match.RatedTerms(pool), Origin: match.QueueOrigin, Pair: pair},
		{Kind: match.Seated, Seat: rules.First, Player: person(players[0])},
		{Kind: match.Seated, Seat: rules.Second, Player: person(players[1])},
		{Kind: match.Moved, Seat: rules.First, Move: pair.Start.Legal()[0], Spent: time.Second},
		last,
	}
	var s match.State
	for i := range events {
		events[i].Match, events[i].Seq, events[i].At = id, uint64(i+1), at
		next, err := s.Apply(events[i])
		if err != nil {
			t.Fatalf("event %d of %s: %v", i, id, err)
		}
		s = next
	}
	*r = append(*r, match.ArchivedMatch{Position: uint64(len(*r) + 1), Stamp: at, ID: id, Events: events})
	return s
}

// pair adds a pair of which the first player wins a number of games.
func (r *record) pair(t testing.TB, pool match.Pool, first, second string, won int, at time.Time) {
	t.Helper()
	id := fmt.Sprintf("%s-%s-%d", first, second, len(*r))
	loser := func(isWon bool, side rules.Side) match.Event {
		if isWon {
			side = side.Other()
		}
		return match.Event{Kind: match.Resigned, Seat: side}
	}
	players, swapped := [2]string{first, second}, [2]string{second, first}
	one := r.game(t, match.ID(id), match.FirstGame(journaltest.QuickSeed), pool, players, loser(won > 0, rules.First), at)
	r.game(t, match.ID(id+"-2"), one.SecondGame(), pool, swapped, loser(won > 1, rules.Second), at)
}

func follow(t testing.TB, path string, r record) *history.Store {
	t.Helper()
	s, err := history.Start(history.Config{Path: path}, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	<-s.Current()
	return s
}

// standing describes where a player stands.
func standing(t testing.TB, s *history.Store, pool match.Pool, p string) string {
	t.Helper()
	got, err := s.Standing(t.Context(), pool, match.PlayerID(p))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s±%d %d/%d/%d of %d, %d of %d", got.Rating, got.Rating.WholeDeviation(),
		got.Won, got.Split, got.Lost, got.Rating.Pairs, got.Rank, got.Players)
}

var monday = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

func TestPairsAreRated(t *testing.T) {
	var r record
	r.pair(t, match.PeoplePool, "ann", "bob", 2, monday)
	r.pair(t, match.PeoplePool, "bob", "ann", 1, monday)
	r.pair(t, match.BotPool, "ann", "bob", 0, monday)
	s := follow(t, "", r)
	for _, test := range []struct {
		pool         match.Pool
		player, want string
	}{
		{match.PeoplePool, "ann", "1577?±260 1/1/0 of 2, 0 of 0"},
		{match.PeoplePool, "bob", "1423?±260 0/1/1 of 2, 0 of 0"},
		{match.BotPool, "ann", "1338?±290 0/0/1 of 1, 0 of 0"},
		{match.PeoplePool, "cleo", "1500?±350 0/0/0 of 0, 0 of 0"},
	} {
		if got := standing(t, s, test.pool, test.player); got != test.want {
			t.Errorf("pool %d, %s: %s, want %s", test.pool, test.player, got, test.want)
		}
	}
	all, err := s.List(t.Context(), "ann", 0, 10, true)
	if err != nil || len(all) != 6 || all[0].Pool != match.BotPool || all[5].Pool != match.PeoplePool {
		t.Errorf("ann's matches are %+v, %v", all, err)
	}
}

// Two nodes may archive one match.
func TestAPairThatIsArchivedTwiceIsRatedOnce(t *testing.T) {
	var r record
	r.pair(t, match.PeoplePool, "ann", "bob", 2, monday)
	again := r[1]
	again.Position = 3
	s := follow(t, "", append(r, again))
	if got, want := standing(t, s, match.PeoplePool, "ann"), "1662?±290 1/0/0 of 1, 0 of 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := list(t, s, "ann", 0, 10, true); strings.Count(got, " ") != 1 {
		t.Errorf("ann's matches are %s", got)
	}
}

// A player who leaves the first game loses both; one who resigns it does not.
func TestALeaverLosesThePair(t *testing.T) {
	var r record
	left := r.game(t, "a", match.FirstGame("seed"), match.PeoplePool, [2]string{"ann", "bob"},
		match.Event{Kind: match.Resigned, Seat: rules.First}, monday)
	if left.IsPairOver() {
		t.Fatal("resigning is not leaving")
	}
	if got, want := standing(t, follow(t, "", r), match.PeoplePool, "bob"), "1500?±350 0/0/0 of 0, 0 of 0"; got != want {
		t.Errorf("after the first game: %s, want %s", got, want)
	}
}

// Friends who lose to each other on purpose gain little: four pairs a day count.
func TestMorePairsADayDoNotCount(t *testing.T) {
	var r record
	for range 4 {
		r.pair(t, match.PeoplePool, "ann", "bob", 2, monday)
	}
	four := standing(t, follow(t, "", r), match.PeoplePool, "ann")
	r.pair(t, match.PeoplePool, "bob", "ann", 0, monday.Add(13*time.Hour))
	want := strings.Replace(four, "4/0/0", "5/0/0", 1)
	if got := standing(t, follow(t, "", r), match.PeoplePool, "ann"); got != want {
		t.Errorf("after five: %s, want %s", got, want)
	}
	pairs, err := follow(t, "", r).RatedPairs(t.Context(), match.PeoplePool, "ann", history.RatedPair{}, 2)
	if err != nil || len(pairs) != 2 || pairs[0].Counts || pairs[0].Change() != 0 || !pairs[1].Counts ||
		pairs[1].Change() < 1 || pairs[0].After != pairs[1].After || pairs[1].Match != "ann-bob-6-2" {
		t.Errorf("the last two are %+v, %v", pairs, err)
	}
	all, err := follow(t, "", r).RatedPairs(t.Context(), match.PeoplePool, "ann", pairs[1], 10)
	if err != nil || len(all) != 3 || all[2].Result != rating.Won || all[2].Opponent.Name != "bob" {
		t.Errorf("those before are %+v, %v", all, err)
	}
	r.pair(t, match.PeoplePool, "ann", "cleo", 2, monday.Add(13*time.Hour))
	if got := standing(t, follow(t, "", r), match.PeoplePool, "ann"); !strings.Contains(got, "6/0/0 of 5,") {
		t.Errorf("after one with another: %s", got)
	}
	r.pair(t, match.PeoplePool, "ann", "bob", 2, monday.Add(24*time.Hour))
	if got := standing(t, follow(t, "", r), match.PeoplePool, "ann"); !strings.Contains(got, "7/0/0 of 6,") {
		t.Errorf("on the next day: %s", got)
	}
}

// season is a record of pairs of some players: those with a lower number are better.
func season(t testing.TB, players, days int) (r record) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for day := range days {
		for range players {
			one, other := rng.IntN(players), rng.IntN(players)
			if one == other {
				continue
			}
			won := rng.IntN(2)
			if one < other {
				won++
			}
			at := monday.Add(time.Duration(day) * 24 * time.Hour)
			r.pair(t, match.PeoplePool, fmt.Sprint("p", one), fmt.Sprint("p", other), won, at)
		}
	}
	return r
}

func TestLadder(t *testing.T) {
	r := season(t, 6, 40)
	s := follow(t, "", r)
	describe := func(s *history.Store, after, limit int) (text string) {
		for _, p := range s.Ladder(match.PeoplePool, after, limit) {
			text += fmt.Sprintf("%d/%d %s ", p.Rank, p.Players, p.Player.ID)
			if got, err := s.Standing(t.Context(), match.PeoplePool, p.Player.ID); err != nil || got != p {
				t.Errorf("%+v on the ladder is %+v, %v", p, got, err)
			}
		}
		return strings.TrimSpace(text)
	}
	if got, want := describe(s, 0, 10), "1/6 p0 2/6 p1 3/6 p2 4/6 p3 5/6 p4 6/6 p5"; got != want {
		t.Errorf("the ladder is %q, want %q", got, want)
	}
	if got, want := describe(s, 2, 2), "3/6 p2 4/6 p3"; got != want {
		t.Errorf("a page is %q, want %q", got, want)
	}
	if got := describe(s, 6, 2) + describe(s, -1, -1); got != "" {
		t.Errorf("beyond its ends: %q", got)
	}
	if got := s.Ladder(match.BotPool, 0, 10); got != nil {
		t.Errorf("that of programs is %v", got)
	}
	// Only p0 and p1 play on: the others leave the ladder, also for a store that is opened later.
	path := filepath.Join(t.TempDir(), "history.db")
	for day := range 5 {
		r.pair(t, match.PeoplePool, "p0", "p1", 2, monday.Add(time.Duration(80+day)*24*time.Hour))
	}
	for range 2 {
		s := follow(t, path, r)
		if got, want := describe(s, 0, 10), "1/2 p0 2/2 p1"; got != want {
			t.Errorf("a month later the ladder is %q, want %q", got, want)
		}
		_ = s.Close()
	}
}

func TestADeletedAccountLeavesTheLadder(t *testing.T) {
	r := season(t, 6, 40)
	s, err := history.Open(history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.Follow(r, func(p match.Player) match.Player {
		if p.ID == "p1" {
			p.ID = "random"
		}
		return p
	})
	<-s.Current()
	for _, p := range s.Ladder(match.PeoplePool, 0, 10) {
		if p.Player.ID == "p1" || p.Player.ID == "random" {
			t.Errorf("it has %+v", p)
		}
	}
}

func dumped(t testing.TB, s *history.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.DumpRatings(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Two nodes, and one that computes all anew, have the same ratings byte by byte, however the matches came in.
func TestRatingsAreTheSameOnEveryNode(t *testing.T) {
	r := season(t, 8, 20)
	whole := dumped(t, follow(t, "", r))
	if bytes.Count(whole, []byte("\n")) < len(r) {
		t.Fatalf("only %d rows of %d pairs", bytes.Count(whole, []byte("\n")), len(r)/2)
	}
	path := filepath.Join(t.TempDir(), "history.db")
	for end := 1; end < len(r); end += 37 { // a node that stops and starts again
		_ = follow(t, path, r[:end]).Close()
	}
	if got := dumped(t, follow(t, path, r)); !bytes.Equal(got, whole) {
		t.Error("a node that was started again and again has other ratings")
	}
	other := filepath.Join(t.TempDir(), "history.db")
	_ = follow(t, other, season(t, 3, 20)).Close()
	if got := dumped(t, follow(t, other, r)); !bytes.Equal(got, whole) {
		t.Error("a node that had another archive has other ratings")
	}
}
