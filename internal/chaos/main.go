// Command chaos plays matches against the real program while it makes it fail, and checks from what the players
// received, and from the database, whether a match was lost, changed or left without an end.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"notakto/internal/interrupt"
)

var errUsage = errors.New("wrong command line")

func main() {
	os.Exit(interrupt.Status("chaos", errUsage, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout)
	}))
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("%w\n%s", errUsage, about())
	}
	if args[0] == "check" {
		return checkFile(args[1:], out)
	}
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	return (&stage{options: o, out: out}).perform(ctx)
}

func about() string {
	var b strings.Builder
	b.WriteString("usage: chaos SCENARIO [FLAG...]\n\n")
	for _, sc := range scenarios() {
		fmt.Fprintf(&b, "  %-9s %s\n", sc.name, sc.about)
	}
	b.WriteString("  check     FILE: the record of an earlier run\n\nchaos SCENARIO -help lists the flags.")
	return b.String()
}
