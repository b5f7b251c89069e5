// Package interrupt lets the commands for developers be broken off at any time.
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

// Status runs a command of this name until it ends or a signal breaks it off, says on standard error what went wrong,
// and is the exit status: 2 for what wraps usage, the command line's own fault. To have asked for help with a flag is
// no fault.
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

// Pause lets time pass, unless ctx ends first.
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
