package journal

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"notakto/internal/logbuffer"
	"notakto/match/journal/natsd"
)

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
