package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/internal/codec"
	"notakto/match/journal/internal/blocks"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

const testID match.ID = "k7h2m5q3xa"

// eventually polls a condition that nothing signals.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("it never comes to this: %s", what)
		}
	}
}

// count returns how many messages a stream holds.
func count(t testing.TB, s *Store, stream string) uint64 {
	t.Helper()
	info, err := s.node.JetStream.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return info.CachedInfo().State.Msgs
}

func putAll(t testing.TB, s *Store, events []match.Event) {
	t.Helper()
	for _, e := range events {
		if _, err := s.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
}

// idle stops the archiver, as the end of the process would.
func idle(s *Store) {
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	s.index.due = func(job) {}
}

// A process that is killed at any step of archiving a match: the next one completes it.
func TestPuttingAwayIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string]int{"sealed": 0, "recorded": 1, "purged in part": 2, "purged": 3} {
		t.Run(name, func(t *testing.T) {
			cfg := natsd.Config{Dir: t.TempDir()}
			s, err := Open(t.Context(), cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			idle(s)
			putAll(t, s, journaltest.Events(testID))
			putAll(t, s, journaltest.Events("other"))
			if err := s.Archive(t.Context(), testID); err != nil {
				t.Fatal(err)
			}
			halfAway(t, s, testID, steps)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			var received said
			cfg.Log = received.log()
			isArchived(t, open(t, cfg), testID)
			if received.String() != "" {
				t.Errorf("it says: %s", received.String())
			}
		})
	}
}

// halfAway does the first steps of the archiver.
func halfAway(t *testing.T, s *Store, id match.ID, steps int) {
	t.Helper()
	if steps > 0 {
		r, _, _ := s.index.sealed(id)
		body, err := codec.EncodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.registry.publisher.publish(t.Context(), s.registry.publisher.message(bucket(id), noExpectedSeq,
			body)); err != nil {
			t.Fatal(err)
		}
	}
	if steps > 1 {
		stream, err := s.node.JetStream.Stream(t.Context(), natsd.MatchesStream)
		if err != nil {
			t.Fatal(err)
		}
		options := []jetstream.StreamPurgeOpt{jetstream.WithPurgeSubject(natsd.MatchSubject + string(id))}
		if steps == 2 {
			options = append(options, jetstream.WithPurgeSequence(4))
		}
		if err := stream.Purge(t.Context(), options...); err != nil {
			t.Fatal(err)
		}
	}
}

func isArchived(t *testing.T, s *Store, id match.ID) {
	t.Helper()
	all := uint64(len(journaltest.Events(id)))
	eventually(t, "the log is gone", func() bool { return count(t, s, natsd.MatchesStream) == all })
	if n := count(t, s, natsd.ArchiveStream); n != 1 {
		t.Errorf("the archive holds %d records", n)
	}
	if events, err := s.Load(t.Context(), id, 0); err != nil || uint64(len(events)) != all {
		t.Errorf("read %d events, %v", len(events), err)
	}
	if _, err := s.Append(t.Context(), left(id, all+1)); !errors.Is(err, match.ErrArchived) {
		t.Errorf("an event after the end: %v", err)
	}
	if err := s.Archive(t.Context(), id); err != nil {
		t.Error(err)
	}
	s.Subscribe(func(e match.Event) {
		if e.Match == id {
			t.Errorf("heard of event %d", e.Seq)
		}
	})()
}

// A match is found among others of its bucket, and what is not there is not.
func TestArchiveIsSearched(t *testing.T) {
	t.Parallel()
	cfg := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
	s, err := Open(t.Context(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 300
	name := func(i int) match.ID { return match.ID(fmt.Sprintf("ab%08d", i)) }
	for i := range n {
		body, err := codec.EncodeRecord(codec.Record{ID: name(i), Events: journaltest.Played(name(i))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.registry.publisher.publish(t.Context(), s.registry.publisher.message(bucket(name(i)),
			noExpectedSeq, body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, cfg)
	for _, i := range []int{0, 1, 150, n - 1} {
		events, err := s.Load(t.Context(), name(i), 0)
		if err != nil || len(events) != len(journaltest.Played("")) || events[0].Match != name(i) {
			t.Errorf("match %d: %v, %v", i, events, err)
		}
	}
	for _, id := range []match.ID{name(n), "ac00000000", "a"} {
		if _, err := s.Load(t.Context(), id, 0); !errors.Is(err, match.ErrNoSuchMatch) {
			t.Errorf("match %s: %v", id, err)
		}
	}
}

// Each lookup of a match that was never played read the whole archive: ten a second delayed all players.
func TestNothingIsReadForAMatchThatWasNeverPlayed(t *testing.T) {
	cfg := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
	s, err := Open(t.Context(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(blockDir(cfg.Dir, natsd.ArchiveStream), "*.blk"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("the files are %v, %v", paths, err)
	}
	b, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for r := range blocks.Records(b) {
		size = len(r) // of each of them
	}
	b[2*size-8-1] ^= 1 // before the checksum of the second record
	of := newNames(nil)
	if of.read(b); len(of.hashes) != 1 || !isFound(of, randomID(0)) {
		t.Errorf("of a file with a damaged record %d are known before the follower tells them", len(of.hashes))
	}
	s = open(t, cfg)
	asked, err := s.node.JetStream.Conn().SubscribeSync("$JS.API.*.MSG.GET." + natsd.ArchiveStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.node.JetStream.Conn().Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(t.Context(), randomID(3), 0); !errors.Is(err, match.ErrNoSuchMatch) {
		t.Error(err)
	}
	if _, err := s.Load(t.Context(), randomID(1), 0); err != nil {
		t.Error(err)
	}
	if m, err := asked.NextMsg(10 * time.Second); err != nil || string(m.Data) != `{"seq":2}` {
		t.Errorf("the archive was asked %v, %v", m, err)
	}
}

// A match that the archive would never accept was retried every second, and that was not logged.
func TestAMatchThatIsTooLongIsReported(t *testing.T) {
	s := open(t, natsd.Config{Dir: t.TempDir()})
	r, at := codec.Record{ID: testID}, time.UnixMilli(1)
	for len(r.Events) < 40_000 {
		r.Events = append(r.Events, match.Event{Kind: match.Left, At: at, Seat: 2},
			match.Event{Kind: match.Returned, At: at, Seat: 2, Node: "abcdefghij"})
	}
	if err := s.archiver.put(t.Context(), r); !errors.Is(err, errTooLong) || errors.Is(err, match.ErrUnavailable) {
		t.Error(err)
	}
}

// After a kill in a cluster NATS 2.15 restores the first events of an archived match. Without a checkpoint, as in a
// directory that has left its cluster, only the archive shows that the match is over.
func TestFirstEventsOfAFinishedMatchComeBack(t *testing.T) {
	cfg := natsd.Config{Dir: t.TempDir()}
	s, err := Open(t.Context(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	idle(s)
	events := journaltest.Events(testID)
	putAll(t, s, events)
	putAll(t, s, journaltest.Events("other"))
	if err := s.Archive(t.Context(), testID); err != nil {
		t.Fatal(err)
	}
	halfAway(t, s, testID, 3)
	for _, e := range events[:2] {
		body, err := codec.EncodeEvents([]match.Event{e})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.registry.publisher.publish(t.Context(),
			s.registry.publisher.message(natsd.MatchSubject+string(testID), noExpectedSeq, body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(cfg.Dir, "journal", "tally")); err != nil {
		t.Fatal(err)
	}
	isArchived(t, open(t, cfg), testID)
}

func isFound(n *names, id match.ID) bool {
	all, err := n.find(context.Background(), id)
	return err == nil && len(all) == 1
}

// The archive is read some hundred records at a time, each once and in order, from a sequence on; after one that was
// lost on the way it is asked for again.
func TestTheArchiveIsReadByTheHundreds(t *testing.T) {
	s := open(t, natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval})
	const n = 2*readMatches + 10
	fill(t, s, n)
	eventually(t, "the archive is known", func() bool { return s.ArchiveEnd() == n })
	next := uint64(4)
	if _, err := readAll(t.Context(), s, next-1, func(m match.ArchivedMatch) error {
		if m.Position != next || m.ID != randomID(int(next)-1) || len(m.Events) == 0 {
			t.Errorf("%s with %d events is at %d, want %d", m.ID, len(m.Events), m.Position, next)
		}
		next++
		return nil
	}); err != nil || next != n+1 {
		t.Errorf("it is read up to %d, %v", next-1, err)
	}
	f := newFollower(s.node, s.clock, s.node.Streams.Searches, 1, func(message) {})
	if got := s.readSome(t.Context(), f); got != readMatches {
		t.Errorf("it reads %d at a time", got)
	}
	sent := func(seq uint64) *jetstream.RawStreamMsg {
		header := nats.Header{server.JSLastSequence: {strconv.FormatUint(seq-1, 10)}}
		return &jetstream.RawStreamMsg{Sequence: seq, Header: header}
	}
	if !follows(sent(1), 0) {
		t.Error("the first is refused")
	}
	if follows(sent(3), 1) {
		t.Error("after the first comes the third, and the second was lost")
	}
}

// position is an index that has the matches up to a position, named after it.
type position uint64

func (p *position) Attach(context.Context, match.Archive) error { return nil }
func (p *position) IndexedTo() uint64                           { return uint64(*p) }

func (p *position) FindArchived(_ context.Context, id match.ID) (uint64, error) {
	var n uint64
	if _, err := fmt.Sscanf(string(id), "match%d", &n); err != nil || n > uint64(*p) {
		return 0, nil
	}
	return n, nil
}

// What the index has read is forgotten, and found all the same.
func TestNamesAreForgottenOnceTheyAreIndexed(t *testing.T) {
	index := new(position)
	n := newNames(index)
	id := func(i uint64) match.ID { return match.ID(fmt.Sprint("match", i)) }
	const all = 3 * forgetAtLeast
	for i := range uint64(all) {
		n.add(id(i+1), i+1)
		if i == 2*forgetAtLeast {
			*index = all / 2
		}
	}
	if len(n.hashes) > all-forgetAtLeast {
		t.Errorf("%d of %d are in memory, and %d are indexed", len(n.hashes), all, all/2)
	}
	for i := range uint64(all) {
		if found, err := n.find(t.Context(), id(i+1)); err != nil || !slices.Contains(found, i+1) {
			t.Fatalf("match %d is found at %d, %v", i+1, found, err)
		}
	}
	if found, err := n.find(t.Context(), "never"); err != nil || len(found) > 1 { // one hash of thousands may be the same
		t.Errorf("a name that was never given is found at %d, %v", found, err)
	}
	*index = all + 1
	n.add(id(all+1), all+1)
	if len(n.hashes) != 0 {
		t.Errorf("%d are in memory, and all are indexed", len(n.hashes))
	}
	n.detach()
	if found, err := n.find(t.Context(), id(1)); err != nil || len(found) != 0 {
		t.Errorf("after the archive was lost, match 1 is found at %d, %v", found, err)
	}
}

// indexed opens a store whose index is in its data directory, and waits until the index has everything.
func indexed(t testing.TB, cfg natsd.Config) (*Store, *history.Store) {
	t.Helper()
	var h *history.Store
	s, err := Open(t.Context(), cfg, func() match.ArchiveIndex {
		var err error
		if h, err = history.Open(history.Config{Path: filepath.Join(cfg.Dir, history.FileName)}); err != nil {
			t.Fatal(err)
		}
		return h
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Follow(s, nil)
	<-h.Current()
	return s, h
}

func closeBoth(t testing.TB, s *Store, h *history.Store) {
	t.Helper()
	if err := errors.Join(h.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// finds checks that matches of fill are found, and cannot begin again, and that one more is not.
func finds(t *testing.T, s *Store, n int) {
	t.Helper()
	for _, i := range []int{0, n / 2, n - 1} {
		id := randomID(i)
		if events, err := s.Load(t.Context(), id, 0); err != nil || len(events) == 0 {
			t.Errorf("match %d: %d events, %v", i, len(events), err)
		}
		if _, err := s.Append(t.Context(), journaltest.Played(id)[:3]...); !errors.Is(err, match.ErrConflict) {
			t.Errorf("match %d begins again: %v", i, err)
		}
		if _, err := s.Append(t.Context(), left(id, 99)); !errors.Is(err, match.ErrArchived) {
			t.Errorf("match %d goes on: %v", i, err)
		}
	}
	if _, err := s.Load(t.Context(), "never", 0); !errors.Is(err, match.ErrNoSuchMatch) {
		t.Errorf("a match that never was: %v", err)
	}
}

// A start with an index reads neither the files nor the records of finished matches, and knows them all the same:
// after a stop, after a kill, without the index, with that of another archive, and without an older one's end.
func TestAStartWithAnIndex(t *testing.T) {
	t.Parallel()
	cfg := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
	s, h := indexed(t, cfg)
	const n = 300
	fill(t, s, n)
	eventually(t, "all are indexed", func() bool { return h.IndexedTo() == n })
	finds(t, s, n)
	closeBoth(t, s, h)

	old := filepath.Join(t.TempDir(), "history.db")
	path := filepath.Join(cfg.Dir, history.FileName)
	copyFile(t, path, old)
	for name, change := range map[string]func(){
		"stopped": func() {},
		"without the note of the stop": func() {
			if err := os.Remove(filepath.Join(cfg.Dir, "journal", "stopped")); err != nil {
				t.Fatal(err)
			}
		},
		"without the index": func() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
		"with the index of another archive": func() {
			other := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
			s, h := indexed(t, other)
			for i := range 3 {
				id := match.ID(fmt.Sprint("other", i))
				if err := s.archiver.put(t.Context(), codec.Record{ID: id, Events: journaltest.Played(id)}); err != nil {
					t.Fatal(err)
				}
			}
			eventually(t, "all are indexed", func() bool { return h.IndexedTo() == 3 })
			closeBoth(t, s, h)
			copyFile(t, filepath.Join(other.Dir, history.FileName), path)
		},
		"with an index that is behind": func() {
			s, h := indexed(t, cfg)
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			copyFile(t, old, path)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			change()
			s, h := indexed(t, cfg)
			defer closeBoth(t, s, h)
			eventually(t, "all are indexed", func() bool { return h.IndexedTo() >= n })
			finds(t, s, n)
			if name == "stopped" && len(s.archive.names.hashes) > 0 {
				t.Errorf("%d names are in memory", len(s.archive.names.hashes))
			}
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A finished match is known while the index is still being filled, and one that is finished then too.
func TestMatchesAreFoundWhileTheIndexIsFilled(t *testing.T) {
	t.Parallel()
	cfg := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval}
	s := open(t, cfg)
	const n = 300
	fill(t, s, n)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h, err := history.Open(history.Config{Path: filepath.Join(cfg.Dir, history.FileName)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	s, err = Open(t.Context(), cfg, func() match.ArchiveIndex { return h })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	finds(t, s, n) // nothing is indexed
	h.Follow(s, nil)
	for until := time.Now().Add(20 * time.Second); h.IndexedTo() < n && time.Now().Before(until); {
		finds(t, s, n)
	}
	r := codec.Record{ID: "another", Events: journaltest.Played("another")}
	if err := s.archiver.put(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is indexed", func() bool { return h.IndexedTo() == n+1 })
	if _, err := s.Load(t.Context(), "another", 0); err != nil {
		t.Error(err)
	}
	if position, err := h.FindArchived(t.Context(), "another"); err != nil || position != n+1 {
		t.Errorf("it is at %d, %v", position, err)
	}
}
