package store

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

// TestProgress tests the progress on SQLite. TestPostgresProgress runs these tests on PostgreSQL.
func TestProgress(t *testing.T) {
	testProgress(t, func(t *testing.T) *Store { return openIn(t, t.TempDir()) })
}

func testProgress(t *testing.T, open func(t *testing.T) *Store) {
	for name, test := range map[string]func(t *testing.T, s *Store){
		"Answers": testAnswers, "Shares": testShares, "Day": testDay, "Runs": testRuns, "Lessons": testLessons,
		"Slips": testSlips, "MatchesWithoutSlips": testMatchesWithoutSlips, "OldSlips": testOldSlips,
		"DeletedAccounts": testDeletedAccounts, "Guests": testGuestsWithoutProgress,
		"ImportDuringPlay": testImportDuringPlay,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func progressOf(t *testing.T, s *Store, name string) progress.State {
	t.Helper()
	state, err := s.Progress().State(t.Context(), person(name))
	ok(t, err)
	return state
}

// day returns a time of an answer. An import refuses times in the future.
func day(n int) time.Time { return time.Date(2020, 1, n, 12, 0, 0, 0, time.UTC) }

func answer(day, index int, right bool, at time.Time) progress.Answer {
	return progress.Answer{Day: day, Index: index, Move: rules.Move{Board: uint8(index), Cell: 5}, Right: right, At: at}
}

func mustAnswer(t *testing.T, s *Store, name string, a progress.Answer) progress.Answer {
	t.Helper()
	recorded, err := s.Progress().Answer(t.Context(), person(name), a)
	ok(t, err)
	return recorded
}

// isSameAnswer compares answers with times that may have other locations.
func isSameAnswer(a, b progress.Answer) bool {
	isSameTime := a.At.Equal(b.At)
	a.At, b.At = time.Time{}, time.Time{}
	return isSameTime && a == b
}

// The first answer to a puzzle stays. The answers of others count in the shares.
func testAnswers(t *testing.T, s *Store) {
	first := answer(150, 1, false, day(150))
	again := answer(150, 1, true, day(150).Add(time.Second))
	again.Move.Cell = 9
	for _, a := range []progress.Answer{first, again} {
		if got := mustAnswer(t, s, "ann", a); !isSameAnswer(got, first) {
			t.Errorf("recorded is %+v", got)
		}
	}
	mustAnswer(t, s, "bob", answer(150, 1, true, day(150)))
	mustAnswer(t, s, "bob", answer(150, 0, true, day(150)))
	mustAnswer(t, s, "bob", answer(15, 1, true, day(15)))
	shares, err := s.Progress().Shares(t.Context(), 150)
	ok(t, err)
	equal(t, shares, [3]progress.Share{{Right: 1, All: 1}, {Right: 1, All: 2}, {}})
	if got := progressOf(t, s, "bob").Answers; len(got) != 3 || got[0].Day != 15 || got[1].Index != 0 {
		t.Errorf("the answers of bob are %+v", got)
	}
	if got := progressOf(t, s, "ann").Answers; len(got) != 1 || !isSameAnswer(got[0], first) {
		t.Errorf("the answers of ann are %+v", got)
	}
}

// Many calls for the shares of a day make one query. A query fails here, because the context has ended.
func testShares(t *testing.T, s *Store) {
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Progress().Shares(ended, 160); err == nil {
		t.Error("the first call makes no query")
	}
	ok(t, errOf(s.Progress().Shares(t.Context(), 160)))
	mustAnswer(t, s, "ann", answer(160, 2, true, day(160)))
	mustAnswer(t, s, "ann", answer(160, 2, true, day(160).Add(time.Second)))
	for range 100 {
		if shares, err := s.Progress().Shares(ended, 160); err != nil ||
			shares[2] != (progress.Share{Right: 1, All: 1}) {
			t.Fatalf("a later call: %v, %v", shares, err)
		}
	}
	s.dayResults(160).shares.readAt = time.Now().Add(-maxAge)
	if _, err := s.Progress().Shares(ended, 160); err == nil {
		t.Error("old shares are not read again")
	}
}

// A day counts its own matches, the accounts that solved all of its puzzles, and names its best run.
func testDay(t *testing.T, s *Store) {
	today := puzzle.Number(s.Now())
	of := func(day int) progress.Day {
		t.Helper()
		got, err := s.Progress().Day(t.Context(), day)
		ok(t, err)
		return got
	}
	equal(t, of(today), progress.Day{})
	for i, resigns := range []rules.Side{rules.First, rules.Second} {
		id := match.ID(fmt.Sprint("day", i))
		s.record(t, play(t, id, match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5", resigns)...)
	}
	for index := range puzzle.PerDay {
		mustAnswer(t, s, "ann", answer(today, index, true, s.Now()))
		mustAnswer(t, s, "bob", answer(today, index, index > 0, s.Now()))
	}
	for name, solved := range map[string]int{"ann": 12, "bob": 22} {
		run := progress.Run{Day: today, Solved: solved, At: s.Now()}
		ok(t, s.Progress().FinishRun(t.Context(), person(name), run))
	}
	equal(t, of(today), progress.Day{}, "a second look reads the database again")
	s.dayResults(today).day.readAt = time.Time{}
	got := of(today)
	if got.Matches != 2 || got.Solved != 1 || got.Best.Player.Name != "bob" || got.Best.Solved != 22 {
		t.Errorf("of the day: %+v", got)
	}
	equal(t, of(today+1), progress.Day{})
}

// The best run of a day stays.
func testRuns(t *testing.T, s *Store) {
	p := s.Progress()
	shows := func(want string) {
		t.Helper()
		best, err := p.BestRuns(t.Context(), 150)
		ok(t, err)
		text := ""
		for _, b := range best {
			text += fmt.Sprintf("%s %s %d, ", b.Player.ID, b.Player.Name, b.Solved)
		}
		equal(t, text, want, "the best runs")
	}
	shows("")
	for i, run := range []struct {
		name        string
		day, solved int
	}{{"ann", 150, 5}, {"ann", 150, 9}, {"ann", 150, 7}, {"bob", 150, 9}, {"cyd", 150, 12}, {"eve", 150, 0},
		{"ann", 151, 3}} {
		r := progress.Run{Day: run.day, Solved: run.solved, At: day(run.day).Add(time.Duration(i) * time.Minute)}
		ok(t, p.FinishRun(t.Context(), person(run.name), r))
	}
	ann := progressOf(t, s, "ann")
	if ann.BestOn(150) != 9 || ann.BestOn(151) != 3 || ann.BestEver() != 9 || len(ann.Runs) != 2 {
		t.Errorf("ann has the runs %+v", ann.Runs)
	}
	s.History().SetShown(func(p match.Player) match.Player { p.Name += "!"; return p })
	shows("cyd cyd! 12, ann ann! 9, bob bob! 9, ")
	s.dayResults(150).best.readAt = time.Now().Add(time.Hour)
	// A run on another server.
	other := progressRow{Kind: runKind, Item: "150", Day: 150, Value: 20, Detail: "dan", At: day(150)}
	ok(t, p.record(t.Context(), person("dan"), other))
	shows("cyd cyd! 12, ann ann! 9, bob bob! 9, ")
	ok(t, p.FinishRun(t.Context(), person("gus"), progress.Run{Day: 150, Solved: 1, At: day(150)}))
	shows("dan dan! 20, cyd cyd! 12, ann ann! 9, bob bob! 9, gus gus! 1, ")
}

func testLessons(t *testing.T, s *Store) {
	p := s.Progress()
	for _, step := range [][2]int{{1, 1}, {1, 3}, {1, 2}, {6, 4}} {
		ok(t, p.CompleteStep(t.Context(), person("ann"), step[0], step[1]))
	}
	equal(t, progressOf(t, s, "ann"), progress.State{Lessons: [7]int{1: 3, 6: 4}})
	for range 2 {
		ok(t, p.MarkVisited(t.Context(), person("ann")))
	}
	equal(t, progressOf(t, s, "ann").Visited, true)
}

// slipping is a game in which each player gives a won position away twice.
const slipping = "notakto/2: B3 A8 B5 A2 A7"

func plies(slips []progress.Slip) (all []int) {
	for _, slip := range slices.Backward(slips) {
		all = append(all, slip.Ply)
	}
	return all
}

// The end of a match writes the missed wins of both players, once.
func testSlips(t *testing.T, s *Store) {
	events := play(t, "match", match.QueueOrigin, person("ann"), person("bob"), slipping, rules.First)
	for _, e := range events {
		if len(progressOf(t, s, "ann").Slips) > 0 {
			t.Error("there are slips before the end")
		}
		s.record(t, e)
	}
	ann, bob := progressOf(t, s, "ann").Slips, progressOf(t, s, "bob").Slips
	if one, two := plies(ann), plies(bob); !slices.Equal(one, []int{3, 5}) || !slices.Equal(two, []int{2, 4}) {
		t.Fatalf("slips are at %v and %v", one, two)
	}
	slip := ann[0]
	if slip.Match != "match" || slip.Opponent != person("bob") || bob[0].Opponent != person("ann") ||
		slip.Solved != 0 || slip.Due != puzzle.Number(slip.Ended)+1 || time.Since(slip.Ended) > time.Hour {
		t.Errorf("the slip is %+v", slip)
	}
	if judged, err := puzzle.Check(slip.Position, slip.Played); err != nil || judged.IsRight() ||
		slip.Position.Plies() != slip.Ply-1 {
		t.Errorf("the move %s at %s is judged %+v, %v", slip.Played, slip.Position, judged, err)
	}

	p, today := s.Progress(), slip.Due
	first, err := p.AnswerSlip(t.Context(), person("ann"), slip.Match, slip.Ply, true, today-1)
	if err != nil || !isSameSlip(first, slip) {
		t.Errorf("before it is due, the slip becomes %+v, %v", first, err)
	}
	for i, right := range []bool{true, false} { // the second answer comes from another device
		got, err := p.AnswerSlip(t.Context(), person("ann"), slip.Match, slip.Ply, right, today)
		if err != nil || got.Solved != 1 || got.Due != today+3 {
			t.Errorf("answer %d makes the slip %+v, %v", i+1, got, err)
		}
	}
	for _, due := range []int{3, 10, 31} {
		ok(t, errOf(p.AnswerSlip(t.Context(), person("ann"), slip.Match, slip.Ply, true, today+due)))
	}
	got, err := p.AnswerSlip(t.Context(), person("ann"), slip.Match, slip.Ply, false, today+100)
	if err != nil || !got.IsGone() {
		t.Errorf("a solved slip is %+v, %v", got, err)
	}
	errorIs(t, errOf(p.AnswerSlip(t.Context(), person("bob"), slip.Match, slip.Ply, true, today)), progress.ErrNoSlip)
	// What follows from matches is computed again, and the slips stay.
	before := progressOf(t, s, "ann")
	ok(t, s.Rebuild(t.Context()))
	ok(t, s.Archive(t.Context(), "match"))
	equal(t, progressOf(t, s, "ann"), before)
}

func isSameSlip(a, b progress.Slip) bool {
	isSameTime := a.Ended.Equal(b.Ended)
	a.Ended, b.Ended = time.Time{}, time.Time{}
	return isSameTime && a == b
}

func testMatchesWithoutSlips(t *testing.T, s *Store) {
	ann, computer := person("ann"), match.Computer(strategy.Club)
	guest := match.Player{ID: "guest:1", Name: "gus", Guest: true}
	void := play(t, "void", match.QueueOrigin, ann, person("bob"), slipping, rules.NoSide)
	void = append(void, match.Event{Match: "void", Seq: uint64(len(void) + 1), Kind: match.Adjudicated})
	programs := journaltest.Pair(match.BotPool, "programs", "ann", "bob", true)
	for _, events := range [][]match.Event{
		programs[0].Events, programs[1].Events, void,
		play(t, "review", match.ReviewOrigin, ann, computer, slipping, rules.First),
		play(t, "guests", match.QueueOrigin, guest, computer, slipping, rules.First),
	} {
		s.record(t, events...)
		equal(t, s.progressRows(t), "", events[0].Match)
	}
	for _, m := range journaltest.Pair(match.PeoplePool, "people", "ann", "bob", true) {
		s.record(t, m.Events...)
	}
	if all := s.progressRows(t); all == "" {
		t.Error("people play as the programs have played, and have no slips")
	}
	s.record(t, play(t, "computer", match.ComputerOrigin, ann, computer, slipping,
		rules.First)...)
	if got := progressOf(t, s, "ann").Slips; len(got) == 0 || got[0].Opponent.ID != computer.ID {
		t.Errorf("after a match against the computer the slips are %+v", got)
	}
	if all := s.progressRows(t); strings.Contains(all, string(computer.ID)) {
		t.Errorf("the computer has slips: %s", all)
	}
}

// progressRows returns the accounts, kinds and items of all rows.
func (s *Store) progressRows(t *testing.T) (text string) {
	t.Helper()
	err := s.Progress().each(t.Context(), `SELECT account, kind, item FROM progress ORDER BY account, kind, item`, nil,
		func(scan scan) error {
			var account, kind, item string
			err := scan(&account, &kind, &item)
			text += account + " " + kind + " " + item + "\n"
			return err
		})
	ok(t, err)
	return text
}

// The newest slips of an account are kept.
func testOldSlips(t *testing.T, s *Store) {
	const each = 2 // slips of a match
	for n := range progress.MaxSlips/each + 2 {
		id := match.ID(fmt.Sprintf("m-%03d", n))
		s.record(t, play(t, id, match.QueueOrigin, person("ann"), person("bob"), slipping,
			rules.First)...)
	}
	slips := progressOf(t, s, "ann").Slips
	if len(slips) < progress.MaxSlips || len(slips) >= progress.MaxSlips+3*each {
		t.Errorf("%d slips are kept", len(slips))
	}
	if slices.ContainsFunc(slips, func(slip progress.Slip) bool { return slip.Match == "m-000" }) {
		t.Error("the oldest slip is kept")
	}
	// A commit with two matches of ann runs dropOldSlips for her twice. PostgreSQL then deleted half of her slips.
	ok(t, s.do(t.Context(), &request{decide: func(g *group) error {
		g.batch.add(dropOldSlips(), string(person("ann").ID))
		g.batch.add(dropOldSlips(), string(person("ann").ID))
		return nil
	}}))
	equal(t, len(progressOf(t, s, "ann").Slips), len(slips))
}

func testDeletedAccounts(t *testing.T, s *Store) {
	s.record(t, play(t, "match", match.QueueOrigin, person("ann"), person("cyd"), slipping, rules.First)...)
	if len(progressOf(t, s, "ann").Slips) == 0 {
		t.Error("there is no slip to delete")
	}
	for _, name := range []string{"ann", "bob"} {
		mustAnswer(t, s, name, answer(150, 0, true, day(150)))
	}
	ok(t, s.Progress().DeleteAccounts(t.Context(), "ann", "cyd", "unknown"))
	equal(t, s.progressRows(t), "bob answer 150/0\n")
}

func testGuestsWithoutProgress(t *testing.T, s *Store) {
	p, guest := s.Progress(), match.Player{ID: "guest:1", Name: "gus", Guest: true}
	a := answer(150, 0, true, day(150))
	got, err := p.Answer(t.Context(), guest, a)
	ok(t, err)
	equal(t, got, a)
	ok(t, p.FinishRun(t.Context(), guest, progress.Run{Day: 150, Solved: 3, At: day(150)}))
	ok(t, p.CompleteStep(t.Context(), guest, 1, 1))
	ok(t, p.MarkVisited(t.Context(), guest))
	equal(t, s.progressRows(t), "")
	state, err := p.State(t.Context(), guest)
	ok(t, err)
	equal(t, state, progress.State{})
}

// doAll gives ann and bob rows of each kind.
func doAll(t *testing.T, s *Store) {
	t.Helper()
	s.record(t, play(t, "slips", match.QueueOrigin, person("ann"), person("bob"), slipping,
		rules.First)...)
	for _, name := range []string{"ann", "bob"} {
		mustAnswer(t, s, name, answer(150, 2, true, day(150)))
		ok(t, s.Progress().FinishRun(t.Context(), person(name), progress.Run{Day: 150, Solved: 4, At: day(150)}))
		ok(t, s.Progress().CompleteStep(t.Context(), person(name), 2, 3))
		ok(t, s.Progress().MarkVisited(t.Context(), person(name)))
	}
}

func exportAll(t *testing.T, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	ok(t, ExportAll(t.Context(), s, &b))
	return b.String()
}

// An import brings the progress once. Where the store has a row already, the first answer and the better run stay.
func TestProgressMovesIntoAnotherStore(t *testing.T) {
	from, to := openIn(t, t.TempDir()), openIn(t, t.TempDir())
	doAll(t, from)
	text := exportAll(t, from)
	importInto(t, to, text, 1, 0)
	importInto(t, to, text+text, 0, 2)
	for _, name := range []string{"ann", "bob"} {
		equal(t, progressOf(t, to, name), progressOf(t, from, name), name)
	}
	if again := exportAll(t, to); !strings.HasSuffix(again, text) { // after the secret of the accounts
		t.Errorf("exported is\n%s, was\n%s", again, text)
	}
	slip := progressOf(t, to, "ann").Slips[0]
	ok(t, errOf(to.Progress().AnswerSlip(t.Context(), person("ann"), slip.Match, slip.Ply, true, slip.Due)))
	better := progress.Run{Day: 150, Solved: 6, At: day(150)}
	ok(t, to.Progress().FinishRun(t.Context(), person("ann"), better))
	importInto(t, to, text, 0, 1)
	if ann := progressOf(t, to, "ann"); ann.Slips[0].Solved != 1 || ann.BestEver() != 6 {
		t.Errorf("after the import ann has %+v", ann)
	}
}

// An export reads the progress in pages.
func TestAnExportHasAllProgress(t *testing.T) {
	s := openIn(t, t.TempDir())
	const rows = 2*progressPage + 1
	ok(t, s.do(t.Context(), &request{decide: func(g *group) error {
		for n := range rows {
			account := match.PlayerID([]string{"ann", "bob", "cyd"}[n%3])
			row := progressRow{Account: account, Kind: runKind, Item: strconv.Itoa(n), Day: n, At: day(1)}
			row.add(&g.batch)
		}
		return nil
	}}))
	lines := slices.Sorted(strings.Lines(exportAll(t, s)))
	equal(t, len(lines), rows)
	equal(t, len(slices.Compact(lines)), rows)
}

// An import and a player record a run of one account and day. Both requests wait for an earlier group. PostgreSQL
// could not write both rows in one group.
func testImportDuringPlay(t *testing.T, s *Store) {
	line := `{"format":"notakto-progress/1","account":"ann","kind":"run","item":"150","day":150,"value":5,` +
		`"at":"2020-11-27T12:00:00Z"}`
	importInto(t, s, strings.Replace(line, "ann", "bob", 1), 0, 0) // records the secret of the accounts
	blocked, unblock := make(chan struct{}), make(chan struct{})
	results := make(chan error, 3)
	go func() {
		var once sync.Once
		results <- s.do(t.Context(), &request{decide: func(*group) error {
			once.Do(func() { close(blocked) })
			<-unblock
			return nil
		}})
	}()
	<-blocked
	go func() {
		_, _, err := Import(t.Context(), s, strings.NewReader(line))
		results <- err
	}()
	go func() {
		results <- s.Progress().FinishRun(t.Context(), person("ann"), progress.Run{Day: 150, Solved: 7, At: day(150)})
	}()
	for len(s.queue) < 2 && t.Context().Err() == nil {
		runtime.Gosched()
	}
	close(unblock)
	for range 3 {
		ok(t, <-results)
	}
	if ann := progressOf(t, s, "ann"); ann.BestOn(150) != 7 || len(ann.Runs) != 1 {
		t.Errorf("ann has the runs %+v", ann.Runs)
	}
}
