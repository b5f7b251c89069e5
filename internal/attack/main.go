//go:build attack

// Command attack runs the real program with honest players, and attacks it at the same time in every way that a client
// can, one after the other. It prints the effect of each attack on the server and the players, and whether that was
// within the limits.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"notakto/internal/interrupt"
)

var (
	errUsage  = errors.New("wrong command line")
	errFailed = errors.New("attacks did harm")
)

func main() {
	os.Exit(interrupt.Status("attack", errUsage, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout)
	}))
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseOptions(args)
	switch {
	case err != nil:
		return err
	case o.attack != "":
		return attackFrom(ctx, o, out)
	default:
		return (&trial{options: o, out: out}).run(ctx)
	}
}
