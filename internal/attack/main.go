//go:build attack

// Command attack runs the real program, has honest people play on it, and attacks it meanwhile in every way that a
// client can, one after the other. It says of each attack what it did to the server and to the players, and whether
// that was little enough.
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
	os.Exit(interrupt.Status("attack", errUsage, func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) }))
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
