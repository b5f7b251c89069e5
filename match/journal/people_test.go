package journal

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// annsKey is the fingerprint of the key that [journaltest.Events] has, as older versions recorded it.
const annsKey = "SHA256:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg"

func TestPeopleIsALogOfAccounts(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	eventually(t, "the finished one is put away", func() bool {
		return count(t, s, natsd.ArchiveStream) == 1 && purged(t, s)
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		filepath.Dir(blockDir(dir, natsd.PeopleStream)), filepath.Join(dir, "journal", "secret"),
	} {
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

// With another secret no key would have its account any more.
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
		if err := s.accounts.Writable(); !errors.Is(err, account.ErrReadOnly) {
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

// accountsOf returns the accounts as a node has them.
func accountsOf(s *Store) *account.Accounts {
	return account.New(account.Config{
		Directory: s.accounts, Log: s.people, Clean: strings.TrimSpace,
		Looks: func(name string) []string { return []string{strings.ToLower(name)} },
	})
}

func callerOf(s *Store, fingerprint string) account.Caller {
	key := s.accounts.Key(fingerprint)
	return account.Caller{Account: s.accounts.Account(key), Key: key}
}

func (c *nodes) rivalNames(t *testing.T) {
	for round := range 10 {
		name := fmt.Sprint("name", round)
		errs := make([]error, len(c.stores))
		var all sync.WaitGroup
		for i, s := range c.stores {
			all.Go(func() { errs[i] = accountsOf(s).Claim(t.Context(), callerOf(s, fmt.Sprint("SHA256:", round, i)), name) })
		}
		all.Wait()
		won := 0
		for i, err := range errs {
			owner := c.stores[i].accounts.ClaimedBy([]string{name})
			switch {
			case err == nil && owner == callerOf(c.stores[i], fmt.Sprint("SHA256:", round, i)).Account:
				won++
			case !errors.Is(err, account.ErrNameTaken) || owner == "":
				t.Errorf("node %d: %v; it is the name of %q", i, err, owner)
			}
		}
		if won != 1 {
			t.Fatalf("%d players have claimed %s", won, name)
		}
	}
}

// bannedNetwork is a network that a test bans.
func bannedNetwork() account.Subject {
	return account.Subject{Network: netip.MustParsePrefix("192.0.2.0/24")}
}

// ban bans a subject for an hour, by a reason.
func ban(t *testing.T, s *Store, subject account.Subject, reason string) {
	t.Helper()
	b := account.Ban{Subject: subject, Reason: reason, By: "admin"}
	if _, err := accountsOf(s).Ban(t.Context(), b, time.Hour, false); err != nil {
		t.Fatal(err)
	}
}

// isBanned checks that a server knows of the ban.
func isBanned(t *testing.T, s *Store, subject func() account.Subject) {
	t.Helper()
	if bans := s.accounts.BansOn(subject()); len(bans) != 1 || bans[0].Reason != "spam" || bans[0].By != "admin" {
		t.Errorf("the bans are %+v", bans)
	}
}

func (c *nodes) bans(t *testing.T) {
	other := account.Subject{Account: "n4bqgyhmfwwal2qg"}
	ban(t, c.stores[0], bannedNetwork(), "spam")
	began := time.Now()
	ban(t, c.stores[1], other, "x")
	eventually(t, "another node lifts one", func() bool {
		_, err := accountsOf(c.stores[2]).Unban(t.Context(), other, "admin")
		return err == nil
	})
	for _, s := range c.stores {
		eventually(t, "all know", func() bool {
			return len(s.accounts.BansOn(bannedNetwork())) == 1 && len(s.accounts.BansOn(other)) == 0
		})
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestABanOutlivesARestartAndIsInABackup(t *testing.T) {
	dir := t.TempDir()
	cfg := natsd.Config{Dir: dir, Sync: natsd.Interval, Log: slog.New(slog.DiscardHandler)}
	s := open(t, cfg)
	ban(t, s, bannedNetwork(), "spam")
	var backup bytes.Buffer
	if _, err := Backup(t.Context(), s, &backup, "1.2.3", nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	isBanned(t, open(t, cfg), bannedNetwork)
	restored := filepath.Join(t.TempDir(), "restored")
	if _, err := Restore(t.Context(), bytes.NewReader(backup.Bytes()), restored, cfg.Log); err != nil {
		t.Fatal(err)
	}
	isBanned(t, open(t, natsd.Config{Dir: restored, Sync: natsd.Interval}), bannedNetwork)
}

// A deleted account stands in no match any more, a week after its player asked for that.
func TestADeletedAccountStandsInNoOldMatch(t *testing.T) {
	cfg := natsd.Config{Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
	s := open(t, cfg)
	ann := callerOf(s, annsKey)
	events := journaltest.Played("old")
	for i := range events {
		if events[i].Player.Name == "Ann-Sofie Öst" {
			events[i].Player.ID = ann.Account
		}
	}
	putAll(t, s, events)
	if err := s.Archive(t.Context(), "old"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is put away", func() bool { return count(t, s, natsd.ArchiveStream) == 1 && purged(t, s) })
	if err := accountsOf(s).Delete(t.Context(), ann, "Ann", "Ann"); err != nil {
		t.Fatal(err)
	}
	for _, deleted := range []bool{false, true} {
		players := playersOf(t, s, "old")
		if len(players) != 1 || (players[0] != ann.Account) != deleted {
			t.Errorf("deleted: %v; the match has the players %v, and she was %s", deleted, players, ann.Account)
		}
		events, _ := s.Load(t.Context(), "old", 0)
		if strings.Contains(fmt.Sprint(events), "Ann-Sofie") == deleted {
			t.Errorf("deleted: %v; the match is %v", deleted, events)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		later := newClock()
		later.start = later.start.Add(account.UndoWithin + time.Minute)
		s = newStore(cfg, later)
		if err := s.open(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// claim claims a name, as soon as that can be recorded.
func claim(t *testing.T, s *Store, fingerprint, name string) {
	t.Helper()
	eventually(t, "the name is claimed", func() bool {
		err := accountsOf(s).Claim(t.Context(), callerOf(s, fingerprint), name)
		return err == nil || errors.Is(err, account.ErrNameTooSoon) // it was recorded, and the answer lost
	})
}

// keepsAccounts checks that accounts are known and go on after NATS has lost their log, at servers that start later
// too.
func keepsAccounts(t *testing.T, one, other *Store) {
	t.Helper()
	claim(t, one, "SHA256:cleo", "cleo")
	later := open(t, natsd.Config{Outside: one.node.Config.Outside, Log: slog.New(slog.DiscardHandler)})
	for _, name := range []string{"ann", "bob", "cleo"} {
		want := callerOf(one, "SHA256:"+name).Account
		for _, s := range []*Store{one, other, later} {
			eventually(t, "the account has its name", func() bool { return s.accounts.ClaimedBy([]string{name}) == want })
			if got := callerOf(s, "SHA256:"+name).Account; got != want {
				t.Errorf("%s is %s, and %s elsewhere", name, got, want)
			}
		}
	}
}
