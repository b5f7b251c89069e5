//go:build hostile

// Command hostile runs the real program, has honest people play on it, and attacks it meanwhile in every way that a client can, one after
// the other. It says of each attack what it did to the server and to the players, and whether that was little enough.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

var (
	errUsage  = errors.New("wrong command line")
	errFailed = errors.New("attacks did harm")
)

func main() { os.Exit(status(os.Args[1:])) }

func status(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, args, os.Stdout)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(os.Stderr, "hostile:", err)
	if errors.Is(err, errUsage) {
		return 2
	}
	return 1
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
