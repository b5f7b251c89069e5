package journal

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// annsKey is the fingerprint of the key that [journaltest.Events] has, as older versions recorded it.
const annsKey = "SHA256:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg"

func TestPeopleIsALogOfAccounts(t *testing.T) {
	for name, config := range kinds() {
		t.Run(name, func(t *testing.T) {
			journaltest.Accounts(t, func(t *testing.T) account.Log { return open(t, config(t)).people })
		})
	}
}

// playersOf returns the identifiers of the players in a match's log.
func playersOf(t *testing.T, s *Store, id match.ID) (all []match.PlayerID) {
	t.Helper()
	events, err := s.Load(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Player.ID != "" && !strings.HasPrefix(string(e.Player.ID), "guest:") && !e.Player.IsComputer() {
			all = append(all, e.Player.ID)
		}
	}
	return all
}

// Older versions recorded the fingerprints of keys, from which players can be found out. Their matches go on, and the
// records of those that end have none.
func TestADirectoryFromBeforeAccountsGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := open(t, natsd.Config{Dir: dir, Sync: natsd.Interval})
	s.index.mu.Lock()
	s.index.upgraded = func(p match.Player) match.Player { return p }
	s.index.mu.Unlock()
	for _, id := range []match.ID{"live", "done"} {
		events := journaltest.Played(id)
		for i, e := range events {
			if e.Player.ID == journaltest.Events(id)[2].Player.ID {
				events[i].Player.ID = annsKey
			}
		}
		putAll(t, s, events)
	}
	if err := s.Archive(t.Context(), "done"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the finished one is put away", func() bool { return count(t, s, natsd.ArchiveStream) == 1 && purged(t, s) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Dir(blockDir(dir, natsd.PeopleStream)), filepath.Join(dir, "journal", "secret")} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "journal", "format"), []byte("2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var first account.KeyID
	for range 2 {
		s = open(t, natsd.Config{Dir: dir, Sync: natsd.Interval})
		key := s.accounts.Key(annsKey)
		if first == "" {
			first = key
		}
		for _, id := range []match.ID{"live", "done"} {
			all := playersOf(t, s, id)
			if len(all) == 0 || all[0] != match.PlayerID(key) || key != first {
				t.Errorf("%s was played by %v, with the key %s, which was %s", id, all, key, first)
			}
			for _, player := range all {
				if account.IsFingerprint(player) {
					t.Errorf("%s has the player %s", id, player)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, natsd.Config{Dir: dir, Sync: natsd.Interval})
	if err := s.Archive(t.Context(), "live"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the other one is put away", func() bool { return count(t, s, natsd.ArchiveStream) == 2 })
	body, err := s.node.Streams.Archive.GetMsg(t.Context(), 2)
	if err != nil || strings.Contains(string(body.Data), "SHA256:") {
		t.Errorf("its record is %q, %v", body.Data, err)
	}
}

// With another secret no account would be anybody's any more.
func TestKeysKeepTheirAccountsIfTheLogOfAccountsIsLost(t *testing.T) {
	var book logbuffer.Text
	dir := t.TempDir()
	s := open(t, natsd.Config{Dir: dir})
	want := s.accounts.Key(annsKey)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(blockDir(dir, natsd.PeopleStream))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s = open(t, natsd.Config{Dir: dir, Log: slog.New(slog.NewTextHandler(&book, nil))})
		if got := s.accounts.Key(annsKey); got != want {
			t.Errorf("a key is known as %s, and was as %s", got, want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(book.String(), "is missing"); n != 1 {
		t.Errorf("the log says it %d times: %s", n, book.String())
	}
}

// A newer version may decide what this one does not know: then it decides nothing, and shows what it knows.
func TestAccountsOfANewerVersionAreNotChanged(t *testing.T) {
	var book logbuffer.Text
	dir := t.TempDir()
	s := open(t, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: slog.New(slog.NewTextHandler(&book, nil))})
	for _, body := range []string{`{"v":2,"kind":"name"}`, `{"v":1,"kind":"other"}`, `{`} {
		msg := s.people.publisher.message(natsd.PeopleSubject, noExpectedSeq, []byte(body))
		if _, err := s.people.publisher.publish(t.Context(), msg); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		eventually(t, "all entries", func() bool { return s.people.end() == 4 })
		if err := s.accounts.Writable(); !errors.Is(err, match.ErrNewer) {
			t.Errorf("accounts can be changed: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, natsd.Config{Dir: dir, Sync: natsd.Interval, Log: slog.New(slog.NewTextHandler(&book, nil))})
	}
	if n := strings.Count(book.String(), "cannot be changed"); n < 3 {
		t.Errorf("the log says it %d times: %s", n, book.String())
	}
}

// All nodes of a new cluster draw a secret, and one is recorded.
func (c *nodes) knowsKeys(t *testing.T) {
	for i, s := range c.stores {
		if id, want := s.accounts.Key(annsKey), c.stores[0].accounts.Key(annsKey); id != want {
			t.Errorf("node %d knows a key as %s, and node 0 as %s", i, id, want)
		}
	}
}
