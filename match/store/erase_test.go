package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/journaltest"
	"notakto/rules"
)

// filesWith returns the files of a directory that contain one of the texts.
func filesWith(t *testing.T, dir string, texts ...string) (found string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				found += path + " has " + text + "\n"
			}
		}
		return err
	})
	ok(t, err)
	return found
}

// No file contains an erased account. Its replacement has the matches and an otherwise equal history. A backup from
// before is restored without the account.
func TestErasedAccountsAreNowhere(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	ann := match.Player{ID: "aaaaaaaaaaaaaaaa", Name: "annette"}
	bob := match.Player{ID: "bbbbbbbbbbbbbbbb", Name: "bobby"}
	cyd, dan := match.Player{ID: "cccccccccccccccc"}, match.Player{ID: "dddddddddddddddd"} // without a match
	_, stop, err := account.Open(t.Context(), s.Accounts(), nil, s.Now)
	ok(t, err)
	stop()
	decide := func(s *Store, e account.Event) {
		t.Helper()
		e.Seq = uint64(len(s.accountEvents())) + 1
		ok(t, errOf(s.Accounts().Append(t.Context(), e)))
	}
	for _, p := range []match.Player{ann, bob} {
		decide(s, account.Event{
			Kind: account.NameClaimed, Account: p.ID, Key: account.KeyID(p.ID), Name: p.Name, Looks: []string{p.Name},
		})
	}
	decide(s, account.Event{Kind: account.Blocked, Account: bob.ID, Key: account.KeyID(bob.ID), Player: ann.ID})
	decide(s, account.Event{Kind: account.Banned, Ban: &account.Ban{
		Subject: account.Subject{Account: ann.ID}, Reason: "spam of @Annette", By: string(bob.ID),
	}})
	for _, events := range [][]match.Event{
		play(t, "archived", match.QueueOrigin, ann, bob, "notakto/1: A5 A1 A9", rules.NoSide),
		awayFrom(play(t, "over", match.QueueOrigin, bob, ann, "notakto/1: A5 A1 A9", rules.NoSide)),
		play(t, "on", match.QueueOrigin, ann, bob, "notakto/1: A5", rules.NoSide),
		{
			{
				Match: "asked", Seq: 1, Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.ChallengeOrigin,
				Player: ann,
			},
			{Match: "asked", Seq: 2, Kind: match.Seated, Seat: rules.First, Player: bob},
		},
	} {
		s.record(t, events...)
	}
	journaltest.PlayPair(t, s, match.PeoplePool, "rated", "ann", "bob", true)
	rated, met := journaltest.SeasonPlayer("ann"), journaltest.SeasonPlayer("bob")
	ok(t, s.Archive(t.Context(), "archived"))
	ok(t, s.Audit().Append(t.Context(), "ban add", []byte(`{"object":"@annette"}`)))
	for _, p := range []match.Player{ann, bob} {
		s.mustClaim(t, string(p.ID), "turn", s.Now(), ClaimGranted)
		ok(t, errOf(s.Progress().Answer(t.Context(), p, answer(150, 0, true, day(150)))))
	}
	s.mustClaim(t, string(cyd.ID), "turn", s.Now(), ClaimGranted)
	ok(t, errOf(s.Progress().Answer(t.Context(), dan, answer(150, 0, true, day(150)))))
	before := map[match.ID][]match.Event{
		"archived": nil, "over": nil, "on": nil, "rated": nil, "rated-2": nil, "asked": nil,
	}
	for id := range before {
		before[id], _ = s.Load(t.Context(), id, 0)
	}
	older := backUp(t, s, nil)
	choose := func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
		if !stored[ann.ID] || !stored[rated.ID] || stored["unknown"] {
			t.Errorf("stored are %v", stored)
		}
		return d.NewErasure(ann.ID, rated.ID, met.ID, cyd.ID, dan.ID, "unknown"), nil
	}
	errorIs(t, errOf(Erase(t.Context(), Config{Dir: dir}, choose)), ErrRunning)
	ok(t, s.Close())
	erased, err := Erase(t.Context(), Config{Dir: dir}, choose)
	if err != nil || len(erased) != 5 {
		t.Fatalf("erased %v, %v", erased, err)
	}
	traces := []string{
		string(ann.ID), string(rated.ID), string(met.ID), string(cyd.ID), string(dan.ID), "annette", "Annette",
	}
	equal(t, filesWith(t, dir, traces...), "")

	s = openIn(t, dir)
	for id, events := range before {
		for i, e := range events {
			if instead, ok := erased[e.Player.ID]; ok {
				events[i].Player.ID, events[i].Player.Name = instead, account.GivenName(instead)
			}
		}
		if got, err := s.Load(t.Context(), id, 0); err != nil || !reflect.DeepEqual(got, events) {
			t.Errorf("%s is %v, %v\nwant %v", id, got, err, events)
		}
	}
	equal(t, inspected(t, s), Contents{Finished: 4, Live: 2})
	equal(t, s.noticeRows(t)+s.progressRows(t),
		"bbbbbbbbbbbbbbbb turn\nbbbbbbbbbbbbbbbb answer 150/0\nbbbbbbbbbbbbbbbb slip over/3\n")
	slips, err := s.Progress().State(t.Context(), bob)
	if err != nil || slips.Slips[0].Opponent.ID != erased[ann.ID] {
		t.Errorf("bob's slips are %+v, %v", slips, err)
	}
	d, stop, err := account.Open(t.Context(), s.Accounts(), nil, s.Now)
	ok(t, err)
	defer stop()
	if got := d.Info(bob.ID).Blocked; len(got) != 1 || got[0] != erased[ann.ID] || !d.Blocks(erased[ann.ID], bob.ID) {
		t.Errorf("bob blocks %v", got)
	}
	h := s.History()
	all, err := h.List(t.Context(), bob.ID, 0, 10, true)
	if instead := erased[ann.ID]; err != nil || len(all) != 2 || all[0].Opponent.ID != instead ||
		all[0].Opponent.Name != account.GivenName(instead) {
		t.Errorf("bob has played %+v, %v", all, err)
	}
	equal(t, unseen(t, s, bob.ID)+unseen(t, s, ann.ID)+unseen(t, s, erased[ann.ID]), "over")
	for id, want := range map[match.PlayerID]int{ann.ID: 0, erased[ann.ID]: 2, rated.ID: 0, erased[rated.ID]: 2} {
		equal(t, totalsOf(t, s, id).Matches, want, id)
	}
	if standing, err := h.Standing(t.Context(), match.PeoplePool, erased[rated.ID]); err != nil || standing.Won != 1 {
		t.Errorf("the account in the place of the erased one stands at %+v, %v", standing, err)
	}
	_ = s.Audit().Read(t.Context(), time.Time{}, 10, func(_ time.Time, record []byte) error {
		if want := `{"object":"@` + account.GivenName(erased[ann.ID]) + `"}`; string(record) != want {
			t.Errorf("the audit has %s, want %s", record, want)
		}
		return nil
	})
	staysInRebuild(t, s)

	restored := t.TempDir()
	notes, err := os.ReadFile(filepath.Join(dir, erasedFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(restored, erasedFile), notes, 0o600)
	}
	ok(t, err)
	_, c, err := RestoreBackup(t.Context(), bytes.NewReader(older), restored, silent())
	if err != nil || c.Erased == 0 {
		t.Fatalf("restored %+v, %v", c, err)
	}
	equal(t, filesWith(t, restored, traces...), "", "from a backup from before")
	equal(t, length(t, openIn(t, restored), "archived"), 6)
}

// awayFrom returns the events of a match that both players leave before the last event.
func awayFrom(events []match.Event) []match.Event {
	last := events[len(events)-1]
	for _, side := range rules.Sides() {
		events = append(events[:len(events)-1], match.Event{Match: last.Match, Seq: last.Seq, Kind: match.Left,
			Seat: side})
		last.Seq++
		events = append(events, last)
	}
	return events
}

// dumpHistory returns all rows of the history, and the ladder.
func dumpHistory(t *testing.T, s *Store) (all []any) {
	t.Helper()
	for _, query := range []string{
		`SELECT * FROM finished ORDER BY 1`, `SELECT * FROM played ORDER BY 1, 2`, `SELECT * FROM unseen ORDER BY 1, 2`,
		`SELECT * FROM player ORDER BY 1`,
		`SELECT * FROM pairing ORDER BY 1, 2`,
		`SELECT pool, player, name, points, deviation, volatility, pairs, won, split,
		lost, ended FROM rating ORDER BY 1, 2`, `SELECT * FROM rated ORDER BY 1, 2, 3`,
		`SELECT * FROM meeting ORDER BY 1, 2, 3, 4`,
	} {
		err := s.read(t.Context(), func(db querier) error {
			rows, err := db.QueryContext(t.Context(), query)
			if err != nil {
				return err
			}
			columns, err := rows.Columns()
			if err != nil {
				return err
			}
			for rows.Next() {
				row, into := make([]any, len(columns)), make([]any, len(columns))
				for i := range row {
					into[i] = &row[i]
				}
				if err := rows.Scan(into...); err != nil {
					return err
				}
				all = append(all, row)
			}
			return errors.Join(rows.Err(), rows.Close())
		})
		ok(t, err)
	}
	if len(all) == 0 {
		t.Fatal("there is no history")
	}
	return append(all, s.History().Ladder(match.PeoplePool, 0, 100))
}

// staysInRebuild checks that a history computed anew from the matches is equal.
func staysInRebuild(t *testing.T, s *Store) {
	t.Helper()
	want := dumpHistory(t, s)
	ok(t, s.Rebuild(t.Context()))
	equal(t, dumpHistory(t, s), want, "computed anew, the history is")
}

// Rebuild restores the history after any damage.
func testRebuild(t *testing.T, s *Store) {
	season := journaltest.SeasonGames()
	for i, m := range season {
		s.record(t, m.Events...)
		if i%2 == 0 {
			continue // so that it stays live
		}
		for _, id := range []match.ID{m.ID, season[max(i-3, 0)].ID} { // in another order than they ended
			ok(t, s.Archive(t.Context(), id))
		}
	}
	want := dumpHistory(t, s)
	err := s.doFirst(t.Context(), func(g *group, flush func() error) error {
		for _, spoil := range []string{`UPDATE rating SET points = 1`, `DELETE FROM player`,
			`UPDATE pairing SET won = 7`, `DELETE FROM meeting`, `UPDATE finished SET plies = 7`, `DELETE FROM rated`} {
			g.batch.add(statement(spoil))
		}
		return flush()
	})
	ok(t, err)
	ok(t, s.Rebuild(t.Context()))
	equal(t, dumpHistory(t, s), want)
	equal(t, totalsOf(t, s, journaltest.SeasonPlayer("hal").ID).Matches, 72)
}

// A change that fails halfway is rolled back, and the requests of its group are committed.
func TestFailingMaintenance(t *testing.T) {
	s := openIn(t, t.TempDir())
	playSome(t, s)
	want := dumpHistory(t, s)
	broken := errors.New("broken")
	err := s.doFirst(t.Context(), func(g *group, flush func() error) error {
		g.batch.add(statement(`DELETE FROM finished`))
		ok(t, flush())
		g.add(auditRow, "half", 0, nil)
		return broken
	})
	errorIs(t, err, broken)
	equal(t, dumpHistory(t, s), want, "half of it was done")
	mustAppend(t, s, "odd", 2, 3)
}

// In the past a failed erasure was recorded, and a backup that was restored later lacked the account.
func TestAFailedErasureIsNotNoted(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	journaltest.Season(t, s)
	hal := journaltest.SeasonPlayer("hal").ID
	err := s.doFirst(t.Context(), func(g *group, _ func() error) error {
		g.add(eventRow, "odd", 1, []byte("no event: "+string(hal)))
		return nil
	})
	ok(t, err)
	ok(t, s.Close())
	path := filepath.Join(dir, erasedFile)
	for _, before := range []string{"", "trace instead\n"} {
		if before != "" {
			ok(t, os.WriteFile(path, []byte(before), 0o600))
		}
		_, err := Erase(t.Context(), Config{Dir: dir}, func(*account.Directory, map[match.PlayerID]bool) (
			account.Erasure, error,
		) {
			return account.Erasure{hal: "somebody"}, nil
		})
		errorIs(t, err, errUnreadableRow)
		if text, err := os.ReadFile(path); string(text) != before || (err == nil) != (before != "") {
			t.Errorf("noted is %q, %v; want %q", text, err, before)
		}
	}
}
