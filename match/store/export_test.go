package store

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
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

// An export, imported into an empty store, exports the same, byte for byte, with the same history; a second import
// changes nothing.
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
	if got := exportOfStore(t, other); got != text {
		t.Error("what was imported is exported otherwise")
	}
	want := s.History().Ladder(match.PeoplePool, 0, 100)
	if got := other.History().Ladder(match.PeoplePool, 0, 100); len(want) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("the ladder is %+v, want %+v", got, want)
	}
	checkSeason(t, other)
}

func TestAnExportAsText(t *testing.T) {
	s := openIn(t, t.TempDir())
	playSome(t, s)
	var b bytes.Buffer
	if n, err := Export(t.Context(), s, &b, time.Time{}, true); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	for _, want := range []string{"[Match \"archived\"]\n", "[Second \"bob\"]\n", "\nnotakto/1: A5 A1 A9\n\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in %s", want, &b)
		}
	}
	b.Reset()
	if n, err := Export(t.Context(), s, &b, s.Now().Add(time.Hour), true); err != nil || n != 0 || b.Len() > 0 {
		t.Errorf("%d matches have ended in an hour, %v", n, err)
	}
}

// playThree plays two finished matches, of which one is archived, and one in progress.
func playThree(t *testing.T, s *Store) {
	t.Helper()
	for _, id := range []match.ID{"archived", "over", "on"} {
		game, moves := "notakto/1: A5 A1 A9", 6
		if id == "on" {
			game, moves = "notakto/1: A5", 4
		}
		events := play(t, id, match.QueueOrigin, person("ann"), person("bob"), game, rules.Nobody)
		if len(events) != moves {
			t.Fatal(events)
		}
		for _, e := range events {
			if _, err := s.Append(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Archive(t.Context(), "archived"); err != nil {
		t.Fatal(err)
	}
}

// A server moves into another store whole: accounts, finished matches and matches in progress, with their times.
func TestAStoreMovesIntoAnother(t *testing.T) {
	from := openIn(t, t.TempDir())
	people := from.Accounts()
	_, stop, err := account.Open(t.Context(), people, nil, from.Now) // makes the secret
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	claim := account.Event{
		Seq: 2, Kind: account.NameClaimed, Account: "aaaabbbbccccdddd", Key: "aaaabbbbccccdddd", Name: "Ann<&>",
	}
	if _, err := people.Append(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	playThree(t, from)
	var b bytes.Buffer
	if err := ExportAll(t.Context(), from, &b); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, t.TempDir())
	importInto(t, s, b.String(), 3, 0)
	importInto(t, s, b.String(), 0, 3)
	want := from.accountEvents()
	for i, got := range s.accountEvents() {
		if !got.At.Equal(want[i].At) {
			t.Errorf("event %d is of %v, want %v", i, got.At, want[i].At)
		}
		got.At = want[i].At
		if !reflect.DeepEqual(got, want[i]) {
			t.Errorf("event %d of the accounts is %+v, want %+v", i, got, want[i])
		}
	}
	for _, id := range []match.ID{"archived", "over", "on"} {
		got, err := s.Load(t.Context(), id, 0)
		want, _ := from.Load(t.Context(), id, 0)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v, %v", id, got, want, err)
		}
	}
	next := match.Event{Match: "on", Seq: 5, Kind: match.Resigned, Seat: rules.Second}
	if _, err := s.Append(t.Context(), next); err != nil {
		t.Errorf("the match in progress goes on with %v", err)
	}
	totals, err := s.History().Totals(t.Context(), "ann")
	if want := (history.Totals{Matches: 3, Won: 1, Lost: 2}); err != nil || totals.Matches != want.Matches {
		t.Errorf("ann has %+v, %v", totals, err)
	}
	if c, err := s.Inspect(t.Context()); err != nil || c != (Contents{Finished: 3}) {
		t.Errorf("the store has %+v, %v", c, err)
	}
	if _, _, err := Import(t.Context(), storeWithAccounts(t), &b); !errors.Is(err, ErrOtherAccounts) {
		t.Errorf("into a store with accounts: %v", err)
	}
}

// Matches are exported in the order of their ends, which decides ratings, and not in that of the archive.
func TestAllIsExportedInTheOrderOfEnds(t *testing.T) {
	s := openIn(t, t.TempDir())
	ids := []match.ID{"z", "on", "a", "m"}
	for _, id := range ids {
		events := play(t, id, match.QueueOrigin, person("ann"), person("bob"), "notakto/1: A5 A1 A9", rules.Nobody)
		if id == "on" {
			events = events[:len(events)-1]
		}
		if _, err := s.Append(t.Context(), events...); err != nil {
			t.Fatal(err)
		}
		for before := s.Now().UnixMilli(); s.Now().UnixMilli() <= before; {
			runtime.Gosched()
		}
	}
	for _, id := range []match.ID{"m", "z"} { // the table of "a" is still open
		if err := s.Archive(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := ExportAll(t.Context(), s, &b); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(b.String()) {
		if _, rest, found := strings.Cut(line, `"match":"`); found {
			id, _, _ := strings.Cut(rest, `"`)
			got = append(got, id)
		}
	}
	if want := []string{"z", "a", "m", "on"}; !slices.Equal(got, want) {
		t.Errorf("exported in the order %v, want %v", got, want)
	}
}

// A match whose player was deleted since it was exported is imported as it is, and known afterwards.
func TestAPlayerIsDeletedBetweenExportAndImport(t *testing.T) {
	from := openIn(t, t.TempDir())
	playSome(t, from)
	var people strings.Builder
	deleted := account.Event{Kind: account.DeletionAsked, Account: "ann", Key: "ann", Instead: "someoneelsesname"}
	for i, e := range []account.Event{{Kind: account.SecretMade, Secret: make([]byte, 32)}, deleted} {
		entry, err := account.Encode(e)
		if err == nil {
			at := time.Now().Add(-account.UndoWithin - time.Hour)
			err = writeLine(&people, exportedAccount{accountFormat, uint64(i) + 1, at, entry})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text := people.String() + exportOfStore(t, from)
	s := openIn(t, t.TempDir())
	importInto(t, s, text, 2, 0)
	importInto(t, s, text, 0, 2)
	if shown := exportOfStore(t, s); strings.Contains(shown, `"account":"ann"`) {
		t.Errorf("the deleted player is shown: %s", shown)
	}
}

// storeWithAccounts returns a store whose accounts have a secret of their own.
func storeWithAccounts(t *testing.T) *Store {
	t.Helper()
	s := openIn(t, t.TempDir())
	_, stop, err := account.Open(t.Context(), s.Accounts(), nil, s.Now)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	return s
}

// Lines that no server has written are refused, and the lines before are imported.
func TestBadExports(t *testing.T) {
	s := openIn(t, t.TempDir())
	playSome(t, s)
	lines := strings.SplitAfter(exportOfStore(t, s), "\n")
	for name, test := range map[string]struct {
		line string
		want error
	}{
		"no JSON":           {"hello\n", ErrBadExport},
		"another format":    {`{"format":"notakto-match/2"}`, ErrBadExport},
		"another match":     {strings.Replace(lines[1], `"match":"over"`, `"match":"other"`, 1), ErrBadExport},
		"another winner":    {strings.Replace(lines[1], `"winner":`, `"winner":1`, 1), ErrBadExport},
		"a record of bytes": {`{"format":"notakto-live/1","match":"a","record":"AAAA"}`, ErrBadExport},
		"a gap of accounts": {
			`{"format":"notakto-account-event/1","seq":7,"entry":{"v":1,"kind":"secret","secret":"AA=="}}`, ErrBadExport,
		},
		"a long line": {strings.Repeat("x", maxLine+1), ErrBadExport},
	} {
		other := openIn(t, t.TempDir())
		added, _, err := Import(t.Context(), other, strings.NewReader(lines[0]+test.line+"\n"+lines[1]))
		if !errors.Is(err, test.want) || added != 1 || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %d matches are added, %v", name, added, err)
		}
		if n := length(t, other, "archived"); n == 0 {
			t.Errorf("%s: the match of the first line is not there", name)
		}
	}
	clash := openIn(t, t.TempDir())
	events := play(t, "archived", match.QueueOrigin, person("eve"), person("bob"), "notakto/1: A5 A1 A9", rules.Nobody)
	if _, err := clash.Append(t.Context(), events...); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Import(t.Context(), clash, strings.NewReader(lines[0])); !errors.Is(err, ErrOtherContent) {
		t.Errorf("another match of the name: %v", err)
	}
}
