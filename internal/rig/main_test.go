package rig

import (
	"context"
	"os"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
)

// Scripts of .ci rely on the exit status.
func TestASignalBreaksOff(t *testing.T) {
	testkit.Equal(t, Main("test", func(context.Context) error { return nil }), 0)
	testkit.Equal(t, Main("test", func(ctx context.Context) error {
		self, err := os.FindProcess(os.Getpid())
		testkit.OK(t, err)
		testkit.OK(t, self.Signal(os.Interrupt))
		err = match.Sleep(ctx, time.Hour)
		testkit.ErrorIs(t, err, context.Canceled)
		return err
	}), 1)
}
