package natsd

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/internal/logbuffer"
	"notakto/match"
)

// startNode starts a node that is closed when the test ends.
func startNode(t *testing.T, cfg Config) *Node {
	t.Helper()
	n := NewNode(cfg, time.Now)
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := n.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context(), func() uint64 { return 0 }); err != nil {
		t.Fatal(err)
	}
	return n
}

// said collects the log of a node.
type said struct{ logbuffer.Text }

func (s *said) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(s, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for range 4000 {
		if holds() {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	t.Fatalf("it never comes to this: %s", what)
}

func TestMajority(t *testing.T) {
	replicas := func(active ...time.Duration) (all []*jetstream.PeerInfo) {
		for _, d := range active {
			all = append(all, &jetstream.PeerInfo{Active: d})
		}
		return all
	}
	for _, test := range []struct {
		name    string
		cluster jetstream.ClusterInfo
		want    bool
	}{
		{"all in contact", jetstream.ClusterInfo{Leader: "a", Replicas: replicas(time.Second, 0)}, true},
		{"one of three silent", jetstream.ClusterInfo{Leader: "a", Replicas: replicas(time.Second, time.Minute)}, true},
		{"a leader that is cut off", jetstream.ClusterInfo{Leader: "a",
			Replicas: replicas(4*time.Second, 5*time.Second)}, false},
		{"no leader", jetstream.ClusterInfo{Replicas: replicas(0, 0, 0)}, false},
		{"one of two silent", jetstream.ClusterInfo{Leader: "a", Replicas: replicas(4 * time.Second)}, false},
		{"a stream of one replica", jetstream.ClusterInfo{Leader: "a"}, true},
		{"down", jetstream.ClusterInfo{Leader: "a", Replicas: []*jetstream.PeerInfo{{Offline: true}, {Offline: true}}},
			false},
	} {
		if got := hasMajority(&test.cluster); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// A full disk and a failed server are reported at once.
func TestCheckLooksAtTheServer(t *testing.T) {
	n := startNode(t, Config{Dir: t.TempDir()})
	if err := n.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.Monitor.MinFree.Store(1 << 62)
	n.Monitor.check()
	if err := n.Check(t.Context()); !errors.Is(err, match.ErrUnavailable) || !errors.Is(err, errFull) {
		t.Errorf("with a full disk: %v", err)
	}
	n.Monitor.MinFree.Store(MinFree)
	n.Monitor.check()
	n.server.stop()
	if err := n.Check(t.Context()); !errors.Is(err, match.ErrUnavailable) {
		t.Errorf("without a server: %v", err)
	}
}

// A group of messages whose sync had failed was acknowledged when it was sent again, as duplicates.
func TestAServerThatCouldNotWriteIsNotBelieved(t *testing.T) {
	n := startNode(t, Config{Dir: t.TempDir()})
	n.server.running().Errorf("JetStream stream '%s > %s' critical write error: %v", "$G", PeopleStream, errFull)
	if n.server.records() {
		t.Error("it is not started anew")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := n.JetStream.AccountInfo(ctx); err == nil {
		t.Error("it is believed")
	}
	n.Monitor.restart(t.Context())
	if err := n.Check(t.Context()); err != nil {
		t.Errorf("after the restart: %v", err)
	}
}

// A route whose packets are dropped must be closed on both sides within seconds: the side that keeps it refuses every
// new one.
func TestRoutesAreFoundDeadSoon(t *testing.T) {
	var o server.Options
	if err := (Cluster{Listen: "127.0.0.1:6222", Peers: []string{"127.0.0.1:6223"}}).join(&o); err != nil {
		t.Fatal(err)
	}
	c := o.Cluster
	if dead := c.PingInterval * time.Duration(c.MaxPingsOut+1); dead == 0 || dead > 6*time.Second ||
		c.WriteDeadline == 0 || c.WriteDeadline > dead {
		t.Errorf("found dead after %v, or when a write has waited %v", dead, c.WriteDeadline)
	}
}
