package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/internal/codec"
	"notakto/match/journaltest"
	"notakto/match/rating"
	"notakto/rules"
	"notakto/rules/strategy"
)

// TestHistory has the promises of the history that hold on both engines.
func TestHistory(t *testing.T) {
	testHistory(t, func(t *testing.T) *Store { return openIn(t, t.TempDir()) })
}

func testHistory(t *testing.T, open func(t *testing.T) *Store) {
	for name, test := range map[string]func(t *testing.T, s *Store){
		"Season": testSeason, "Lists": testLists, "Pairs": testPairs, "DaysOfPairs": testDaysOfPairs, "Ladder": testLadder,
		"Unseen": testUnseen, "Version": testVersion, "Rebuild": testRebuild, "RatedPair": testRatedPair,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// testSeason plays a season in a store.
func testSeason(t *testing.T, s *Store) {
	journaltest.Season(t, s)
	checkSeason(t, s)
}

// checkSeason checks the history of a store that has the matches of [journaltest.Season] only.
func checkSeason(t *testing.T, s *Store) {
	t.Helper()
	h, ctx, text := s.History(), t.Context(), ""
	for _, on := range h.Ladder(match.PeoplePool, 0, 100) {
		totals, err := h.Totals(ctx, on.Player.ID)
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("%d %s %s %d/%d/%d of %d, %d %d %d %d\n", on.Rank, on.Player.Name, on.Rating, on.Won, on.Split,
			on.Lost, on.Rating.Pairs, totals.Matches, totals.Won, totals.Chances, totals.Kept)
	}
	if text != seasonsLadder {
		t.Errorf("the ladder is\n%s, want\n%s", text, seasonsLadder)
	}
	hal, bob := journaltest.SeasonPlayer("hal").ID, journaltest.SeasonPlayer("bob").ID
	if got, err := h.Against(ctx, hal, bob); err != nil || got != (history.Totals{Matches: 8, Won: 5, Lost: 3}) {
		t.Errorf("hal has against bob %+v, %v", got, err)
	}
	all, err := h.List(ctx, hal, 0, history.MaxPage, true)
	if err != nil || len(all) != 72 || all[0].Opponent.Name != "bob" || all[0].Pool != match.PeoplePool {
		t.Errorf("hal has %d matches, %v", len(all), err)
	}
}

// seasonsLadder has of each player of a season the rank, the rating, pairs won, split and lost of those rated, games
// and those won, chances and those kept.
const seasonsLadder = `1 hal 1598 9/27/0 of 36, 72 45 36 0
2 ivy 1571 8/27/1 of 36, 72 43 36 0
3 joe 1547 7/27/2 of 36, 72 41 36 0
4 kim 1525 6/27/3 of 36, 72 39 36 0
5 cyd 1504 5/27/4 of 36, 72 37 36 0
6 eve 1484 4/27/5 of 36, 72 35 36 0
7 ann 1465 3/27/6 of 36, 72 33 36 0
8 gus 1446 2/27/7 of 36, 72 31 36 0
9 lou 1428 1/27/8 of 36, 72 29 36 0
10 bob 1411 0/27/9 of 36, 72 27 36 0
`

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

// testLists plays matches of each kind, event by event.
func testLists(t *testing.T, s *Store) {
	ann, bob, guest := person("ann"), person("bob"), match.Player{ID: "guest-g", Name: "gus", Guest: true}
	computer := match.Computer(strategy.Club)
	slow := play(t, "slow", match.QueueOrigin, ann, bob, "notakto/1: A5", rules.First)
	var err error
	if slow[0].Clock, err = match.ParseClock("3+2"); err != nil {
		t.Fatal(err)
	}
	for _, events := range [][]match.Event{
		play(t, "lost", match.QueueOrigin, ann, bob, "notakto/1: A5 A1 A9", rules.Nobody),
		play(t, "private", match.PrivateOrigin, bob, ann, "notakto/2: A5", rules.First),
		play(t, "drawn", match.QueueOrigin, ann, guest, "tictactoe: 5 1 7 3 2 8 4 6 9", rules.Nobody),
		play(t, "computer", match.ComputerOrigin, ann, computer, "notakto/3: A5 B5", rules.Second),
		play(t, "review", match.ReviewOrigin, ann, computer, "notakto/3: A5 B5", rules.Second),
		play(t, "on", match.QueueOrigin, ann, bob, "notakto/3: A5 B5", rules.Nobody),
		slow,
	} {
		for _, e := range events {
			if _, err := s.Append(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := s.History()
	list := func(p match.PlayerID, before uint64, limit int, withPrivate bool) []history.Entry {
		t.Helper()
		all, err := h.List(t.Context(), p, before, limit, withPrivate)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	newest := list("ann", 0, 4, true)
	for _, test := range []struct {
		player      match.PlayerID
		before      uint64
		limit       int
		withPrivate bool
		want        string
	}{
		{"ann", 0, 10, true, "slow computer drawn private lost"},
		{"ann", 0, 10, false, "slow computer drawn lost"},
		{"ann", 0, 2, true, "slow computer"},
		{"ann", newest[1].Number, 2, true, "drawn private"},
		{"ann", 0, -1, true, ""},
		{"bob", 0, 10, true, "slow private lost"},
		{guest.ID, 0, 10, true, ""},
		{computer.ID, 0, 10, true, ""},
		{"cleo", 0, 10, true, ""},
	} {
		if got := matchesOf(list(test.player, test.before, test.limit, test.withPrivate)); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
	if e := newest[0]; e.Clock.String() != "3+2" ||
		e.Side != rules.First || e.Winner != rules.Second || e.Result() != "lost" {
		t.Errorf("the newest is %+v", e)
	}
	if e := newest[1]; e.Variant.String() != "notakto/3" || e.Opponent.Name != "club" || e.Reason != "resign" ||
		e.Plies != 2 || e.Ended.IsZero() || e.Clock.String() != "none" {
		t.Errorf("the one before is %+v", e)
	}
	// Three boards are won for the player who moves first.
	for player, want := range map[match.PlayerID]history.Totals{
		"ann": {Matches: 5, Won: 2, Lost: 2, Chances: 4, Kept: 3}, "bob": {Matches: 3, Won: 2, Lost: 1},
		guest.ID: {}, "cleo": {},
	} {
		if totals, err := h.Totals(t.Context(), player); err != nil || totals != want {
			t.Errorf("%s has %+v, want %+v, %v", player, totals, want, err)
		}
	}
	against := history.Totals{Matches: 3, Won: 1, Lost: 2}
	if got, err := h.Against(t.Context(), "ann", "bob"); err != nil || got != against {
		t.Errorf("ann has against bob %+v, %v", got, err)
	}
	if all, err := h.BeatenComputers(t.Context(), "ann"); err != nil || !slices.Equal(all, []match.PlayerID{computer.ID}) {
		t.Errorf("ann has beaten %v, %v", all, err)
	}
}

// matchesOf returns the matches of entries.
func matchesOf(all []history.Entry) string {
	var ids []string
	for _, e := range all {
		ids = append(ids, string(e.Match))
	}
	return strings.Join(ids, " ")
}

var monday = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// past imports matches of an earlier time.
type past struct {
	*testing.T
	importing
}

func importPast(t *testing.T, s *Store) *past {
	return &past{t, importing{store: s, stop: func() {}, names: make(map[match.ID]bool)}}
}

// game imports a match that an event ends at a time, and returns its end.
func (p *past) game(
	id match.ID, pair match.PairGame, pool match.Pool, players [2]string, last match.Event, at time.Time,
) match.State {
	p.Helper()
	events := []match.Event{
		{Kind: match.Opened, Terms: match.RatedTerms(pool), Origin: match.QueueOrigin, Pair: pair},
		{Kind: match.Seated, Seat: rules.First, Player: person(players[0])},
		{Kind: match.Seated, Seat: rules.Second, Player: person(players[1])},
		{Kind: match.Moved, Seat: rules.First, Move: pair.Start.Legal()[0], Spent: time.Second},
		last,
	}
	for i := range events {
		events[i].Match, events[i].Seq, events[i].At = id, uint64(i+1), at
	}
	row := &importedRow{id: id, state: journaltest.Fold(p, events...)}
	var err error
	if row.body, err = codec.EncodeRecord(codec.Record{ID: id, Events: events}); err == nil {
		err = p.add(p.Context(), row)
	}
	if err != nil {
		p.Fatal(err)
	}
	return row.state
}

// pair imports a pair of which the first player wins a number of games.
func (p *past) pair(id match.ID, pool match.Pool, first, second string, won int, at time.Time) {
	p.Helper()
	loser := func(isWon bool, side rules.Side) match.Event {
		if isWon {
			side = side.Other()
		}
		return match.Event{Kind: match.Resigned, Seat: side}
	}
	game := match.FirstGame(journaltest.QuickSeed)
	one := p.game(id, game, pool, [2]string{first, second}, loser(won > 0, rules.First), at)
	p.game(id+"-2", one.SecondGame(), pool, [2]string{second, first}, loser(won > 1, rules.Second), at)
	if err := p.flush(p.Context()); err != nil {
		p.Fatal(err)
	}
}

// standingOf describes where a player stands.
func standingOf(t *testing.T, s *Store, pool match.Pool, p match.PlayerID) string {
	t.Helper()
	got, err := s.History().Standing(t.Context(), pool, p)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s±%d %d/%d/%d of %d, %d of %d", got.Rating, got.Rating.WholeDeviation(),
		got.Won, got.Split, got.Lost, got.Rating.Pairs, got.Rank, got.Players)
}

func testPairs(t *testing.T, s *Store) {
	p := importPast(t, s)
	p.pair("a", match.PeoplePool, "ann", "bob", 2, monday)
	p.pair("b", match.PeoplePool, "bob", "ann", 1, monday)
	p.pair("c", match.BotPool, "ann", "bob", 0, monday)
	first := p.game("d", match.FirstGame("seed"), match.PeoplePool, [2]string{"ann", "bob"},
		match.Event{Kind: match.Resigned, Seat: rules.First}, monday) // the pair goes on
	if err := p.flush(t.Context()); err != nil || first.IsPairOver() {
		t.Fatal(first, err)
	}
	for _, test := range []struct {
		pool   match.Pool
		player match.PlayerID
		want   string
	}{
		{match.PeoplePool, "ann", "1577?±260 1/1/0 of 2, 0 of 0"},
		{match.PeoplePool, "bob", "1423?±260 0/1/1 of 2, 0 of 0"},
		{match.BotPool, "ann", "1338?±290 0/0/1 of 1, 0 of 0"},
		{match.PeoplePool, "cleo", "1500?±350 0/0/0 of 0, 0 of 0"},
	} {
		if got := standingOf(t, s, test.pool, test.player); got != test.want {
			t.Errorf("pool %d, %s: %s, want %s", test.pool, test.player, got, test.want)
		}
	}
}

// Friends who lose to each other on purpose gain little: four pairs a day count.
func testDaysOfPairs(t *testing.T, s *Store) {
	p, h := importPast(t, s), s.History()
	for i := range 4 {
		p.pair(match.ID(fmt.Sprint("p", i)), match.PeoplePool, "ann", "bob", 2, monday)
	}
	four := standingOf(t, s, match.PeoplePool, "ann")
	p.pair("fifth", match.PeoplePool, "bob", "ann", 0, monday.Add(13*time.Hour))
	want := strings.Replace(four, "4/0/0", "5/0/0", 1)
	if got := standingOf(t, s, match.PeoplePool, "ann"); got != want {
		t.Errorf("after five: %s, want %s", got, want)
	}
	pairs, err := h.RatedPairs(t.Context(), match.PeoplePool, "ann", history.RatedPair{}, 2)
	if err != nil || len(pairs) != 2 || pairs[0].Counts || pairs[0].Change() != 0 || !pairs[1].Counts ||
		pairs[1].Change() < 1 || pairs[0].After != pairs[1].After || pairs[1].Match != "p3-2" {
		t.Errorf("the last two are %+v, %v", pairs, err)
	}
	all, err := h.RatedPairs(t.Context(), match.PeoplePool, "ann", pairs[1], 10)
	if err != nil || len(all) != 3 || all[2].Result != rating.Won || all[2].Opponent.Name != "bob" ||
		!all[2].Ended.Equal(monday) {
		t.Errorf("those before are %+v, %v", all, err)
	}
	p.pair("another", match.PeoplePool, "ann", "cleo", 2, monday.Add(13*time.Hour))
	if got := standingOf(t, s, match.PeoplePool, "ann"); !strings.Contains(got, "6/0/0 of 5,") {
		t.Errorf("after one with another: %s", got)
	}
	p.pair("next-day", match.PeoplePool, "ann", "bob", 2, monday.Add(24*time.Hour))
	if got := standingOf(t, s, match.PeoplePool, "ann"); !strings.Contains(got, "7/0/0 of 6,") {
		t.Errorf("on the next day: %s", got)
	}
}

func testLadder(t *testing.T, s *Store) {
	p, h := importPast(t, s), s.History()
	for day := range 40 {
		for i, pair := range [][2]string{{"p0", "p1"}, {"p1", "p2"}, {"p0", "p2"}} {
			id := match.ID(fmt.Sprintf("d%d-%d", day, i))
			p.pair(id, match.PeoplePool, pair[0], pair[1], 1+day%2, monday.AddDate(0, 0, day))
		}
	}
	ladder := func(after, limit int) (text string) {
		for _, on := range h.Ladder(match.PeoplePool, after, limit) {
			text += fmt.Sprintf("%d/%d %s ", on.Rank, on.Players, on.Player.ID)
			if got, err := h.Standing(t.Context(), match.PeoplePool, on.Player.ID); err != nil || got != on {
				t.Errorf("%+v on the ladder is %+v, %v", on, got, err)
			}
		}
		return strings.TrimSpace(text)
	}
	if got, want := ladder(0, 10), "1/3 p0 2/3 p1 3/3 p2"; got != want {
		t.Errorf("the ladder is %q, want %q", got, want)
	}
	if got, want := ladder(1, 1), "2/3 p1"; got != want {
		t.Errorf("a page is %q, want %q", got, want)
	}
	if got := ladder(3, 2) + ladder(-1, -1); got != "" {
		t.Errorf("beyond its ends: %q", got)
	}
	if got := h.Ladder(match.BotPool, 0, 10); got != nil {
		t.Errorf("that of programs is %v", got)
	}
	for day := range 5 { // only p0 and p1 play on: the other one leaves the ladder
		id := match.ID(fmt.Sprint("later", day))
		p.pair(id, match.PeoplePool, "p0", "p1", 2, monday.AddDate(0, 0, 80+day))
	}
	if got, want := ladder(0, 10), "1/2 p0 2/2 p1"; got != want {
		t.Errorf("a month later the ladder is %q, want %q", got, want)
	}
	h.Show(func(p match.Player) match.Player { // a deleted account
		if p.ID == "p0" {
			p.ID = "random"
		}
		return p
	})
	if got, want := ladder(0, 10), "2/2 p1"; got != want {
		t.Errorf("without a deleted account the ladder is %q, want %q", got, want)
	}
}

// testRatedPair reads what a pair has changed as soon as its end is recorded.
func testRatedPair(t *testing.T, s *Store) {
	h, games := s.History(), journaltest.Pair(match.PeoplePool, "a", "ann", "bob", true)
	for _, m := range games {
		if _, err := s.Append(t.Context(), m.Events...); err != nil {
			t.Fatal(err)
		}
	}
	first, second := journaltest.Fold(t, games[0].Events...), journaltest.Fold(t, games[1].Events...)
	for side, want := range map[rules.Side]string{rules.First: "1338? of ann", rules.Second: "1662? of bob"} {
		pair, standing, err := h.RatedPair(t.Context(), &second, side)
		if err != nil || pair.Before.String() != "1500?" || pair.After.String()+" of "+pair.Opponent.Name != want ||
			pair.After.Pairs != 1 || !pair.Counts || standing.Rating.String() != pair.After.String() ||
			standing.Won+standing.Lost != 1 || pair.Match != second.ID {
			t.Errorf("%v has %+v, %+v, %v", side, pair, standing, err)
		}
	}
	if _, _, err := h.RatedPair(t.Context(), &first, rules.First); !errors.Is(err, ErrNotRated) {
		t.Errorf("the first game has ended a pair: %v", err)
	}
}

// lostAway returns the events of a match that ann loses to an opponent while she is away.
func lostAway(id match.ID, opponent match.Player) []match.Event {
	events := []match.Event{
		{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.PrivateOrigin},
		{Kind: match.Seated, Seat: rules.First, Player: person("ann")},
		{Kind: match.Seated, Seat: rules.Second, Player: opponent},
		{Kind: match.Left, Seat: rules.First},
		{Kind: match.Forfeited, Seat: rules.First},
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	return events
}

// unseen returns the matches whose results a player has not seen.
func unseen(t *testing.T, s *Store, p match.PlayerID) string {
	t.Helper()
	all, err := s.History().Unseen(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return matchesOf(all)
}

// A result that a player has not seen is kept until it was seen, also a void one, and also if all is computed anew.
func testUnseen(t *testing.T, s *Store) {
	add := func(events []match.Event) {
		t.Helper()
		if _, err := s.Append(t.Context(), events...); err != nil {
			t.Fatal(err)
		}
	}
	guest := match.Player{ID: "guest-g", Name: "gus", Guest: true}
	void := lostAway("void", person("bob"))
	void[4] = match.Event{Match: "void", Seq: 5, Kind: match.Adjudicated}
	add(lostAway("m0", person("bob")))
	add(lostAway("m1", guest))
	add(void)
	add(lostAway("m2", person("cyd")))
	add(play(t, "there", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.Nobody))
	add(play(t, "never", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5", rules.Nobody)) // goes on
	if got, want := unseen(t, s, "ann"), "m2 void m1 m0"; got != want {
		t.Errorf("ann has not seen %q, want %q", got, want)
	}
	if got := unseen(t, s, "bob") + unseen(t, s, "cyd") + unseen(t, s, guest.ID); got != "" {
		t.Errorf("those who were there have not seen %q", got)
	}
	all, err := s.History().Unseen(t.Context(), "ann")
	if err != nil || len(all) != 4 || !all[1].IsVoid() || all[2].Result() != "lost" || all[2].Opponent.Name != "gus" {
		t.Errorf("they are %+v, %v", all, err)
	}
	if all, err := s.History().List(t.Context(), "ann", 0, 10, true); err != nil || matchesOf(all) != "there m2 m1 m0" {
		t.Errorf("ann's matches are %s, %v", matchesOf(all), err)
	}
	if c, err := s.Inspect(t.Context()); err != nil || c.Unlisted != 0 {
		t.Errorf("found %+v, %v", c, err)
	}
	if err := s.Archive(t.Context(), "void"); err != nil {
		t.Fatal(err)
	}
	before := dumpHistory(t, s)
	if err := s.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := dumpHistory(t, s); !reflect.DeepEqual(after, before) {
		t.Errorf("computed anew the history is\n%+v, was\n%+v", after, before)
	}
	version := s.History().Version()
	for _, seen := range [][]history.Entry{nil, {{Match: "m1"}, {Match: "other"}, {Match: "there"}}} {
		if err := s.History().See(t.Context(), "ann", seen...); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := unseen(t, s, "ann"), "m2 void m0"; got != want {
		t.Errorf("then ann has not seen %q, want %q", got, want)
	}
	if now := s.History().Version(); now != version {
		t.Errorf("seeing has changed the version from %d to %d", version, now)
	}
	for i := range history.MaxUnseen - 1 {
		add(lostAway(match.ID(fmt.Sprint("later", i)), person("bob")))
	}
	all, err = s.History().Unseen(t.Context(), "ann")
	if err != nil || len(all) != history.MaxUnseen || all[0].Match != "later18" || all[19].Match != "m2" {
		t.Errorf("%s are kept, %v", matchesOf(all), err)
	}
	var both sync.WaitGroup
	for i := range 60 { // which end together
		both.Go(func() { add(lostAway(match.ID(fmt.Sprint("at-once", i)), person("bob"))) })
	}
	both.Wait()
	if got := unseen(t, s, "ann"); strings.Count(got, "at-once") != history.MaxUnseen {
		t.Errorf("%s are kept", got)
	}
}

// testVersion checks that the version grows with the end of a match, and not before.
func testVersion(t *testing.T, s *Store) {
	grows := func(what string, want bool, change func() error) {
		t.Helper()
		before := s.History().Version()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if after := s.History().Version(); (after > before) != want {
			t.Errorf("%s: the version was %d and is %d", what, before, after)
		}
	}
	for _, e := range play(t, "m", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1", rules.First) {
		grows(fmt.Sprint("event ", e.Seq), e.Kind == match.Resigned, func() error {
			_, err := s.Append(t.Context(), e)
			return err
		})
	}
	grows("archiving", false, func() error { return s.Archive(t.Context(), "m") })
	grows("computing anew", true, func() error { return s.Rebuild(t.Context()) })
	grows("an import", true, func() error {
		importPast(t, s).pair("a", match.PeoplePool, "ann", "bob", 2, monday)
		return nil
	})
}

// More than four pairs of two players on a day do not count, also if they end together.
func TestPairsThatEndTogether(t *testing.T) {
	s := openIn(t, t.TempDir())
	const pairs = 12
	done := make(chan error, 2*pairs)
	for i := range pairs {
		for _, m := range journaltest.Pair(match.PeoplePool, match.ID(fmt.Sprint("p", i)), "ann", "bob", true) {
			go func() {
				_, err := s.Append(t.Context(), m.Events...)
				done <- err
			}()
		}
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
	journaltest.Season(t, first)
	if _, err := first.Append(t.Context(), lostAway("away", person("bob"))...); err != nil {
		t.Fatal(err)
	}
	before := dumpHistory(t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := openIn(t, dir)
	if after := dumpHistory(t, again); !reflect.DeepEqual(after, before) {
		t.Errorf("the history is %+v, was %+v", after, before)
	}
	checkSeason(t, again)
	if got := unseen(t, again, "ann"); got != "away" {
		t.Errorf("ann has not seen %q", got)
	}
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
