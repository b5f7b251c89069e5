package journal

import (
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// restartable is an outside NATS that can be stopped and started again at the same address.
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

// rePinned waits until a note can be pinned in the place of one, with a higher revision.
func rePinned(t *testing.T, s *Store, n match.Note) (pinned match.Note) {
	t.Helper()
	eventually(t, "the note is pinned again", func() bool {
		again := match.Note{Key: n.Key, Text: n.Text, Revision: s.notes.note(n.Key).Revision}
		var err error
		if pinned, err = s.Pin(t.Context(), again); err != nil {
			again.Revision = 0
			pinned, err = s.Pin(t.Context(), again)
		}
		return err == nil && pinned.Revision > n.Revision
	})
	return pinned
}

// A NATS that is restarted has forgotten the board. Players were not paired any more, and servers took each other for dead.
func TestBoardIsMadeAnewWhenNATSForgotIt(t *testing.T) {
	t.Parallel()
	nats := &restartable{T: t, options: server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
	}}
	nats.start()
	nats.options.Port = nats.server.Addr().(*net.TCPAddr).Port
	t.Cleanup(func() { nats.stop() })
	one, other := open(t, Config{Outside: Outside{URL: nats.server.ClientURL()}}), open(t, Config{Outside: Outside{URL: nats.server.ClientURL()}})
	n, err := one.Pin(t.Context(), match.Note{Key: "seek.1", Text: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	nats.stop()
	nats.start()
	again := rePinned(t, one, n)
	eventually(t, "the other sees it", func() bool { return other.notes.note(n.Key).Revision == again.Revision })
}

// forgotten is a store whose server has brought the board back empty, from its beginning, as those of a cluster do that are restarted together.
// The note was pinned before.
func forgotten(t *testing.T) (*Store, match.Note) {
	t.Helper()
	s := open(t, Config{Memory: true})
	n := match.Note{Key: "seek.1", Text: []byte("x")}
	var err error
	for range 5 {
		if n, err = s.Pin(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.js.DeleteStream(t.Context(), boardStream); err != nil {
		t.Fatal(err)
	}
	cfg := streams(jetstream.MemoryStorage, 1)[2]
	if _, err := s.js.CreateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	return s, n
}

func TestBoardGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	s, n := forgotten(t)
	rePinned(t, s, n)
}

// A note that was pinned before the board went on where it was vanished with that: its player waited in a queue that nobody saw.
func TestPinnedOnABoardThatWasForgotten(t *testing.T) {
	t.Parallel()
	s, old := forgotten(t)
	n, err := s.Pin(t.Context(), match.Note{Key: "seek.2", Text: []byte("y")})
	if err != nil || n.Revision <= old.Revision || s.notes.note(n.Key).Revision != n.Revision {
		t.Errorf("pinned as %+v, %v, told as %+v", n, err, s.notes.note(n.Key))
	}
}
