package journal

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// What a released version wrote is read by every later one: NAME.tar.gz is the journal of a server that was stopped,
// NAME.backup its backup, and NAME.jsonl its export. None of them is ever written again.
func TestEveryStoredJournalIsRead(t *testing.T) {
	all, err := filepath.Glob(filepath.Join("testdata", "*.tar.gz"))
	if err != nil || len(all) == 0 {
		t.Fatalf("stored: %v, %v", all, err)
	}
	for _, path := range all {
		name := strings.TrimSuffix(path, ".tar.gz")
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			stopped, restored := t.TempDir(), filepath.Join(t.TempDir(), "data")
			if out, err := exec.Command("tar", "xzf", path, "-C", stopped).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			f, err := os.Open(name + ".backup")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			c, err := Restore(t.Context(), f, restored, slog.New(slog.DiscardHandler))
			if err != nil || c.Finished != bytes.Count(want, []byte("\n")) || c.Live == 0 || c.Damaged > 0 {
				t.Fatalf("%d finished, %d live, %d damaged, %v", c.Finished, c.Live, c.Damaged, err)
			}
			for _, dir := range []string{stopped, restored} {
				s := open(t, natsd.Config{Dir: dir})
				var got bytes.Buffer
				if _, err := Export(t.Context(), s, &got, time.Time{}, false); err != nil || got.String() != string(want) {
					t.Errorf("the matches of %s are\n%s%v\nwant\n%s", dir, got.String(), err, want)
				}
				isSameAccounts(t, s, stopped)
				continues(t, s)
			}
		})
	}
}

// isSameAccounts expects the secret that the stored journal has in a file.
func isSameAccounts(t *testing.T, s *Store, stopped string) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(stopped, "journal", "secret"))
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(s.node.Path("secret")); err != nil || !bytes.Equal(now, before) {
		t.Errorf("keys have other accounts, %v", err)
	}
}

// continues expects a match in progress that can be played on.
func continues(t *testing.T, s *Store) {
	t.Helper()
	played := 0
	for _, id := range s.index.ids() {
		events, err := s.Load(t.Context(), id, 0)
		state, ok := fold(events)
		if err != nil || !ok {
			t.Errorf("%s has %d events, %v", id, len(events), err)
		}
		if state.Over() { // not archived before the stop
			continue
		}
		next := match.Event{Match: id, Seq: uint64(len(events)) + 1, Kind: match.Resigned, Seat: 1}
		if _, err := s.Append(t.Context(), next); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		played++
	}
	if played == 0 {
		t.Error("no match is in progress")
	}
}
