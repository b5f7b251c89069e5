package journal

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
	"notakto/rules"
)

// shortMatch returns the events of a match that was resigned after a move; without the end, of one in progress.
func shortMatch(id match.ID, ends bool) []match.Event {
	events := []match.Event{
		{Kind: match.Opened, Terms: match.DefaultTerms()},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "n4bqgyhmfwwal2qg", Name: "ann"}},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "m4bqgyhmfwwal2qg", Name: "bob"}},
		{Kind: match.Moved, Seat: rules.First, Move: rules.Move{Cell: 5}},
		{Kind: match.Resigned, Seat: rules.Second},
	}
	if !ends {
		events = events[:4]
	}
	for i := range events {
		events[i].Match, events[i].Seq = id, uint64(i+1)
	}
	return events
}

// play records a match, and archives it if it ends.
func play(ctx context.Context, s *Store, id match.ID, ends bool) error {
	for _, e := range shortMatch(id, ends) {
		if _, err := s.Append(ctx, e); err != nil {
			return err
		}
	}
	if !ends {
		return nil
	}
	return s.Archive(ctx, id)
}

// backedUp returns a backup of a server with some matches, and the server.
func backedUp(t *testing.T, files map[string][]byte) ([]byte, *Store) {
	t.Helper()
	s := open(t, natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval})
	for i := range 6 {
		if err := play(t.Context(), s, match.ID(fmt.Sprintf("before%04d", i)), i%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if _, err := Backup(t.Context(), s, &b, "1.2.3", files); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), s
}

// A copy of a running server's files may be torn. A backup has every event that was acknowledged before it began, also
// of matches that end while it is taken.
func TestABackupOfARunningServerIsWhole(t *testing.T) {
	t.Parallel()
	s := open(t, natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval})
	var finished, live []match.ID
	for i := range 40 {
		id := match.ID(fmt.Sprintf("before%04d", i))
		if err := play(t.Context(), s, id, i%2 == 0); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			finished = append(finished, id)
		} else {
			live = append(live, id)
		}
	}
	want := map[match.ID][]match.Event{}
	for _, id := range append(finished, live...) {
		events, err := s.Load(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		want[id] = events
	}
	playing, stop := context.WithCancel(t.Context())
	played := make(chan int, 1)
	go func() {
		n := 0
		for ; playing.Err() == nil; n++ {
			if err := play(playing, s, match.ID(fmt.Sprintf("during%04d", n)), true); err != nil {
				break
			}
			if n < len(live) { // ends while the backup is taken
				e := shortMatch(live[n], true)[4]
				if _, err := s.Append(playing, e); err != nil || s.Archive(playing, live[n]) != nil {
					break
				}
			}
		}
		played <- n
	}()
	var b bytes.Buffer
	m, err := Backup(t.Context(), s, &b, "1.2.3", nil)
	stop()
	t.Log("matches during the backup:", <-played, "bytes:", b.Len())
	if err != nil {
		t.Fatal(err)
	}
	if m.Parts[0].Name != natsd.MatchesStream || m.Parts[0].Stream.LastSeq < 40*4 {
		t.Errorf("the manifest has %+v", m)
	}
	c, err := Verify(t.Context(), bytes.NewReader(b.Bytes()), slog.New(slog.DiscardHandler))
	if err != nil || c.Damaged > 0 || c.Finished+c.Live < len(want) || c.Manifest.Version != "1.2.3" {
		t.Errorf("it is verified as %+v, %v", c, err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	if _, err := Restore(t.Context(), bytes.NewReader(b.Bytes()), dir, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	restored := open(t, natsd.Config{Dir: dir})
	for id, events := range want {
		got, err := restored.Load(t.Context(), id, 0)
		if err != nil || len(got) < len(events) || !reflect.DeepEqual(got[:len(events)], events) {
			t.Errorf("%s is restored as %v, %v\nwant %v", id, got, err, events)
		}
	}
	theirs, _ := s.Accounts()
	if ours, _ := restored.Accounts(); !bytes.Equal(ours.Secret(), theirs.Secret()) {
		t.Error("keys have other accounts")
	}
	if err := play(t.Context(), restored, "afterwards", true); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
	if left, err := filepath.Glob(s.node.Path("backup-*")); err != nil || len(left) > 0 {
		t.Errorf("the backup left %v, %v", left, err)
	}
}

// Each death during a backup would leave a file that is as long as the archive.
func TestAServerThatDiedDuringABackupLeavesNoPartOfIt(t *testing.T) {
	_, s := backedUp(t, nil)
	part := s.node.Path("backup-123")
	if err := errors.Join(s.Close(), os.WriteFile(part, []byte("half"), 0o600)); err != nil {
		t.Fatal(err)
	}
	open(t, natsd.Config{Dir: s.node.Config.Dir})
	if _, err := os.Stat(part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the part is there: %v", err)
	}
}

// tarSize returns the length of the first part of a backup.
func tarSize(t *testing.T, backup []byte) int64 {
	t.Helper()
	h, err := tar.NewReader(bytes.NewReader(backup)).Next()
	if err != nil {
		t.Fatal(err)
	}
	return h.Size
}

// holeOf returns a tar with one file that is a hole: so much of it is not written, and read as zeros.
func holeOf(size uint64) []byte {
	b := make([]byte, 3*512)
	number := func(at int, n uint64) { // in the form for large ones
		b[at] = 0x80
		binary.BigEndian.PutUint64(b[at+4:], n)
	}
	copy(b, "MATCHES")
	copy(b[100:], "0000600\x000000000\x000000000\x0000000000000\x0000000000000\x00        S")
	copy(b[257:], "ustar  ")
	number(386, size) // the hole ends here, before nothing
	number(398, 0)
	number(483, size)
	sum := 0
	for _, c := range b[:512] {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

func TestABackupThatIsNotAsItWasWrittenIsRefused(t *testing.T) {
	whole, _ := backedUp(t, map[string][]byte{"host_ed25519": []byte("key\n")})
	dir := filepath.Join(t.TempDir(), "new")
	refused := func(what string, b []byte, want ...error) {
		t.Helper()
		_, err := Restore(t.Context(), bytes.NewReader(b), dir, slog.New(slog.DiscardHandler))
		for _, one := range want {
			if errors.Is(err, one) {
				err = nil
			}
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
		} else if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("%s made the directory", what)
		}
	}
	for n := 0; n < len(whole); n += 701 {
		refused(fmt.Sprintf("cut to %d bytes", n), whole[:n], ErrShortBackup, ErrBadBackup)
		b := bytes.Clone(whole)
		b[n] ^= 1 << (n % 8)
		refused(fmt.Sprintf("byte %d flipped", n), b, ErrBadBackup, ErrShortBackup)
	}
	refused("with more behind it", append(bytes.Clone(whole), 0), ErrBadBackup)
	refused("half", whole[:len(whole)/2], ErrShortBackup)
	refused("no backup", []byte("SSH-2.0-notakto\r\n"), ErrShortBackup, ErrBadBackup)
	refused("a part twice", append(bytes.Clone(whole[:512+(tarSize(t, whole)+511)/512*512]), whole...), ErrBadBackup)
	refused("an endless hole", holeOf(1<<60), ErrShortBackup)
	refused("newer", bytes.Replace(whole, []byte(`"format": 2`), []byte(`"format": 3`), 1), ErrNewerBackup)
	newer := fmt.Sprintf(`"journal": %d`, natsd.Format+1)
	refused("newer journal", bytes.Replace(whole, fmt.Appendf(nil, `"journal": %d`, natsd.Format), []byte(newer), 1),
		ErrNewerBackup)
}

func TestABackupReplacesNothing(t *testing.T) {
	t.Parallel()
	whole, s := backedUp(t, map[string][]byte{"host_ed25519": []byte("key\n")})
	_, err := Restore(t.Context(), bytes.NewReader(whole), s.node.Config.Dir, slog.New(slog.DiscardHandler))
	if !errors.Is(err, ErrHasJournal) || !strings.Contains(err.Error(), s.node.Config.Dir) {
		t.Errorf("where there is a journal it says %v", err)
	}
	for _, own := range []string{"", "mine\n"} {
		dir := t.TempDir()
		path, want := filepath.Join(dir, "host_ed25519"), "key\n"
		if own != "" {
			want = own
			if err := os.WriteFile(path, []byte(own), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Restore(t.Context(), bytes.NewReader(whole), dir, slog.New(slog.DiscardHandler))
		if err != nil || c.Finished != 3 || c.Live != 3 {
			t.Errorf("%d finished, %d live, %v", c.Finished, c.Live, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("the key is %q, %v, want %q", got, err, want)
		}
	}
}

// Any node of a running cluster gives a backup of all, also one that has no copy of its own as the leader. A server on
// its own is made of it.
func TestAClusterIsBackedUp(t *testing.T) {
	t.Parallel()
	c := startNodes(t, 3)
	if err := play(t.Context(), c.stores[0], "finished", true); err != nil {
		t.Fatal(err)
	}
	if err := play(t.Context(), c.stores[1], "goeson", false); err != nil {
		t.Fatal(err)
	}
	for i, s := range c.stores {
		var b bytes.Buffer
		if _, err := Backup(t.Context(), s, &b, "1.2.3", nil); err != nil {
			t.Fatalf("node %d: %v", i, err)
		}
		if at, size, ok := s.Stats().Backup(); !ok || at.IsZero() || size != int64(b.Len()) {
			t.Errorf("node %d counts it as %v, %d bytes, and it has %d", i, at, size, b.Len())
		}
		dir := t.TempDir()
		got, err := Restore(t.Context(), bytes.NewReader(b.Bytes()), dir, slog.New(slog.DiscardHandler))
		if err != nil || got.Finished != 1 || got.Live != 1 || got.Damaged != 0 {
			t.Errorf("of node %d: %d finished, %d live, %v", i, got.Finished, got.Live, err)
		}
		single := open(t, natsd.Config{Dir: dir})
		if _, err := single.Append(t.Context(), shortMatch("goeson", true)[4]); err != nil {
			t.Errorf("of node %d: %v", i, err)
		}
		theirs, _ := s.Accounts()
		if ours, _ := single.Accounts(); !bytes.Equal(ours.Secret(), theirs.Secret()) {
			t.Error("keys have other accounts")
		}
	}
}

// A cluster would delete the streams of a single server, and a backup could be restored only to one. Now the first node
// of a cluster brings them along, and the others copy them.
func TestABackupIsRestoredIntoACluster(t *testing.T) {
	t.Parallel()
	whole, single := backedUp(t, nil)
	want := map[match.ID][]match.Event{}
	for i := range 6 {
		id := match.ID(fmt.Sprintf("before%04d", i))
		events, err := single.Load(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		want[id] = events
	}
	c := newNodes(t, 3)
	_, err := Restore(t.Context(), bytes.NewReader(whole), c.configs[0].Dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	c.startAll(0, 1, 2)
	if t.Failed() {
		return
	}
	theirs, _ := single.Accounts()
	for i, s := range c.stores {
		for id, events := range want {
			got, err := s.Load(t.Context(), id, 0)
			if err != nil || !reflect.DeepEqual(got, events) {
				t.Errorf("node %d: %s is restored as %v, %v\nwant %v", i, id, got, err, events)
			}
		}
		if ours, _ := s.Accounts(); !bytes.Equal(ours.Secret(), theirs.Secret()) {
			t.Errorf("node %d: keys have other accounts", i)
		}
	}
	c.current(t, 0)
	c.stop(0)
	retry(t, c.stores[1], shortMatch("before0001", true)[4])
	if kept, err := filepath.Glob(filepath.Join(c.configs[0].Dir, "journal", "single-*", "jetstream")); len(kept) != 1 {
		t.Errorf("what was there before is kept in %v, %v", kept, err)
	}
	name, err := os.ReadFile(filepath.Join(c.configs[0].Dir, "journal", "node"))
	if err != nil || string(name) != "node0\n" {
		t.Errorf("the first node is %q, %v", name, err)
	}
	if left, err := os.Stat(filepath.Join(c.configs[0].Dir, "journal", "converting")); err == nil {
		t.Error("left", left)
	}
	c.start(0)
	c.current(t, 0)
	t.Run("only the first brings matches along", func(t *testing.T) {
		cfg := c.configs[2]
		cfg.Dir, cfg.Node, cfg.Cluster.Listen = t.TempDir(), "another", journaltest.FreePorts(t, 1)[0]
		if _, err := Restore(t.Context(), bytes.NewReader(whole), cfg.Dir, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
		c.stop(2)
		if err := c.try(2, cfg); !errors.Is(err, natsd.ErrOwnFiles) || !strings.Contains(err.Error(), "node") {
			t.Error(err)
		}
		if c, err := os.ReadDir(filepath.Join(cfg.Dir, "journal", "jetstream", "$G", "streams")); err != nil || len(c) != 4 {
			t.Errorf("it has %v, %v", c, err)
		}
	})
}
