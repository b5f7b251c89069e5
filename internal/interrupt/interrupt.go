// Package interrupt makes the commands for developers interruptible at any time. Their main functions call [Status],
// and their waits use [Pause].
package interrupt

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Status calls run and returns the exit status of the process. SIGINT and SIGTERM end run's context. Status writes an
// error of run to standard error, after name and a colon. The status is 0 without an error or after [flag.ErrHelp], 2
// for an error that wraps usage, else 1.
func Status(name string, usage error, run func(context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	if errors.Is(err, usage) {
		return 2
	}
	return 1
}

// Pause waits for d. If ctx ends first, Pause returns ctx.Err().
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
