package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"runtime"
	"slices"
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

// A rated pair with a clock of days of which one game has ended, and an open challenge.
func TestAHalfEndedPairAndAChallengeMoveIntoAnotherStore(t *testing.T) {
	from := openIn(t, t.TempDir())
	pair := journaltest.DaysPair(t, "p", "ann", "bob")
	end := func(s *Store, e match.Event) {
		t.Helper()
		ok(t, errOf(s.Append(t.Context(), e)))
	}
	ok(t, errOf(from.Append(t.Context(), pair...)))
	challenge := []match.Event{
		{
			Match: "c", Seq: 1, Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.ChallengeOrigin,
			Player: person("bob"),
		},
		{Match: "c", Seq: 2, Kind: match.Seated, Seat: rules.First, Player: person("ann")},
		{Match: "c", Seq: 3, Kind: match.NoShow, Seat: rules.First},
	}
	ok(t, errOf(from.Append(t.Context(), challenge...)))
	end(from, match.Event{Match: "p-2", Seq: 4, Kind: match.Resigned, Seat: rules.First})
	var b bytes.Buffer
	ok(t, ExportAll(t.Context(), from, &b))
	to := openIn(t, t.TempDir())
	importInto(t, to, b.String(), 3, 0)
	ann := journaltest.SeasonPlayer("ann").ID
	for _, s := range []*Store{from, to} {
		end(s, match.Event{Match: "p", Seq: 5, Kind: match.Resigned, Seat: rules.Second})
		standing, err := s.History().Standing(t.Context(), match.PeoplePool, ann)
		if err != nil || standing.Rating.Pairs != 1 {
			t.Errorf("ann stands at %+v, %v", standing, err)
		}
		before := standingOf(t, s, match.PeoplePool, ann)
		if err := s.Rebuild(t.Context()); err != nil || standingOf(t, s, match.PeoplePool, ann) != before {
			t.Errorf("rebuilt she stands at %s, want %s, %v", standingOf(t, s, match.PeoplePool, ann), before, err)
		}
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
		ok(t, errOf(s.Append(t.Context(), events...)))
		for before := s.Now().UnixMilli(); s.Now().UnixMilli() <= before; {
			runtime.Gosched()
		}
	}
	for _, id := range []match.ID{"m", "z"} { // the table of "a" is still open
		ok(t, s.Archive(t.Context(), id))
	}
	var b bytes.Buffer
	ok(t, ExportAll(t.Context(), s, &b))
	var got []string
	for line := range strings.Lines(b.String()) {
		if _, rest, found := strings.Cut(line, `"match":"`); found && !strings.Contains(line, progressFormat) {
			id, _, _ := strings.Cut(rest, `"`)
			got = append(got, id)
		}
	}
	if want := []string{"z", "a", "m", "on"}; !slices.Equal(got, want) {
		t.Errorf("exported in the order %v, want %v", got, want)
	}
}

// A match of a player deleted since the export is imported unchanged, and known at the next import.
func TestAPlayerIsDeletedBetweenExportAndImport(t *testing.T) {
	from := openIn(t, t.TempDir())
	playSome(t, from)
	var people strings.Builder
	deleted := account.Event{Kind: account.DeletionRequested, Account: "ann", Key: "ann", ShownID: "someoneelsesname"}
	for i, e := range []account.Event{{Kind: account.SecretMade, Secret: make([]byte, 32)}, deleted} {
		entry, err := account.Encode(e)
		if err == nil {
			at := time.Now().Add(-account.UndoPeriod - time.Hour)
			err = writeLine(&people, exportedAccount{accountFormat, uint64(i) + 1, at, entry})
		}
		ok(t, err)
	}
	text := people.String() + exportOfStore(t, from)
	s := openIn(t, t.TempDir())
	importInto(t, s, text, 2, 0)
	importInto(t, s, text, 0, 2)
	if shown := exportOfStore(t, s); strings.Contains(shown, `"account":"ann"`) {
		t.Errorf("the deleted player is shown: %s", shown)
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
			`{"format":"notakto-account-event/1","seq":7,"entry":{"v":1,"kind":"secret","secret":"AA=="}}`,
			ErrBadExport,
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
	events := play(t, "archived", match.QueueOrigin, person("eve"), person("bob"), "notakto/1: A5 A1 A9", rules.NoSide)
	ok(t, errOf(clash.Append(t.Context(), events...)))
	if _, _, err := Import(t.Context(), clash, strings.NewReader(lines[0])); !errors.Is(err, ErrDifferentMatch) {
		t.Errorf("another match of the name: %v", err)
	}
	var all bytes.Buffer
	ok(t, ExportAll(t.Context(), storeWithAccounts(t), &all))
	if _, _, err := Import(t.Context(), storeWithAccounts(t), &all); !errors.Is(err, ErrDifferentAccounts) {
		t.Errorf("into a store with accounts: %v", err)
	}
}

// If a line cannot be imported, and the lines before it cannot be committed, the error says both.
func TestAFailedLineAndAFailedCommit(t *testing.T) {
	from := openIn(t, t.TempDir())
	playSome(t, from)
	text := exportOfStore(t, from)
	line, _, _ := strings.Cut(text, "\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	lines := io.MultiReader(strings.NewReader(line+"\n"), readerFunc(func(p []byte) (int, error) {
		cancel() // the next commit fails
		return copy(p, "no export\n"), nil
	}))
	added, _, err := Import(ctx, openIn(t, t.TempDir()), lines)
	if !errors.Is(err, ErrBadExport) || !errors.Is(err, context.Canceled) || added != 0 {
		t.Errorf("%d matches are added, %v", added, err)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
