package store

import (
	"errors"
	"fmt"
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
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

// TestHistory tests the history on SQLite. TestPostgresHistory runs these tests on PostgreSQL.
func TestHistory(t *testing.T) {
	testHistory(t, func(t *testing.T) *Store { return openIn(t, t.TempDir()) })
}

func testHistory(t *testing.T, open func(t *testing.T) *Store) {
	for name, test := range map[string]func(t *testing.T, s *Store){
		"Season": testSeason, "Lists": testLists, "DaysOfPairs": testDaysOfPairs,
		"Ladder": testLadder, "Unseen": testUnseen, "Version": testVersion, "Rebuild": testRebuild,
		"UnseenChallenges": testUnseenChallenges, "RatedPair": testRatedPair, "Hints": testHints,
		"PairsThatEndTogether": testPairsThatEndTogether, "NetworkPairs": testNetworkPairs,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func testSeason(t *testing.T, s *Store) {
	journaltest.Season(t, s)
	checkSeason(t, s)
}

// checkSeason checks the history of a store with only the matches of [journaltest.Season].
func checkSeason(t *testing.T, s *Store) {
	t.Helper()
	h, ctx, text := s.History(), t.Context(), ""
	for _, on := range h.Ladder(match.PeoplePool, 0, 100) {
		totals := totalsOf(t, s, on.Player.ID)
		text += fmt.Sprintf("%d %s %s %d/%d/%d of %d, %d %d %d %d\n", on.Rank, on.Player.Name, on.Rating, on.Won,
			on.Split, on.Lost, on.Rating.Pairs, totals.Matches, totals.Won, totals.Chances, totals.Kept)
	}
	equal(t, text, seasonsLadder)
	hal, bob := journaltest.SeasonPlayer("hal").ID, journaltest.SeasonPlayer("bob").ID
	against, err := h.TotalsAgainst(ctx, hal, bob)
	ok(t, err)
	equal(t, against, history.Totals{Matches: 8, Won: 5, Lost: 3})
	all, err := h.List(ctx, hal, 0, history.MaxPage, true)
	if err != nil || len(all) != 72 || all[0].Opponent.Name != "bob" || all[0].Pool != match.PeoplePool {
		t.Errorf("hal has %d matches, %v", len(all), err)
	}
}

// seasonsLadder has a line for each player of a season. The columns are the rank, the rating, rated pairs won, split
// and lost, games played and won, chances and chances kept.
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

// play returns the events of a match of two players with the moves of a game. If resigns is not [rules.NoSide], that
// side resigns an unfinished game.
func play(t testing.TB, id match.ID, origin match.Origin, one, other match.Player, game string,
	resigns rules.Side) []match.Event {
	t.Helper()
	g, err := rules.ParseGame(game)
	ok(t, err)
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant}, Origin: origin},
		{Kind: match.Seated, Seat: rules.First, Player: one},
		{Kind: match.Seated, Seat: rules.Second, Player: other},
	}
	for i, m := range g.Moves {
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Sides()[i%2], Move: m})
	}
	if resigns != rules.NoSide {
		events = append(events, match.Event{Kind: match.Resigned, Seat: resigns})
	}
	return numbered(id, events...)
}

// numbered makes events the log of a match.
func numbered(id match.ID, events ...match.Event) []match.Event {
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	return events
}

// record appends events.
func (s *Store) record(t testing.TB, events ...match.Event) {
	t.Helper()
	ok(t, errOf(s.Append(t.Context(), events...)))
}

// testLists plays matches of each kind, event by event.
func testLists(t *testing.T, s *Store) {
	ann, bob, guest := person("ann"), person("bob"), match.Player{ID: "guest-g", Name: "gus", Guest: true}
	computer := match.Computer(strategy.Club)
	slow := play(t, "slow", match.QueueOrigin, ann, bob, "notakto/1: A5", rules.First)
	var err error
	slow[0].Clock, err = match.ParseClock("3+2")
	ok(t, err)
	for _, events := range [][]match.Event{
		play(t, "lost", match.QueueOrigin, ann, bob, "notakto/1: A5 A1 A9", rules.NoSide),
		play(t, "private", match.PrivateOrigin, bob, ann, "notakto/2: A5", rules.First),
		play(t, "drawn", match.QueueOrigin, ann, guest, "tictactoe: 5 1 7 3 2 8 4 6 9", rules.NoSide),
		play(t, "computer", match.ComputerOrigin, ann, computer, "notakto/3: A5 B5", rules.Second),
		play(t, "review", match.ReviewOrigin, ann, computer, "notakto/3: A5 B5", rules.Second),
		play(t, "on", match.QueueOrigin, ann, bob, "notakto/3: A5 B5", rules.NoSide),
		slow,
	} {
		for _, e := range events {
			s.record(t, e)
		}
	}
	h := s.History()
	list := func(p match.PlayerID, before uint64, limit int, withPrivate bool) []history.Entry {
		t.Helper()
		all, err := h.List(t.Context(), p, before, limit, withPrivate)
		ok(t, err)
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
		equal(t, matchesOf(list(test.player, test.before, test.limit, test.withPrivate)), test.want, test)
	}
	if e := newest[0]; e.Clock.String() != "3+2" ||
		e.Side != rules.First || e.Winner != rules.Second || e.Result() != "lost" {
		t.Errorf("the newest is %+v", e)
	}
	if e := newest[1]; e.Variant.String() != "notakto/3" || e.Opponent.Name != "club" || e.Reason != "resign" ||
		e.Plies != 2 || e.Ended.IsZero() || e.Clock.String() != "none" {
		t.Errorf("the one before is %+v", e)
	}
	recent, err := h.Recent(t.Context(), 10)
	if err != nil || matchesOf(recent) != "slow lost" || recent[0].Player.Name != "ann" ||
		recent[0].Opponent.Name != "bob" || recent[0].Winner != rules.Second {
		t.Errorf("the recent matches of accounts are %+v, %v", recent, err)
	}
	recent, err = h.Recent(t.Context(), 1)
	ok(t, err)
	equal(t, matchesOf(recent), "slow")
	// Three boards are a win for the first player.
	for player, want := range map[match.PlayerID]history.Totals{
		"ann": {Matches: 5, Won: 2, Lost: 2, Chances: 4, Kept: 3}, "bob": {Matches: 3, Won: 2, Lost: 1},
		guest.ID: {}, "cleo": {},
	} {
		equal(t, totalsOf(t, s, player), want, player)
	}
	against, err := h.TotalsAgainst(t.Context(), "ann", "bob")
	ok(t, err)
	equal(t, against, history.Totals{Matches: 3, Won: 1, Lost: 2})
	beaten, err := h.BeatenComputers(t.Context(), "ann")
	ok(t, err)
	equal(t, beaten, []match.PlayerID{computer.ID})
	h.SetShown(func(p match.Player) match.Player {
		p.Name = strings.ToUpper(p.Name)
		return p
	})
	equal(t, list("ann", 0, 1, true)[0].Opponent.Name, "BOB", "the opponent is shown as now")
}

func totalsOf(t *testing.T, s *Store, p match.PlayerID) history.Totals {
	t.Helper()
	totals, err := s.History().Totals(t.Context(), p)
	ok(t, err)
	return totals
}

func matchesOf(all []history.Entry) string {
	var ids []string
	for _, e := range all {
		ids = append(ids, string(e.Match))
	}
	return strings.Join(ids, " ")
}

// A win with hints is in the totals, and its level counts as not beaten.
func testHints(t *testing.T, s *Store) {
	for level, hints := range map[strategy.Level][]match.Event{
		strategy.Novice: {{Kind: match.HintsOffered, Seat: rules.First}}, strategy.Learner: nil,
	} {
		id := match.ID(fmt.Sprint("m", level))
		s.record(t, numbered(id, slices.Concat([]match.Event{
			{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.ComputerOrigin},
			{Kind: match.Seated, Seat: rules.First, Player: person("ann")},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Computer(level)},
		}, hints, []match.Event{{Kind: match.Resigned, Seat: rules.Second}})...)...)
		ok(t, s.Archive(t.Context(), id))
	}
	all, err := s.History().BeatenComputers(t.Context(), "ann")
	ok(t, err)
	equal(t, all, []match.PlayerID{match.Computer(strategy.Learner).ID})
	equal(t, totalsOf(t, s, "ann").Won, 2)
}

var monday = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// past imports matches with times in the past.
type past struct {
	*testing.T
	importer
}

func importPast(t *testing.T, s *Store) *past {
	return &past{t, importer{store: s, stop: func() {}, names: make(map[match.ID]bool)}}
}

// game imports a match that ends with an event at a time, and returns its end.
func (p *past) game(
	id match.ID, pair match.PairGame, pool match.Pool, players [2]string, last match.Event, at time.Time,
) match.State {
	p.Helper()
	events := numbered(id,
		match.Event{Kind: match.Opened, Terms: match.RatedTerms(pool), Origin: match.QueueOrigin, Pair: pair},
		match.Event{Kind: match.Seated, Seat: rules.First, Player: person(players[0])},
		match.Event{Kind: match.Seated, Seat: rules.Second, Player: person(players[1])},
		match.Event{Kind: match.Moved, Seat: rules.First, Move: pair.Start.LegalMoves()[0], Spent: time.Second},
		last)
	for i := range events {
		events[i].At = at
	}
	row := &importedItem{id: id, state: journaltest.Fold(p, events...)}
	var err error
	if row.body, err = codec.EncodeRecord(codec.Record{ID: id, Events: events}); err == nil {
		err = p.add(p.Context(), row)
	}
	if err != nil {
		p.Fatal(err)
	}
	return row.state
}

// pair imports a pair. The first player wins a number of its games.
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

// standingOf returns the standing of a player as text.
func standingOf(t *testing.T, s *Store, pool match.Pool, p match.PlayerID) string {
	t.Helper()
	got, err := s.History().Standing(t.Context(), pool, p)
	ok(t, err)
	return fmt.Sprintf("%s±%d %d/%d/%d of %d, %d of %d", got.Rating, got.Rating.WholeDeviation(),
		got.Won, got.Split, got.Lost, got.Rating.Pairs, got.Rank, got.Players)
}

// Only four pairs a day count, because friends may lose to each other on purpose.
func testDaysOfPairs(t *testing.T, s *Store) {
	p, h := importPast(t, s), s.History()
	for i := range 4 {
		p.pair(match.ID(fmt.Sprint("p", i)), match.PeoplePool, "ann", "bob", 2, monday)
	}
	four := standingOf(t, s, match.PeoplePool, "ann")
	p.pair("fifth", match.PeoplePool, "bob", "ann", 0, monday.Add(13*time.Hour))
	equal(t, standingOf(t, s, match.PeoplePool, "ann"), strings.Replace(four, "4/0/0", "5/0/0", 1), "after five")
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
	equal(t, ladder(0, 10), "1/3 p0 2/3 p1 3/3 p2")
	equal(t, ladder(1, 1), "2/3 p1")
	equal(t, ladder(3, 2)+ladder(-1, -1), "", "beyond its ends")
	p.pair("programs", match.BotPool, "p0", "p1", 0, monday)
	equal(t, standingOf(t, s, match.BotPool, "p0"), "1338?±290 0/0/1 of 1, 0 of 0", "among programs")
	for day := range 5 { // only p0 and p1 play on, and the third player leaves the ladder
		id := match.ID(fmt.Sprint("later", day))
		p.pair(id, match.PeoplePool, "p0", "p1", 2, monday.AddDate(0, 0, 80+day))
	}
	equal(t, ladder(0, 10), "1/2 p0 2/2 p1", "a month later")
	h.SetShown(func(p match.Player) match.Player { // a deleted account
		if p.ID == "p0" {
			p.ID = "random"
		}
		return p
	})
	equal(t, ladder(0, 10), "2/2 p1", "without a deleted account")
}

// The new ratings are there as soon as the end of a pair is recorded, also in the unseen results of a player who was
// away then.
func testRatedPair(t *testing.T, s *Store) {
	h := s.History()
	var games []match.State
	for _, m := range journaltest.Pair(match.PeoplePool, "a", "ann", "bob", true) {
		last := len(m.Events) - 1
		end := m.Events[last]
		m.Events[last] = match.Event{Match: m.ID, Seq: end.Seq, Kind: match.Left, Seat: end.Seat.Other()}
		end.Seq++
		m.Events = append(m.Events, end)
		s.record(t, m.Events...)
		games = append(games, journaltest.Fold(t, m.Events...))
	}
	for side, want := range map[rules.Side]string{rules.First: "1338? of ann", rules.Second: "1662? of bob"} {
		pair, standing, err := h.RatedPair(t.Context(), &games[1], side)
		if err != nil || pair.Before.String() != "1500?" || pair.After.String()+" of "+pair.Opponent.Name != want ||
			pair.After.Pairs != 1 || !pair.Counts || standing.Rating.String() != pair.After.String() ||
			standing.Won+standing.Lost != 1 || pair.Match != "a-2" {
			t.Errorf("%v has %+v, %+v, %v", side, pair, standing, err)
		}
	}
	_, _, err := h.RatedPair(t.Context(), &games[0], rules.First)
	errorIs(t, err, ErrNotRated)
	all, err := h.Unseen(t.Context(), journaltest.SeasonPlayer("ann").ID)
	if err != nil || len(all) != 2 || all[0].Pair.Match != "a-2" || all[0].Pair.Change() != 162 ||
		all[1].Pair != (history.RatedPair{}) {
		t.Errorf("ann has not seen %+v, %v", all, err)
	}
}

// testPairsThatEndTogether ends pairs of ann at once, and both games of those with a clock of days. Each pair is rated
// with the later end. Of the pairs with one opponent only four a day count, even if all end in one group.
func testPairsThatEndTogether(t *testing.T, s *Store) {
	const pairs, others = 12, 8
	done := make(chan error, 2*(pairs+others))
	end := func(events ...match.Event) {
		_, err := s.Append(t.Context(), events...)
		done <- err
	}
	for i := range pairs {
		for _, m := range journaltest.Pair(match.PeoplePool, match.ID(fmt.Sprint("p", i)), "ann", "bob", true) {
			go end(m.Events...)
		}
	}
	for i := range others {
		id := match.ID(fmt.Sprint("days", i))
		s.record(t, journaltest.DaysPair(t, id, "ann", fmt.Sprint("bo", i))...)
		go end(match.Event{Match: id, Seq: 5, Kind: match.Resigned, Seat: rules.First})
		go end(match.Event{Match: id + "-2", Seq: 4, Kind: match.Resigned, Seat: rules.Second})
	}
	for range cap(done) {
		ok(t, <-done)
	}
	ann := journaltest.SeasonPlayer("ann").ID
	standing, err := s.History().Standing(t.Context(), match.PeoplePool, ann)
	if err != nil || standing.Won != pairs || standing.Lost != others || standing.Rating.Pairs != pairsADay+others {
		t.Errorf("ann stands at %+v, %v", standing, err)
	}
	all, err := s.History().RatedPairs(t.Context(), match.PeoplePool, ann, history.RatedPair{}, 100)
	if err != nil || len(all) != pairs+others {
		t.Errorf("ann's pairs are %+v, %v", all, err)
	}
	staysInRebuild(t, s)
}

// lostAway returns the events of a match that ann loses to an opponent while she is away.
func lostAway(id match.ID, opponent match.Player) []match.Event {
	return numbered(id,
		match.Event{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.PrivateOrigin},
		match.Event{Kind: match.Seated, Seat: rules.First, Player: person("ann")},
		match.Event{Kind: match.Seated, Seat: rules.Second, Player: opponent},
		match.Event{Kind: match.Left, Seat: rules.First},
		match.Event{Kind: match.Forfeited, Seat: rules.First})
}

// unseen returns the matches with a result that a player has not seen.
func unseen(t *testing.T, s *Store, p match.PlayerID) string {
	t.Helper()
	all, err := s.History().Unseen(t.Context(), p)
	ok(t, err)
	return matchesOf(all)
}

// An unseen result is kept until the player has seen it, even a void one, and even after Rebuild.
func testUnseen(t *testing.T, s *Store) {
	guest := match.Player{ID: "guest-g", Name: "gus", Guest: true}
	void := lostAway("void", person("bob"))
	void[4] = match.Event{Match: "void", Seq: 5, Kind: match.Adjudicated}
	s.record(t, lostAway("m0", person("bob"))...)
	s.record(t, lostAway("m1", guest)...)
	s.record(t, void...)
	s.record(t, lostAway("m2", person("cyd"))...)
	for id, game := range map[match.ID]string{"there": "notakto/1: A5 A1 A9", "goes-on": "notakto/1: A5"} {
		s.record(t, play(t, id, match.QueueOrigin, person("ann"), person("bob"), game, rules.NoSide)...)
	}
	equal(t, unseen(t, s, "ann"), "m2 void m1 m0")
	equal(t, unseen(t, s, "bob")+unseen(t, s, "cyd")+unseen(t, s, guest.ID), "", "of those who were there")
	all, err := s.History().Unseen(t.Context(), "ann")
	if err != nil || len(all) != 4 || !all[1].IsVoid() || all[2].Result() != "lost" || all[2].Opponent.Name != "gus" {
		t.Errorf("they are %+v, %v", all, err)
	}
	if all, err := s.History().List(t.Context(), "ann", 0, 10, true); err != nil || matchesOf(all) != "there m2 m1 m0" {
		t.Errorf("ann's matches are %s, %v", matchesOf(all), err)
	}
	equal(t, inspected(t, s).Unlisted, 0)
	ok(t, s.Archive(t.Context(), "void"))
	staysInRebuild(t, s)
	version := s.History().Version()
	for _, seen := range [][]history.Entry{nil, {{Match: "m1"}, {Match: "other"}, {Match: "there"}}} {
		ok(t, s.History().MarkSeen(t.Context(), "ann", seen...))
	}
	equal(t, unseen(t, s, "ann"), "m2 void m0")
	equal(t, s.History().Version(), version, "seeing changes no version")
	for i := range history.MaxUnseen - 1 {
		s.record(t, lostAway(match.ID(fmt.Sprint("later", i)), person("bob"))...)
	}
	all, err = s.History().Unseen(t.Context(), "ann")
	if err != nil || len(all) != history.MaxUnseen || all[0].Match != "later18" || all[19].Match != "m2" {
		t.Errorf("%s are kept, %v", matchesOf(all), err)
	}
	var both sync.WaitGroup
	for i := range 60 { // which end together
		both.Go(func() { s.record(t, lostAway(match.ID(fmt.Sprint("at-once", i)), person("bob"))...) })
	}
	both.Wait()
	equal(t, strings.Count(unseen(t, s, "ann"), "at-once"), history.MaxUnseen)
}

// openChallenge imports a challenge of ann with a free seat, which was made some time ago.
func openChallenge(t *testing.T, s *Store, id match.ID, invited match.Player, seat rules.Side, ago time.Duration) {
	t.Helper()
	events := numbered(id, match.Event{
		Kind: match.Opened, Terms: match.RatedTerms(match.PeoplePool), Origin: match.ChallengeOrigin,
		Player: invited, Pair: match.FirstGame(journaltest.QuickSeed),
	}, match.Event{Kind: match.Seated, Seat: seat, Player: person("ann")}, match.Event{Kind: match.NoShow, Seat: seat})
	for i := range events {
		events[i].At = time.Now().Add(-ago)
	}
	p := importPast(t, s)
	body, err := codec.EncodeRecord(codec.Record{ID: id, Events: events})
	if err == nil {
		err = p.addLive(t.Context(), exportedLive{Match: id, Record: body})
	}
	ok(t, errors.Join(err, p.flush(t.Context())))
}

// The end of a challenge is kept for the player who has to learn of it, until that player has seen it.
func testUnseenChallenges(t *testing.T, s *Store) {
	bob, anyone := person("bob"), match.Player{}
	const life = match.ChallengeLife
	for _, c := range []struct {
		id       match.ID
		invited  match.Player
		ago      time.Duration
		declines bool
		ann, bob string // what each has not seen then
	}{
		{"declined", bob, 0, true, "bob declined", ""},
		{"late", bob, life - time.Hour, true, "bob declined", ""},
		{"expired", bob, life + time.Hour, false, "bob expired", ""},
		{"withdrawn", bob, time.Hour, false, "", "ann withdrawn"},
		{"nobody", anyone, life + time.Hour, false, " expired", ""},
		{"taken-back", anyone, time.Hour, false, "", ""},
	} {
		for i, seat := range rules.Sides() {
			id := c.id + match.ID(fmt.Sprint(i))
			openChallenge(t, s, id, c.invited, seat, c.ago)
			end := match.Event{Match: id, Seq: 4, Kind: match.Cancelled}
			if c.declines {
				end.Seat = seat.Other()
			}
			s.record(t, end)
			for p, want := range map[match.PlayerID]string{"ann": c.ann, "bob": c.bob} {
				all, err := s.History().Unseen(t.Context(), p)
				got := ""
				for _, e := range all {
					got += e.Opponent.Name + " " + e.Reason
				}
				if err != nil || got != want || want != "" && (all[0].Match != id || !all[0].IsChallenge() ||
					all[0].IsVoid() || all[0].Terms != match.RatedTerms(match.PeoplePool) ||
					time.Since(all[0].Ended) > time.Minute) {
					t.Errorf("%s: %s has not seen %q, want %q: %+v, %v", id, p, got, want, all, err)
				}
				ok(t, s.History().MarkSeen(t.Context(), p, all...))
			}
		}
	}

	s.record(t, lostAway("lost", bob)...)
	for i := range history.MaxUnseenChallenges + 1 {
		id := match.ID(fmt.Sprint("c", i))
		openChallenge(t, s, id, bob, rules.First, 0)
		s.record(t, match.Event{Match: id, Seq: 4, Kind: match.Cancelled})
		openChallenge(t, s, "d"+id, bob, rules.Second, 0)
		s.record(t, match.Event{Match: "d" + id, Seq: 4, Kind: match.Cancelled, Seat: rules.First})
	}
	equal(t, unseen(t, s, "ann"), "dc10 dc9 dc8 dc7 dc6 dc5 dc4 dc3 dc2 dc1 lost")
	for i := range history.MaxUnseen {
		s.record(t, lostAway(match.ID(fmt.Sprint("m", i)), bob)...)
	}
	all := unseen(t, s, "ann")
	equal(t, strings.Count(all, "dc"), history.MaxUnseenChallenges, all)
	equal(t, strings.Contains(all, "lost"), false, all)
	ok(t, s.Archive(t.Context(), "c10"))
	equal(t, unseen(t, s, "bob"), "c10")
	staysInRebuild(t, s)
	equal(t, inspected(t, s).Unlisted, 0)
	day, err := s.Progress().Day(t.Context(), puzzle.Number(s.Now()))
	ok(t, err)
	equal(t, [2]int{totalsOf(t, s, "ann").Matches, day.Matches}, [2]int{1 + history.MaxUnseen, 1 + history.MaxUnseen})
	for _, blocking := range []match.PlayerID{"ann", "bob"} { // a blocked player is not told less than before
		s.History().SetBlocks(func(by, _ match.PlayerID) bool { return by == blocking })
		equal(t, unseen(t, s, "bob"), "", "to bob, with a block by", blocking)
		equal(t, unseen(t, s, "ann"), all, "to ann, with a block by", blocking)
	}
}

// The version grows when a match ends, and when all is read anew.
func testVersion(t *testing.T, s *Store) {
	before := s.History().Version()
	grows := func(what string, want bool) {
		t.Helper()
		after := s.History().Version()
		if (after > before) != want {
			t.Errorf("%s: the version was %d and is %d", what, before, after)
		}
		before = after
	}
	for _, e := range play(t, "m", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1", rules.First) {
		s.record(t, e)
		grows(fmt.Sprint("event ", e.Seq), e.Kind == match.Resigned)
	}
	ok(t, s.Archive(t.Context(), "m"))
	grows("archiving", false)
	ok(t, s.Rebuild(t.Context()))
	grows("computing anew", true)
	importPast(t, s).pair("a", match.PeoplePool, "ann", "bob", 2, monday)
	grows("an import", true)
}

// A player with many keys at one address lets one of them win all pairs. Pairs with others count as ever.
func testNetworkPairs(t *testing.T, s *Store) {
	p, pool, n := importPast(t, s), match.PeoplePool, 0
	win := func(winner, loser string, sameNetwork bool, at time.Time) {
		n++
		id, game := match.ID(fmt.Sprint("n", n)), match.FirstGame(journaltest.QuickSeed)
		game.SameNetwork = sameNetwork
		resigned := func(side rules.Side) match.Event { return match.Event{Kind: match.Resigned, Seat: side} }
		one := p.game(id, game, pool, [2]string{winner, loser}, resigned(rules.Second), at)
		p.game(id+"-2", one.SecondGame(), pool, [2]string{loser, winner}, resigned(rules.First), at)
	}
	points := func(player match.PlayerID) int {
		ok(t, p.flush(t.Context()))
		standing, err := s.History().Standing(t.Context(), pool, player)
		ok(t, err)
		return standing.Rating.Points
	}
	const limit = history.NetworkPoints * 1000
	for day := range 3 {
		for key := range 13 {
			for range pairsADay {
				at := monday.Add(time.Duration(day) * 24 * time.Hour)
				win("ann", fmt.Sprint("home", key), true, at)
				win("cleo", fmt.Sprint("away", key), false, at)
			}
		}
		if bought, won := points("ann"), points("cleo"); bought != limit || won <= limit {
			t.Fatalf("day %d: at home ann has %d, and elsewhere cleo has %d", day, bought, won)
		}
	}
	later := monday.Add(100 * time.Hour)
	win("ann", "zoe", false, later)
	win("zoe", "home0", false, later)
	more := points("ann")
	win("ann", "home0", true, later)
	win("home0", "ann", true, later)
	if after := points("ann"); more <= limit || after != more {
		t.Errorf("ann has %d after a pair with an outsider, then %d", more, after)
	}
	for _, player := range []match.PlayerID{"ann", "home0"} {
		last, err := s.History().RatedPairs(t.Context(), pool, player, history.RatedPair{}, 3)
		if err != nil || len(last) != 3 || last[0].Counts || !last[0].IsInNetwork || last[1].Counts ||
			!last[2].Counts || last[2].IsInNetwork || last[2].Change() == 0 {
			t.Errorf("the last pairs of %s are %+v, %v", player, last, err)
		}
	}
	staysInRebuild(t, s)
}

// Anyone could once make the server read all private matches of a player with very many, at each request.
func TestPrivateMatchesAreSkippedWithinBounds(t *testing.T) {
	s := openIn(t, t.TempDir())
	for _, e := range play(t, "open", match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5", rules.First) {
		s.record(t, e)
	}
	for n, want := range map[int]string{maxExamined - 1: "open", maxExamined: ""} {
		execSQLite(t, s,
			`DELETE FROM played WHERE position > 1000`, `DELETE FROM finished WHERE position > 1000`,
			fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
				INSERT INTO finished SELECT 1000 + i, 'private' || i, variant, clock, 1, first, first_name, second,
				second_name, winner, reason, plies, ended, pool FROM n, finished WHERE match = 'open'`, n),
			`INSERT INTO played SELECT 'ann', position, 1 FROM finished WHERE position > 1000`)
		public, err := s.History().List(t.Context(), "ann", 0, 10, false)
		if got := matchesOf(public); got != want || err != nil {
			t.Errorf("behind %d private matches: %q, %v", n, got, err)
		}
		if own, err := s.History().List(t.Context(), "ann", 0, 10, true); len(own) != 10 || err != nil {
			t.Errorf("ann reads %+v, %v", own, err)
		}
	}
}
