package natsd

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
)

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
