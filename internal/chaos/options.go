package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"notakto/internal/chaos/load"
)

const (
	maxPlayers = 1000
	maxKills   = 100_000
	maxLasting = 2 * time.Hour
)

// options are the options of a scenario.
type options struct {
	scenario   string
	players    int
	spectators int
	matches    int
	think      time.Duration
	seed       uint64
	style      load.Style
	rated      bool
	binary     string
	next       string // the program that drained servers start with
	sync       string
	extra      string
	work       string
	keep       bool
	settle     time.Duration
	grace      time.Duration
	kills      int
	early      int
	lasting    time.Duration
	every      time.Duration
	cuts       int
	cut        time.Duration
	shared     bool
	nats       int
	limit      time.Duration // the longest that players may wait; -every must be longer
}

// usual returns the default options of a scenario.
func usual(scenario string) (options, bool) {
	o := options{
		scenario: scenario, players: 24, spectators: 2, matches: 2, seed: 1, settle: 90 * time.Second, grace: time.Minute,
		kills: 1000, early: 10, every: 4 * time.Second, cut: 20 * time.Second,
	}
	switch scenario {
	case "kill":
	case "begin":
		o.players, o.kills, o.think, o.style = 40, 200, time.Millisecond, load.Hasty
	case "power":
		o.kills = 100
	case "rolling":
		o.players, o.lasting, o.think = 100, 2*time.Minute, 200*time.Millisecond
	case "drain":
		o.players, o.think, o.every, o.shared = 100, 200*time.Millisecond, 5*time.Second, true
	case "cluster":
		o.players, o.lasting, o.cuts, o.think = 150, 5*time.Minute, 1, 500*time.Millisecond
	case "cut", "freeze":
		o.players, o.cuts, o.think = 150, 3, 500*time.Millisecond
	case "clocks":
		o.players, o.kills, o.think, o.every = 60, 3, 500*time.Millisecond, 20*time.Second
		o.shared, o.limit = true, clockLimit
	case "nats":
		o.players, o.kills, o.think, o.every, o.cut, o.nats = 24, 5, 200*time.Millisecond, 20*time.Second, time.Second/2, 1
		o.matches, o.style, o.limit = 1, load.Queuing, natsLimit
	case "members":
		o.players, o.think, o.every, o.shared, o.limit = 150, 500*time.Millisecond, 15*time.Second, true, deathLimit
	case "replace":
		o.players, o.think, o.every, o.shared, o.limit = 60, 500*time.Millisecond, 15*time.Second, true, deathLimit
	case "partition":
		o.players, o.cuts, o.think, o.cut, o.every = 60, 6, 500*time.Millisecond, 15*time.Second, 20*time.Second
		o.grace, o.limit = 30*time.Second, deathLimit
	default:
		return o, false
	}
	return o, true
}

func parseOptions(args []string) (options, error) {
	o, known := usual(args[0])
	if !known {
		return o, fmt.Errorf("%w: no scenario %.20q\n%s", errUsage, args[0], about)
	}
	flags := flag.NewFlagSet("chaos "+o.scenario, flag.ContinueOnError)
	flags.SetOutput(os.Stderr)
	o.register(flags)
	if err := flags.Parse(args[1:]); err != nil {
		return o, fmt.Errorf("%w: %w", errUsage, err)
	}
	return o, o.check(flags.Args())
}

func (o *options) register(flags *flag.FlagSet) {
	flags.IntVar(&o.players, "players", o.players, "bots that play")
	flags.IntVar(&o.spectators, "spectators", o.spectators, "bots that look on")
	flags.IntVar(&o.matches, "matches", o.matches, "matches that a bot keeps going at once")
	flags.DurationVar(&o.think, "think", o.think, "time a bot thinks, at most; 0 is without pause")
	flags.BoolVar(&o.rated, "rated", o.rated, "bots seek opponents for rated pairs")
	flags.Uint64Var(&o.seed, "seed", o.seed, "of the instants, the keys and the moves")
	flags.StringVar(&o.binary, "binary", "", "the program; built from ./cmd/notakto if empty")
	if o.scenario == "drain" {
		flags.StringVar(&o.next, "next", "", "the program with which a drained server starts again; the same if empty")
	}
	flags.StringVar(&o.sync, "sync", "", "the server's --sync; its default if empty")
	flags.StringVar(&o.extra, "server", "", "more flags for the server, separated by spaces")
	flags.StringVar(&o.work, "work", "", "existing directory for data, logs and the record; a temporary one if empty")
	flags.BoolVar(&o.keep, "keep", false, "leave the temporary directory, which is otherwise done only after faults")
	flags.DurationVar(&o.settle, "settle", o.settle, "time to play all matches to their ends, at last")
	flags.DurationVar(&o.grace, "grace", o.grace, "the server's --grace")
	is := func(scenarios ...string) bool { return slices.Contains(scenarios, o.scenario) }
	if is("kill", "begin", "power", "clocks", "nats") {
		flags.IntVar(&o.kills, "kills", o.kills, "how often servers are killed, or lose their power")
	}
	if is("kill", "begin", "power") {
		flags.IntVar(&o.early, "early", o.early, "percentage of times that it happens while it is starting")
	}
	if is("rolling", "cluster") {
		flags.DurationVar(&o.lasting, "for", o.lasting, "how long servers are stopped and started")
	}
	if is("rolling", "drain", "cluster", "partition", "clocks", "nats", "replace", "members") {
		flags.DurationVar(&o.every, "every", o.every, "time from one to the next")
	}
	if is("cluster", "cut", "freeze", "partition") {
		flags.IntVar(&o.cuts, "cuts", o.cuts, "how often a node is cut off, or frozen")
	}
	if is("cluster", "cut", "freeze", "partition", "nats") {
		flags.DurationVar(&o.cut, "cut", o.cut, "for how long a node is cut off, frozen or down")
	}
	if is("cluster", "cut", "freeze") {
		flags.BoolVar(&o.shared, "shared", false,
			"all nodes in this network; by default each has a network namespace of its own, for which one has to be root")
	}
	if is("nats") {
		flags.IntVar(&o.nats, "nats", o.nats, "NATS servers, 1 or 3")
	}
}

func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%w: %q is no flag", errUsage, strings.Join(rest, " "))
	case o.players < 2 || o.players > maxPlayers || o.spectators < 0 || o.spectators > maxPlayers || o.matches < 1:
		return fmt.Errorf("%w: 2 to %d players, up to %[2]d spectators, a match or more each", errUsage, maxPlayers)
	case o.kills < 0 || o.kills > maxKills || o.early < 0 || o.early > 100:
		return fmt.Errorf("%w: up to %d kills, up to 100%% early", errUsage, maxKills)
	case o.endless():
		return fmt.Errorf("%w: times up to %v, and -every above %v", errUsage, maxLasting, o.limit)
	case o.scenario == "nats" && o.nats != 1 && o.nats != nodes:
		return fmt.Errorf("%w: 1 or %d NATS servers", errUsage, nodes)
	}
	return nil
}

// endless reports whether a time, or the number of cuts, is out of range.
func (o options) endless() bool {
	return o.lasting < 0 || o.lasting > maxLasting || o.every <= o.limit || o.cut < 0 || o.cut > maxLasting || o.cuts < 0
}
