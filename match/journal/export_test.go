package journal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/journal/natsd"
	"notakto/rules"
)

func exportAll(t *testing.T, s *Store, want int) string {
	t.Helper()
	var b bytes.Buffer
	n, err := Export(t.Context(), s, &b, time.Time{}, false)
	if err != nil || n != want || strings.Count(b.String(), "\n") != want {
		t.Fatalf("%d matches, %v\n%s", n, err, b.String())
	}
	return b.String()
}

// An export, imported into an empty server, exports the same, byte for byte; a second import changes nothing.
func TestAnExportIsImportedOnce(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	for _, id := range []match.ID{"first", "second", "third"} {
		if err := play(t.Context(), s, id, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := play(t.Context(), s, "goeson", false); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all to be archived", func() bool { return s.ArchiveEnd() == 3 })
	putAll(t, s, shortMatch("lingers", true)) // over, and not archived yet
	text := exportAll(t, s, 4)
	want := `{"format":"notakto-match/1","match":"first","variant":"notakto/3","players":[` +
		`{"account":"n4bqgyhmfwwal2qg","name":"ann"},{"account":"m4bqgyhmfwwal2qg","name":"bob"}],"began":"20`
	if !strings.HasPrefix(text, want) ||
		!strings.Contains(text, `"winner":1,"reason":"resign","game":"notakto/3: A5","record":"`) {
		t.Error(text)
	}
	other := open(t, natsd.Config{Memory: true})
	for i, want := range [][2]int{{4, 0}, {0, 4}} {
		added, known, err := Import(t.Context(), other, strings.NewReader(text))
		if err != nil || added != want[0] || known != want[1] {
			t.Errorf("import %d adds %d, knows %d, %v", i+1, added, known, err)
		}
	}
	if got := exportAll(t, other, 4); got != text {
		t.Errorf("exported again:\n%swant\n%s", got, text)
	}
	if _, known, err := Import(t.Context(), s, strings.NewReader(text)); err != nil || known != 4 {
		t.Errorf("where they come from %d are known, %v", known, err)
	}
	var games bytes.Buffer
	if _, err := Export(t.Context(), other, &games, time.Time{}, true); err != nil {
		t.Fatal(err)
	}
	if got := games.String(); !strings.HasPrefix(got, "[Match \"first\"]\n[Variant \"notakto/3\"]\n[First \"ann\"]\n") ||
		!strings.Contains(got, "[Winner \"1\"]\n[Reason \"resign\"]\nnotakto/3: A5\n\n[Match") {
		t.Error(got)
	}
}

func TestAnImportIsChecked(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	if err := play(t.Context(), s, "first", true); err != nil {
		t.Fatal(err)
	}
	line := exportAll(t, s, 1)
	events, err := s.Load(t.Context(), "first", 0)
	if err != nil {
		t.Fatal(err)
	}
	events[3].Move.Cell = 1
	record, err := codec.EncodeRecord(codec.Record{ID: "first", Events: events})
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(line, `"record":"`)
	another := strings.Replace(head, "A5", "A1", 1) + `"record":"` + base64.StdEncoding.EncodeToString(record) + "\"}\n"
	for _, test := range []struct {
		text string
		want error
	}{
		{another, ErrOtherContent},
		{strings.Replace(line, "match/1", "match/2", 1), ErrBadExport},
		{strings.Replace(line, "A5", "A1", 1), ErrBadExport},
		{strings.Replace(line, `"first"`, `"other"`, 1), ErrBadExport},
		{strings.Replace(line, `"winner":1`, `"winner":2`, 1), ErrBadExport},
		{"nonsense", ErrBadExport},
		{"{}", ErrBadExport},
		{line[:len(line)/2], ErrBadExport},
	} {
		added, _, err := Import(t.Context(), s, strings.NewReader(line+test.text))
		if !errors.Is(err, test.want) || added > 0 || !strings.HasPrefix(err.Error(), "line 2: ") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%.200q: %d added, %v", test.text, added, err)
		}
	}
}

// An export of another operator shows the players what it says: the names and accounts in it are such as a server
// writes itself, and not what drives their terminals. A match has ended by the time that it is imported.
func TestAnImportIsNotOfWhatNoServerWrites(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	events := shortMatch("first", true)
	for name, change := range map[string]func(player *match.Player, at *time.Time){
		"an escape in a name":     func(p *match.Player, _ *time.Time) { p.Name = "ann\x1b[2J" },
		"a line break in a name":  func(p *match.Player, _ *time.Time) { p.Name = "ann\nbob" },
		"a name to the left":      func(p *match.Player, _ *time.Time) { p.Name = "ann\u202e" },
		"a name that is no UTF-8": func(p *match.Player, _ *time.Time) { p.Name = "ann\xff" },
		"a long name":             func(p *match.Player, _ *time.Time) { p.Name = strings.Repeat("ann", 100) },
		"an escape in an account": func(p *match.Player, _ *time.Time) { p.ID = "ann\x1b[2J" },
		"another's account":       func(p *match.Player, _ *time.Time) { p.ID = "\u0430nn" },
		"a match of the future":   func(_ *match.Player, at *time.Time) { *at = time.Now().AddDate(1, 0, 0) },
	} {
		other := slices.Clone(events)
		for i := range other {
			at := time.Now().Add(-time.Hour)
			if i == 1 {
				change(&other[i].Player, new(time.Time))
			}
			if i == len(other)-1 {
				change(new(match.Player), &at)
			}
			other[i].Match, other[i].Seq, other[i].At = "first", uint64(i+1), at
		}
		m, ok, err := s.exportOf(other)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", name, ok, err)
		}
		line, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		added, _, err := Import(t.Context(), s, bytes.NewReader(line))
		if !errors.Is(err, ErrBadExport) || added > 0 {
			t.Errorf("%s: %d added, %v", name, added, err)
		}
	}
}

// The game of a rated match begins with an opening, and is read back from its notation.
func TestTheGameOfARatedMatchHasItsOpening(t *testing.T) {
	start, err := rules.ParsePosition("X......../.X......./..X....../........X")
	if err != nil {
		t.Fatal(err)
	}
	s := match.State{Result: match.Result{Terms: match.Terms{Variant: start.Variant()}, Start: start},
		Moves: []rules.Move{{Board: 1, Cell: 5}}}
	game, err := rules.ParseGame(gameOf(&s))
	if want, _ := start.Play(s.Moves[0]); err != nil || game.Position != want {
		t.Errorf("%s: %v", gameOf(&s), err)
	}
}
