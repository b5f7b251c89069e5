package journal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
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

// A server that refuses the connection can be reached: two that had both stopped would wait for each other for ever.
func TestRefusalIsAnAnswer(t *testing.T) {
	if err := call(t.Context(), freePorts(t, 1)[0]); err != nil {
		t.Error(err)
	}
	if err := call(t.Context(), "127.0.0.1:99999"); err == nil {
		t.Error("there is no such port")
	}
}

// A server that is cut off must not call elections, by which it would depose the others' leaders when the network is
// well again.
func TestServerThatIsCutOffSitsOut(t *testing.T) {
	t.Parallel()
	var log said
	s := newStore(Config{Dir: t.TempDir(), Log: log.log()}, newClock())
	t.Cleanup(func() { _ = s.Close() })
	if err := errors.Join(s.node.prepare(t.Context()), s.node.start(t.Context(), s.registry.next)); err != nil {
		t.Fatal(err)
	}
	var well atomic.Bool
	s.node.monitor.restore = func(context.Context) error { return nil }
	s.node.monitor.isolation = isolation{peers: []string{"one", "other"}, call: func(context.Context, string) error {
		if well.Load() {
			return nil
		}
		return errors.New("no route to host")
	}}
	ctx, cancel := context.WithCancel(t.Context())
	var keeping sync.WaitGroup
	keeping.Go(func() { s.node.monitor.run(ctx) })
	eventually(t, "the server is stopped", func() bool { return !s.node.server.records() })
	if err := s.Check(t.Context()); !errors.Is(err, match.ErrUnavailable) || !strings.Contains(err.Error(), "cut off from the others") {
		t.Errorf("while it waits: %v", err)
	}
	well.Store(true)
	eventually(t, "the server is back", s.node.server.records)
	cancel()
	keeping.Wait()
	if text := log.String(); strings.Count(text, "cannot be reached") != 1 {
		t.Errorf("the log says:\n%s", text)
	}
}

// What came while there was no consumer is asked for, and told once.
func TestPoll(t *testing.T) {
	s := open(t, Config{Memory: true})
	putAll(t, s, []match.Event{left("a", 1), left("b", 1), left("a", 2)})
	var received []string
	f := newFollower(s.node.conn, s.node.cfg.Log, s.clock, matchesStream, 1, func(m message) {
		if m.header.Get("Nats-Msg-Id") == "" || s.Now().Sub(m.at) > maxDelay {
			t.Errorf("told %+v", m)
		}
		received = append(received, strings.TrimPrefix(m.subject, matchSubject))
	})
	for _, want := range []int{3, 0} {
		if n, err := f.poll(t.Context()); err != nil || n != want {
			t.Errorf("%d told, %v, want %d", n, err, want)
		}
	}
	putAll(t, s, []match.Event{left("b", 2)})
	if n, err := f.poll(t.Context()); err != nil || n != 1 || !slices.Equal(received, []string{"a", "b", "a", "b"}) {
		t.Errorf("%d told, %v, in all %v", n, err, received)
	}
}
