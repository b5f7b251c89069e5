package journal

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

// Messages stored while there was no consumer are requested, and delivered once.
func TestCatchUp(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	putAll(t, s, []match.Event{left("a", 1), left("b", 1), left("a", 2)})
	var received []string
	f := newFollower(s.node, s.clock, s.node.Streams.Matches, 1, func(m message) {
		if m.header.Get("Nats-Msg-Id") == "" || s.Now().Sub(m.at) > maxDelay {
			t.Errorf("told %+v", m)
		}
		received = append(received, strings.TrimPrefix(m.subject, natsd.MatchSubject))
	})
	for _, want := range []int{3, 0} {
		if n := f.catchUp(t.Context()); n != want {
			t.Errorf("%d delivered, want %d", n, want)
		}
	}
	putAll(t, s, []match.Event{left("b", 2)})
	if n := f.catchUp(t.Context()); n != 1 || !slices.Equal(received, []string{"a", "b", "a", "b"}) {
		t.Errorf("%d delivered, in all %v", n, received)
	}
}

// The client reads a stream that allows direct reads from any server with a copy. One that is behind lacks a match that
// another node has just opened.
func TestReadsGoToTheLeader(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	for _, stream := range []jetstream.Stream{
		s.node.Streams.Matches, s.node.Streams.Archive, s.node.Streams.Registry, s.node.Streams.Searches,
	} {
		name := stream.CachedInfo().Config.Name
		asked, err := s.node.JetStream.Conn().SubscribeSync("$JS.API.STREAM.MSG.GET." + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.node.JetStream.Conn().Flush(); err != nil {
			t.Fatal(err)
		}
		if _, err := stream.GetLastMsgForSubject(t.Context(), "notakto.none"); !errors.Is(err, jetstream.ErrMsgNotFound) {
			t.Error(err)
		}
		for request := ""; !strings.Contains(request, "notakto.none"); { // followers send requests too
			m, err := asked.NextMsg(10 * time.Second)
			if err != nil {
				t.Fatalf("the leader of %s was not asked: %v", name, err)
			}
			request = string(m.Data)
		}
	}
}

// A follower that waits for a server that is down is alive; one that is stuck in the delivery of an event is not.
func TestAStoreIsAliveUntilAFollowerStandsStill(t *testing.T) {
	s := open(t, natsd.Config{Dir: t.TempDir()})
	if err := s.Stats().Alive(); err != nil {
		t.Errorf("a new store: %v", err)
	}
	before := s.stats.followers[2].ticked.Load()
	for s.stats.followers[2].ticked.Load() == before { // with the next heartbeat
		natsd.Wait(t.Context(), 10*time.Millisecond)
	}
	s.stats.followers[1].ticked.Store(time.Now().Add(-2 * aliveWithin).UnixNano())
	if err := s.Stats().Alive(); err == nil || !strings.Contains(err.Error(), "ARCHIVE") {
		t.Errorf("with a follower that stands still: %v", err)
	}
}

// restartable is an external NATS that can be restarted at the same address.
type restartable struct {
	*testing.T
	options server.Options
	server  *server.Server
}

func (r *restartable) start() {
	r.Helper()
	s, err := server.NewServer(r.options.Clone())
	if err != nil {
		r.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		r.Fatal("it does not come up")
	}
	r.server = s
}

func (r *restartable) stop() {
	r.server.Shutdown()
	r.server.WaitForShutdown()
}

// putAgain waits until an entry can be put over another, with a higher revision.
func putAgain(t *testing.T, s *Store, n match.Entry) (stored match.Entry) {
	t.Helper()
	eventually(t, "the note is pinned again", func() bool {
		again := match.Entry{Key: n.Key, Text: n.Text, Revision: s.registry.entry(n.Key).Revision}
		var err error
		if stored, err = s.Put(t.Context(), again); err != nil {
			again.Revision = 0
			stored, err = s.Put(t.Context(), again)
		}
		return err == nil && stored.Revision > n.Revision
	})
	return stored
}

// A restarted NATS has lost the registry. Players were not paired any more, and servers considered each other down.
func TestRegistryIsRecreatedWhenNATSLostIt(t *testing.T) {
	t.Parallel()
	nats := &restartable{T: t, options: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
	}}
	nats.start()
	nats.options.Port = nats.server.Addr().(*net.TCPAddr).Port
	t.Cleanup(func() { nats.stop() })
	cfg := natsd.Config{Outside: natsd.Outside{URL: nats.server.ClientURL()}}
	one, other := open(t, cfg), open(t, cfg)
	n, err := one.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	nats.stop()
	nats.start()
	again := putAgain(t, one, n)
	if again.Revision <= n.Revision+maxLead {
		t.Errorf("put at %d after %d: a server that had read further would miss it", again.Revision, n.Revision)
	}
	eventually(t, "the other sees it", func() bool { return other.registry.entry(n.Key).Revision == again.Revision })
}

// forgotten returns a store whose servers have recreated the registry empty, from sequence 1, as all do that are
// restarted together. The entry was put before.
func forgotten(t *testing.T) (*Store, match.Entry) {
	t.Helper()
	s := open(t, natsd.Config{Memory: true})
	n := match.Entry{Key: "seek.1", Text: []byte("x")}
	var err error
	for range 5 {
		if n, err = s.Put(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	info, err := natsd.StreamInfo(t.Context(), s.node.JetStream, natsd.RegistryStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.node.JetStream.DeleteStream(t.Context(), natsd.RegistryStream); err != nil {
		t.Fatal(err)
	}
	if _, err := s.node.JetStream.CreateStream(t.Context(), info.Config); err != nil {
		t.Fatal(err)
	}
	return s, n
}

func TestRegistryRevisionsContinue(t *testing.T) {
	t.Parallel()
	s, n := forgotten(t)
	putAgain(t, s, n)
}

// An entry put before the registry's sequences continued beyond the old ones was lost: its player waited in a queue
// that no node could see.
func TestPutIntoARegistryThatWasLost(t *testing.T) {
	t.Parallel()
	s, old := forgotten(t)
	n, err := s.Put(t.Context(), match.Entry{Key: "seek.2", Text: []byte("y")})
	if err != nil || n.Revision <= old.Revision+maxLead || s.registry.entry(n.Key).Revision != n.Revision {
		t.Errorf("pinned as %+v, %v, told as %+v", n, err, s.registry.entry(n.Key))
	}
}

// emptied starts a NATS shared by two servers. NATS is stopped twice: for copied, after which one match continues and
// another finishes, and for change. NATS restarts with the directory as change leaves it.
func emptied(t *testing.T, copied, change func(dir string)) (one, other *Store, book *logbuffer.Text) {
	t.Helper()
	dir := t.TempDir()
	nats := &restartable{T: t, options: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: dir, SyncAlways: true,
	}}
	nats.start()
	nats.options.Port = nats.server.Addr().(*net.TCPAddr).Port
	t.Cleanup(func() { nats.stop() })
	book = &logbuffer.Text{}
	cfg := natsd.Config{Outside: natsd.Outside{URL: nats.server.ClientURL()}}
	other = open(t, cfg)
	cfg.Log = slog.New(slog.NewTextHandler(book, nil))
	one = open(t, cfg)
	putAll(t, one, []match.Event{left("whole", 1), left("whole", 2), left("cut", 1)})
	claim(t, one, "SHA256:ann", "ann")
	nats.stop()
	copied(dir)
	nats.start()
	retry(t, one, left("cut", 2))
	putAll(t, one, journaltest.Events(testID))
	if err := one.Archive(t.Context(), testID); err != nil {
		t.Fatal(err)
	}
	claim(t, other, "SHA256:bob", "bob")
	for _, s := range []*Store{one, other} {
		eventually(t, "both have heard it all", func() bool {
			_, live, _ := s.index.read(testID, 0)
			cut, _, _ := s.index.read("cut", 0)
			return !live && len(cut) == 2 && s.people.end() == 3
		})
	}
	nats.stop()
	change(dir)
	nats.start()
	return one, other, book
}

// plays checks that both servers continue after a loss: new matches are recorded, delivered and archived, and a match
// that has lost events is not served.
func plays(t *testing.T, one, other *Store, lost ...match.ID) {
	t.Helper()
	for _, s := range []*Store{one, other} {
		for _, id := range lost {
			eventually(t, "the match is not served", func() bool {
				_, err := s.Load(t.Context(), id, 0)
				return errors.Is(err, match.ErrDamaged)
			})
			if _, err := s.Append(t.Context(), left(id, 3)); !errors.Is(err, match.ErrDamaged) {
				t.Errorf("append to %s: %v", id, err)
			}
		}
	}
	keepsAccounts(t, one, other)
	events := journaltest.Events("new1")
	retry(t, one, events[0])
	putAll(t, one, events[1:])
	if err := other.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := other.Archive(t.Context(), "new1"); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Store{one, other} {
		eventually(t, "it is put away", func() bool { _, live, _ := s.index.read("new1", 0); return !live })
		if got, err := s.Load(t.Context(), "new1", 0); err != nil || len(got) != len(events) {
			t.Errorf("read %d events, %v", len(got), err)
		}
	}
}

// After the disk of a NATS was emptied, the servers continued to show matches that were not recorded anywhere, and
// could open none.
func TestAnEmptiedNatsIsSaidAndPlayedOn(t *testing.T) {
	t.Parallel()
	one, other, book := emptied(t, func(string) {}, func(dir string) {
		if err := os.RemoveAll(filepath.Join(dir, "jetstream")); err != nil {
			t.Fatal(err)
		}
	})
	plays(t, one, other, "whole", "cut")
	text := book.String()
	for _, want := range []string{"level=ERROR", "stream=MATCHES missing=4 matches=2", "stream=ARCHIVE missing=1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the log:\n%s", want, text)
		}
	}
}

// The disk of a NATS is replaced by an older copy.
func TestAnOlderNatsIsSaidAndPlayedOn(t *testing.T) {
	t.Parallel()
	copies := t.TempDir()
	one, other, book := emptied(t, func(dir string) {
		if err := os.CopyFS(copies, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}, func(dir string) {
		if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(copies))); err != nil {
			t.Fatal(err)
		}
	})
	plays(t, one, other, "cut")
	if events, err := one.Load(t.Context(), "whole", 0); err != nil || len(events) != 2 {
		t.Errorf("the match that lost nothing: %v, %v", events, err)
	}
	retry(t, other, left("whole", 3))
	if text := book.String(); !strings.Contains(text, "matches=1") || !strings.Contains(text, "stream=ARCHIVE missing=1") {
		t.Error(text)
	}
}
