package interrupt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	usage := errors.New("wrong command line")
	for fault, want := range map[error]int{
		nil: 0, fmt.Errorf("%w: %w", usage, flag.ErrHelp): 0, errors.New("the disk is full"): 1,
		fmt.Errorf("%w: -x", usage): 2,
	} {
		if got := Status("test", usage, func(context.Context) error { return fault }); got != want {
			t.Errorf("%v: status %d, want %d", fault, got, want)
		}
	}
}

func TestASignalBreaksOff(t *testing.T) {
	var paused error
	status := Status("test", flag.ErrHelp, func(ctx context.Context) error {
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		if err := self.Signal(os.Interrupt); err != nil {
			return err
		}
		paused = Pause(ctx, time.Hour)
		return paused
	})
	if status != 1 || !errors.Is(paused, context.Canceled) {
		t.Errorf("status %d after %v", status, paused)
	}
}
