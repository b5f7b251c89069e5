package journal

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"notakto/match"
	"notakto/match/journal/internal/disk"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
)

func TestDirectoryIsForOneProcess(t *testing.T) {
	dir := t.TempDir()
	open(t, natsd.Config{Dir: dir})
	second, err := Open(t.Context(), natsd.Config{Dir: dir}, nil)
	if !errors.Is(err, disk.ErrLocked) || !strings.Contains(err.Error(), dir) || second != nil {
		t.Errorf("a second one: %v", err)
	}
}

// outside returns an external NATS, one server on loopback.
func outside(t *testing.T) string {
	t.Helper()
	return natsServer(t, server.Options{JetStream: true, StoreDir: t.TempDir()})
}

// natsServer starts a NATS that is stopped when the test ends.
func natsServer(t *testing.T, options server.Options) string {
	t.Helper()
	options.Host, options.Port, options.NoLog, options.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(&options)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("it does not come up")
	}
	return s.ClientURL()
}

func TestOutsideIsAJournal(t *testing.T) {
	t.Parallel()
	journaltest.Journal(t, func(t *testing.T) match.Journal {
		return open(t, natsd.Config{Outside: natsd.Outside{URL: outside(t)}})
	})
}

func TestOutsideIsARegistry(t *testing.T) {
	t.Parallel()
	journaltest.Registry(t, func(t *testing.T) match.Registry {
		return open(t, natsd.Config{Outside: natsd.Outside{URL: outside(t)}})
	})
}

// Two nodes at one outside NATS see each other.
func TestOutsideIsShared(t *testing.T) {
	t.Parallel()
	url := outside(t)
	cfg := natsd.Config{Outside: natsd.Outside{URL: url}}
	a, b := open(t, cfg), open(t, cfg)
	ear := listen(b)
	putAll(t, a, []match.Event{left("a", 1), left("a", 2)})
	eventually(t, "the other hears", func() bool { return ear.String() == "[a1 a2]" })
	if now, other := a.Now(), b.Now(); now.Sub(other).Abs() > time.Second {
		t.Errorf("it is %v here and %v there", now, other)
	}
}
