package natsd

import (
	"log/slog"
	"testing"
	"time"

	"notakto/internal/logbuffer"
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
