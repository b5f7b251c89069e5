package store

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/journaltest"
	"notakto/rules"
)

// exportOfStore returns an export of all matches.
func exportOfStore(t *testing.T, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	n, err := Export(t.Context(), s, &b, time.Time{}, false)
	if err != nil || n != strings.Count(b.String(), "\n") {
		t.Fatalf("%d matches, %v\n%s", n, err, b.String())
	}
	return b.String()
}

func importInto(t *testing.T, s *Store, text string, wantAdded, wantKnown int) {
	t.Helper()
	added, known, err := Import(t.Context(), s, strings.NewReader(text))
	if err != nil || added != wantAdded || known != wantKnown {
		t.Fatalf("the import adds %d and knows %d, want %d and %d, %v", added, known, wantAdded, wantKnown, err)
	}
}

// A store with an imported export writes an export with equal bytes and has an equal history. A second import has no
// effect.
func TestAnExportIsImportedOnce(t *testing.T) {
	s := openIn(t, t.TempDir())
	journaltest.Season(t, s)
	playSome(t, s)
	text := exportOfStore(t, s)
	if n := strings.Count(text, "\n"); n != 362 || strings.Contains(text, `"match":"on"`) {
		t.Fatalf("%d matches are exported", n)
	}
	other := openIn(t, t.TempDir())
	defer other.Subscribe(func(e match.Event) { t.Errorf("event %d of %s was delivered", e.Seq, e.Match) })()
	importInto(t, other, text, 362, 0)
	importInto(t, other, text, 0, 362)
	importInto(t, s, text, 0, 362)
	equal(t, exportOfStore(t, other), text)
	equal(t, other.History().Ladder(match.PeoplePool, 0, 100), s.History().Ladder(match.PeoplePool, 0, 100))
	checkSeason(t, other)
}

// A rated pair with a clock of days of which one game has ended, and an open challenge.
func TestAHalfEndedPairAndAChallengeMoveIntoAnotherStore(t *testing.T) {
	from := openIn(t, t.TempDir())
	pair := journaltest.DaysPair(t, "p", "ann", "bob")
	from.record(t, pair...)
	from.record(t, numbered("c", match.Event{
		Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.ChallengeOrigin, Player: person("bob"),
	}, match.Event{Kind: match.Seated, Seat: rules.First, Player: person("ann")},
		match.Event{Kind: match.NoShow, Seat: rules.First})...)
	from.record(t, match.Event{Match: "p-2", Seq: 4, Kind: match.Resigned, Seat: rules.First})
	to := openIn(t, t.TempDir())
	importInto(t, to, exportAll(t, from), 3, 0)
	ann := journaltest.SeasonPlayer("ann").ID
	for _, s := range []*Store{from, to} {
		s.record(t, match.Event{Match: "p", Seq: 5, Kind: match.Resigned, Seat: rules.Second})
		standing, err := s.History().Standing(t.Context(), match.PeoplePool, ann)
		if err != nil || standing.Rating.Pairs != 1 {
			t.Errorf("ann stands at %+v, %v", standing, err)
		}
		staysInRebuild(t, s)
	}
	if state := to.liveState("c"); !state.IsOpenChallenge() || state.Invited.ID != "bob" {
		t.Errorf("the challenge is %+v", state)
	}
}

// Ratings depend on the order of the ends. The archive has another order.
func TestAllIsExportedInTheOrderOfEnds(t *testing.T) {
	s := openIn(t, t.TempDir())
	ids := []match.ID{"z", "on", "a", "m"}
	for _, id := range ids {
		events := play(t, id, match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.NoSide)
		if id == "on" {
			events = events[:len(events)-1]
		}
		s.record(t, events...)
		for before := s.Now().UnixMilli(); s.Now().UnixMilli() <= before; {
			runtime.Gosched()
		}
	}
	for _, id := range []match.ID{"m", "z"} { // the table of "a" is still open
		ok(t, s.Archive(t.Context(), id))
	}
	var got []string
	for line := range strings.Lines(exportAll(t, s)) {
		if _, rest, found := strings.Cut(line, `"match":"`); found && !strings.Contains(line, progressFormat) {
			id, _, _ := strings.Cut(rest, `"`)
			got = append(got, id)
		}
	}
	equal(t, got, []string{"z", "a", "m", "on"})
}

// A match of a player deleted since the export is imported unchanged, and known at the next import. The progress of a
// deleted account is neither imported nor exported.
func TestAPlayerIsDeletedBetweenExportAndImport(t *testing.T) {
	from, s := openIn(t, t.TempDir()), openIn(t, t.TempDir())
	doAll(t, from)
	var people strings.Builder
	deleted := account.Event{Kind: account.DeletionRequested, Account: "ann", Key: "ann", ShownID: "someoneelsesname"}
	for i, e := range []account.Event{{Kind: account.SecretMade, Secret: make([]byte, 32)}, deleted} {
		entry, err := account.Encode(e)
		ok(t, err)
		at := time.Now().Add(-account.UndoPeriod - time.Hour)
		ok(t, writeLine(&people, exportedAccount{accountFormat, uint64(i) + 1, at, entry}))
	}
	all := exportAll(t, from)
	text := people.String() + exportOfStore(t, from) + all
	importInto(t, s, text, 1, 1)
	importInto(t, s, text, 0, 2)
	if rows := s.progressRows(t); !strings.Contains(rows, "bob answer") || strings.Contains(rows, "ann") {
		t.Errorf("imported are %s", rows)
	}
	mustAnswer(t, s, "ann", answer(151, 0, true, day(151)))
	shown := exportOfStore(t, s)
	all = exportAll(t, s)
	if strings.Contains(shown, `"account":"ann"`) || strings.Contains(all, `"account":"ann","kind"`) {
		t.Errorf("the deleted player is exported: %s%s", shown, all)
	}
}

// storeWithAccounts returns a store with a secret of its own for accounts.
func storeWithAccounts(t *testing.T) *Store {
	t.Helper()
	s := openIn(t, t.TempDir())
	_, stop, err := account.Open(t.Context(), s.Accounts(), nil, s.Now)
	ok(t, err)
	stop()
	return s
}

// Import refuses lines that no server has written, and imports the lines before.
func TestBadExports(t *testing.T) {
	s := openIn(t, t.TempDir())
	playSome(t, s)
	lines := strings.SplitAfter(exportOfStore(t, s), "\n")
	bad := map[string]string{
		"no JSON":           "hello\n",
		"another format":    `{"format":"notakto-match/2"}`,
		"another match":     strings.Replace(lines[1], `"match":"over"`, `"match":"other"`, 1),
		"another winner":    strings.Replace(lines[1], `"winner":`, `"winner":1`, 1),
		"a record of bytes": `{"format":"notakto-live/1","match":"a","record":"AAAA"}`,
		"a gap of accounts": `{"format":"notakto-account-event/1","seq":7,` +
			`"entry":{"v":1,"kind":"secret","secret":"AA=="}}`,
		"a long line": strings.Repeat("x", maxLine+1),
	}
	progress := `{"format":"notakto-progress/1","account":"ann","kind":"answer","item":"150/2","day":150,"value":1,` +
		`"detail":"A5","at":"2020-11-27T12:00:00Z"}`
	for _, change := range [][2]string{
		{`"answer"`, `"other"`}, {`"150/2"`, `"150"`}, {`"150/2"`, `"150/-2"`}, {`"A5"`, `"Z5"`}, {`"A5"`, `"\u0000"`},
		{`"ann"`, `""`}, {`"ann"`, `"a n\u0000"`}, {`2020-11-27`, `2990-11-27`}, {`"answer"`, `"slip"`},
		{`"kind":"answer","item":"150/2"`, `"kind":"lesson","item":"7"`}, {`:1,`, `:"1",`},
	} {
		bad["progress with "+change[1]] = strings.Replace(progress, change[0], change[1], 1)
	}
	for name, line := range bad {
		other := openIn(t, t.TempDir())
		added, _, err := Import(t.Context(), other, strings.NewReader(lines[0]+line+"\n"+lines[1]))
		if !errors.Is(err, ErrBadExport) || added != 1 || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %d matches are added, %v", name, added, err)
		}
		if n := length(t, other, "archived"); n == 0 {
			t.Errorf("%s: the match of the first line is not there", name)
		}
	}
	importInto(t, s, progress, 0, 0)
	clash := openIn(t, t.TempDir())
	events := play(t, "archived", match.QueueOrigin, person("eve"), person("bob"), "notakto/1: A5 A1 A9", rules.NoSide)
	clash.record(t, events...)
	_, _, err := Import(t.Context(), clash, strings.NewReader(lines[0]))
	errorIs(t, err, ErrDifferentMatch)
	_, _, err = Import(t.Context(), storeWithAccounts(t), strings.NewReader(exportAll(t, storeWithAccounts(t))))
	errorIs(t, err, ErrDifferentAccounts)
}
