// Command chaos runs the real server with bots and makes the server, its disk or its database fail again and again.
// At the end it checks that no match was lost, changed or left without an end.
//
//	go run ./internal/chaos SCENARIO [FLAG...]
//	go run ./internal/chaos check [FLAG...] FILE
//
// A stage is one run. Its perform method builds the program, starts the servers of a scenario, lets the bots of
// package load play, and makes the faults. One goroutine runs the bots, and one for each server process reads that
// server's log.
//
// The verdict does not trust the servers. The bots write each line that they send and receive into a record, and
// package history looks for contradictions there. After the last server has stopped, checkStore compares the database
// with the record. After a fault the record stays on disk, where a changed checker can read it again.
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
