package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"notakto/internal/chaos/load"
)

const (
	maxPlayers = 1000
	maxKills   = 100_000
	maxLasting = 2 * time.Hour
)

type options struct {
	scenario   scenario
	players    int
	spectators int
	matches    int
	think      time.Duration
	seed       uint64
	style      load.Style
	binary     string
	next       string // the program that replaces binary when a drained server starts again
	work       string
	keep       bool
	settle     time.Duration
	grace      time.Duration
	kills      int
	every      time.Duration
	lasting    time.Duration
}

func parseOptions(args []string) (options, error) {
	sc, isKnown := find(args[0])
	if !isKnown {
		return options{}, fmt.Errorf("%w: no scenario %.20q\n%s", errUsage, args[0], about())
	}
	o := options{
		scenario: sc, spectators: 2, matches: 2, seed: 1, settle: 90 * time.Second, grace: time.Minute,
		style:   sc.usual.style,
		players: cmp.Or(sc.usual.players, 24), kills: cmp.Or(sc.usual.kills, 4), every: sc.usual.every,
		lasting: sc.usual.lasting, think: cmp.Or(sc.usual.think, 200*time.Millisecond),
	}
	if sc.usual.hurried {
		o.think = 0
	}
	flags := flag.NewFlagSet("chaos "+args[0], flag.ContinueOnError)
	flags.SetOutput(os.Stderr)
	flags.IntVar(&o.players, "players", o.players, "bots that play")
	flags.IntVar(&o.spectators, "spectators", o.spectators, "bots that look on")
	flags.IntVar(&o.matches, "matches", o.matches, "matches that a bot keeps going at once")
	flags.DurationVar(&o.think, "think", o.think, "time a bot thinks, at most; 0 is without pause")
	flags.Uint64Var(&o.seed, "seed", o.seed, "of the instants, the keys and the moves")
	flags.StringVar(&o.binary, "binary", "", "the program; built from ./cmd/notakto if empty")
	flags.StringVar(&o.next, "next", "", "the program with which drained servers start again; the same if empty")
	flags.StringVar(&o.work, "work", "", "existing directory for data, logs and the record; a temporary one if empty")
	flags.BoolVar(&o.keep, "keep", false, "leave the temporary directory, which is otherwise done only after faults")
	flags.DurationVar(&o.settle, "settle", o.settle, "time to play all matches to their ends, at last")
	flags.DurationVar(&o.grace, "grace", o.grace, "the servers' --grace")
	flags.IntVar(&o.kills, "kills", o.kills, "how often the fault is made")
	flags.DurationVar(&o.every, "every", o.every, "time from one to the next; 0 is as soon as players are back")
	flags.DurationVar(&o.lasting, "for", o.lasting, "how long each lasts")
	if err := flags.Parse(args[1:]); err != nil {
		return o, fmt.Errorf("%w: %w", errUsage, err)
	}
	return o, o.check(flags.Args())
}

func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%w: %q is no flag", errUsage, strings.Join(rest, " "))
	case o.players < 2 || o.players > maxPlayers || o.spectators < 0 || o.spectators > maxPlayers || o.matches < 1:
		return fmt.Errorf("%w: 2 to %d players, up to %[2]d spectators, a match or more each", errUsage, maxPlayers)
	case o.kills < 0 || o.kills > maxKills:
		return fmt.Errorf("%w: up to %d faults", errUsage, maxKills)
	case o.lasting < 0 || o.lasting > maxLasting || o.every < 0 || o.every > maxLasting:
		return fmt.Errorf("%w: times up to %v", errUsage, maxLasting)
	case o.scenario.after > 0 && o.every <= o.scenario.after:
		return fmt.Errorf("%w: -every above %v, which players may wait", errUsage, o.scenario.after)
	case o.next != "" && o.scenario.name != "drain":
		return fmt.Errorf("%w: -next is for drain", errUsage)
	}
	return nil
}
