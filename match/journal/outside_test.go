package journal

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"notakto/internal/logbuffer"
	"notakto/match"
	"notakto/match/internal/disk"
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

// A NATS without JetStream was waited for, for ten minutes, as if nodes of a cluster were missing.
func TestANatsWithoutJetStreamIsRefused(t *testing.T) {
	t.Parallel()
	began := time.Now()
	_, err := Open(t.Context(), natsd.Config{Outside: natsd.Outside{URL: natsServer(t, server.Options{})}}, nil)
	if !errors.Is(err, natsd.ErrUnfit) || !strings.Contains(err.Error(), "without JetStream") {
		t.Errorf("opened with %v", err)
	}
	if took := time.Since(began); took > 12*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestAnAccountWithoutJetStreamIsRefused(t *testing.T) {
	with, without := server.NewAccount("with"), server.NewAccount("without")
	url := natsServer(t, server.Options{
		JetStream: true, StoreDir: t.TempDir(), Accounts: []*server.Account{with, without},
		Users: []*server.User{{Username: "ann", Password: "secret", Account: without}},
	})
	_, err := Open(t.Context(),
		natsd.Config{Outside: natsd.Outside{URL: strings.Replace(url, "nats://", "nats://ann:secret@", 1)}}, nil)
	if !errors.Is(err, natsd.ErrUnfit) || !strings.Contains(err.Error(), "account") {
		t.Errorf("opened with %v", err)
	}
}

func TestEveryStartSaysHowAnOutsideNatsHasToSync(t *testing.T) {
	t.Parallel()
	url := outside(t)
	for range 2 {
		var book logbuffer.Text
		open(t, natsd.Config{Outside: natsd.Outside{URL: url}, Log: slog.New(slog.NewTextHandler(&book, nil))})
		if text := book.String(); strings.Count(text, "sync_interval") != 1 {
			t.Error(text)
		}
	}
}
