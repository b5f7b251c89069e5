package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
	"notakto/match/journaltest"
	"notakto/rules"
)

// The data of release 1.0 moves into a store. The store has every account and match of its export, and continues the
// matches in progress. In sshapp/cli/player the commands answer as the release did.
func TestARelease(t *testing.T) { testRelease(t, openIn(t, t.TempDir())) }

func testRelease(t *testing.T, s *Store) {
	text, err := os.ReadFile(filepath.Join("testdata", "release-1.0.jsonl"))
	ok(t, err)
	accounts, finished, live := readRelease(t, text)
	n := len(finished) + len(live)
	importInto(t, s, string(text), n, 0)
	importInto(t, s, string(text), 0, n)

	got := s.accountEvents()
	for i := range got {
		got[i].At = got[i].At.UTC()
	}
	equal(t, got, accounts)
	running := 0
	all := maps.Clone(finished)
	maps.Copy(all, live)
	for id, want := range all {
		got, err := s.Load(t.Context(), id, 0)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v, %v", id, got, want, err)
		}
		if state := journaltest.Fold(t, want...); !state.IsOver() {
			running++
		}
	}
	equal(t, inspected(t, s), Contents{Finished: n - running, Live: running})

	resigned := 0
	for id, events := range live {
		state := journaltest.Fold(t, events...)
		if state.IsOver() || !state.HasStarted() {
			continue
		}
		resigned++
		last := match.Event{Match: id, Seq: uint64(len(events)) + 1, Kind: match.Resigned, Seat: rules.First}
		s.record(t, last)
	}
	equal(t, inspected(t, s), Contents{Finished: n - running + resigned, Live: running - resigned})
	// One table waits for its second player, and one rated pair is between its games.
	if resigned < 3 || running == resigned || len(live) == running || len(finished) < 12 {
		t.Errorf("the export has %d finished matches, %d at tables, of which %d are not over and %d have begun",
			len(finished), len(live), running, resigned)
	}
	importInto(t, s, string(text), 0, n)
}

// readRelease returns the content of an export, line by line.
func readRelease(t *testing.T, text []byte) (accounts []account.Event, finished, live map[match.ID][]match.Event) {
	t.Helper()
	finished, live = make(map[match.ID][]match.Event), make(map[match.ID][]match.Event)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var line struct {
			Format string          `json:"format"`
			Record []byte          `json:"record"`
			Seq    uint64          `json:"seq"`
			At     time.Time       `json:"at"`
			Entry  json.RawMessage `json:"entry"`
		}
		ok(t, json.Unmarshal(lines.Bytes(), &line))
		if line.Format == accountFormat {
			e, err := account.Decode(line.Entry)
			ok(t, err)
			e.Seq, e.At = line.Seq, line.At.UTC()
			accounts = append(accounts, e)
			continue
		}
		r, err := codec.DecodeRecord(line.Record)
		ok(t, err)
		into := finished
		if line.Format == liveFormat {
			into = live
		}
		into[r.ID] = r.Events
	}
	return accounts, finished, live
}
