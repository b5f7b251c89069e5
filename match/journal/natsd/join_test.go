package natsd

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
)

// Each user of a machine reaches its loopback, and could use up the files that the process may open.
func TestClusterHasNoPortForClients(t *testing.T) {
	t.Parallel()
	v, err := newGuestServer(t.Context(), Config{}.withDefaults(), Cluster{
		Name: "test", Listen: "127.0.0.1:-1", Secret: "between us",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	if port := v.embedded.running().Addr(); port != nil {
		t.Errorf("listens for clients at %v", port)
	}
	if v.embedded.running().ClusterAddr() == nil {
		t.Error("does not listen for the other servers")
	}
}

// Each one holds a descriptor of the process, and needs no secret.
func TestSilentConnectionToAClusterIsClosedSoon(t *testing.T) {
	t.Parallel()
	files := journaltest.Certificates(t)
	for name, cluster := range map[string]Cluster{
		"plain": {Name: "test", Listen: "127.0.0.1:-1", Secret: "between us"},
		"TLS": {
			Name: "test", Listen: "127.0.0.1:-1", Secret: "between us", CertFile: files.Cert,
			KeyFile: files.Key, CAFile: files.CA,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := newGuestServer(t.Context(), Config{}.withDefaults(), cluster)
			if err != nil {
				t.Fatal(err)
			}
			defer v.close()
			conn, err := net.Dial("tcp", v.embedded.running().ClusterAddr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			if err := conn.SetReadDeadline(time.Now().Add(1800 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("still open: %v", err)
			}
		})
	}
}

func TestIsolation(t *testing.T) {
	for _, test := range []struct {
		name     string
		peers    string
		received bool
		want     bool
	}{
		{"cut off", "lost lost", false, true},
		{"something still comes", "lost lost", true, false},
		{"one of two can be reached", "near lost", false, false},
		{"one of four can be reached", "near lost lost lost", false, true},
		{"the only other one is lost", "lost", false, true},
		{"a server of its own", "", false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			i := isolation{peers: strings.Fields(test.peers), call: func(ctx context.Context, peer string) error {
				if peer == "near" {
					return nil
				}
				<-ctx.Done()
				return ctx.Err()
			}}
			received, got := int64(0), false
			for began := time.Now(); time.Since(began) < silentFor+checkEvery; <-time.After(checkEvery) {
				if test.received {
					received++
				}
				got = i.isCutOff(t.Context(), received)
			}
			if got != test.want {
				t.Errorf("%s: %v", test.name, got)
			}
		})
	}
}

// A server that refuses the connection is reachable: otherwise two stopped servers would wait for each other for ever.
func TestRefusalIsAnAnswer(t *testing.T) {
	if err := call(t.Context(), journaltest.FreePorts(t, 1)[0]); err != nil {
		t.Error(err)
	}
	if err := call(t.Context(), "127.0.0.1:99999"); err == nil {
		t.Error("there is no such port")
	}
}

// A server that is cut off must not call elections: they would depose the others' leaders when the network recovers.
func TestServerThatIsCutOffSitsOut(t *testing.T) {
	t.Parallel()
	var log said
	n := startNode(t, Config{Dir: t.TempDir(), Log: log.log()})
	var well atomic.Bool
	n.Monitor.restore = func(context.Context) error { return nil }
	n.Monitor.isolation = isolation{peers: []string{"one", "other"}, call: func(context.Context, string) error {
		if well.Load() {
			return nil
		}
		return errors.New("no route to host")
	}}
	ctx, cancel := context.WithCancel(t.Context())
	var keeping sync.WaitGroup
	keeping.Go(func() { n.Monitor.Run(ctx) })
	eventually(t, "the server is stopped", func() bool { return !n.server.records() })
	if err := n.Check(t.Context()); !errors.Is(err, match.ErrUnavailable) ||
		!strings.Contains(err.Error(), "cut off from the others") {
		t.Errorf("while it waits: %v", err)
	}
	well.Store(true)
	eventually(t, "the server is back", n.server.records)
	cancel()
	keeping.Wait()
	if text := log.String(); strings.Count(text, "cannot be reached") != 1 {
		t.Errorf("the log says:\n%s", text)
	}
}
