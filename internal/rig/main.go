package rig

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a command and returns its exit status, 0 without an error, else 1. SIGINT or SIGTERM ends the context of
// run, and a second signal ends the program. Main writes the error to standard error, after the name of the command.
func Main(name string, run func(context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	err := run(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	return 1
}
