package journal

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"notakto/internal/logbuffer"
)

// A NATS without JetStream was waited for, for ten minutes, as if nodes of a cluster were missing.
func TestANatsWithoutJetStreamIsRefused(t *testing.T) {
	began := time.Now()
	_, err := Open(t.Context(), Config{Outside: Outside{URL: natsServer(t, server.Options{})}})
	if !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), "without JetStream") {
		t.Errorf("opened with %v", err)
	}
	if took := time.Since(began); took > jetStreamWithin+10*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestAnAccountWithoutJetStreamIsRefused(t *testing.T) {
	with, without := server.NewAccount("with"), server.NewAccount("without")
	url := natsServer(t, server.Options{
		JetStream: true, StoreDir: t.TempDir(), Accounts: []*server.Account{with, without},
		Users: []*server.User{{Username: "ann", Password: "secret", Account: without}},
	})
	_, err := Open(t.Context(), Config{Outside: Outside{URL: strings.Replace(url, "nats://", "nats://ann:secret@", 1)}})
	if !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), "account") {
		t.Errorf("opened with %v", err)
	}
}

// Version 2.10 plays, and then cannot read what it has put away.
func TestAnOldNatsIsRefused(t *testing.T) {
	for version, fit := range map[string]bool{
		"2.11.0": true, "2.11.17": true, "2.15.2": true, "3.0.0-RC.1": true, "2.10.27": false, "1.4.1": false, "": false, "new": false,
	} {
		err := checkVersion(version)
		if (err == nil) != fit || err != nil && (!errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), "2.11 or newer")) {
			t.Errorf("version %q: %v", version, err)
		}
	}
}

func TestEveryStartSaysHowAnOutsideNatsHasToSync(t *testing.T) {
	url := outside(t)
	for range 2 {
		var book logbuffer.Text
		open(t, Config{Outside: Outside{URL: url}, Log: slog.New(slog.NewTextHandler(&book, nil))})
		if text := book.String(); strings.Count(text, "sync_interval") != 1 {
			t.Error(text)
		}
	}
}
