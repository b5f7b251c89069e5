// Command chaos runs the real server with bots and makes the server, its disk or its database fail again and again.
// At the end it checks that no match was lost, changed or left without an end.
//
//	go run ./internal/chaos SCENARIO [FLAG...]
//
// A stage is one run. Its perform method builds the program, starts the servers of a scenario, lets the bots of
// package load play, and makes the faults. One goroutine runs the bots, and one for each server process reads that
// server's log.
//
// The verdict does not trust the servers. Package history has each line that the bots send and receive. After the last
// server has stopped, checkStore compares the database with what the bots were told. After a run that fails, the record
// of the lines and the logs stay on disk.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"notakto/internal/rig"
)

func main() {
	os.Exit(rig.Main("chaos", func(ctx context.Context) error {
		o, err := parseOptions(os.Args[1:])
		if err != nil {
			return err
		}
		return (&stage{options: o, out: os.Stdout}).perform(ctx)
	}))
}

// options is a scenario with the values of the flags.
type options struct {
	scenario
	seed   uint64
	binary string
	next   string // the program that replaces binary when a drained server starts again
}

func parseOptions(args []string) (o options, err error) {
	all := scenarios()
	i := slices.IndexFunc(all, func(sc scenario) bool { return len(args) > 0 && sc.name == args[0] })
	if i < 0 {
		var b strings.Builder
		for _, sc := range all {
			fmt.Fprintf(&b, "\n  %-9s %s", sc.name, sc.about)
		}
		return o, errors.New("usage: chaos SCENARIO [FLAG...]\n" + b.String() +
			"\n\nchaos SCENARIO -help lists the flags")
	}
	o.scenario = all[i]
	flags := flag.NewFlagSet("chaos "+args[0], flag.ExitOnError)
	flags.IntVar(&o.players, "players", cmp.Or(o.players, 24), "bots that play")
	flags.Uint64Var(&o.seed, "seed", 1, "of the instants and the moves")
	flags.StringVar(&o.binary, "binary", "", "the program; built from ./cmd/notakto if empty")
	flags.StringVar(&o.next, "next", "", "the program with which drained servers start again; the same if empty")
	flags.IntVar(&o.kills, "kills", cmp.Or(o.kills, 4), "number of faults")
	flags.DurationVar(&o.every, "every", o.every, "time between two faults; 0 for as soon as a player is back")
	flags.DurationVar(&o.lasting, "for", o.lasting, "how long a fault lasts")
	err = flags.Parse(args[1:])
	switch {
	case err != nil:
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.players < 2 || o.kills < 0 || o.every < 0 || o.lasting < 0:
		err = errors.New("want at least 2 players, and no negative number or time")
	case o.after > 0 && o.every <= o.after:
		err = fmt.Errorf("-every must be above %v, which players may wait", o.after)
	}
	return o, err
}
