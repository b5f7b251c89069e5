//go:build attack

// Command attack runs the real program with honest players, and attacks it at the same time in every way that a client
// can, one after the other. It prints the effect of each attack on the server and the players, and whether that was
// within the limits.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

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

// options are the options of a run. Those of the second group are for the attacking process, which the first one
// starts.
type options struct {
	long    bool
	lasting time.Duration
	pause   time.Duration
	only    string
	binary  string
	extra   string
	keep    string
	list    bool
	rtt     time.Duration

	attack  string
	address string
	pid     int
	usual   float64
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("attack", flag.ContinueOnError)
	flags.SetOutput(os.Stderr)
	flags.BoolVar(&o.long, "long", false, "attack in full size, with the server's own times; ten minutes")
	flags.DurationVar(&o.lasting, "for", 0, "attack one server in rotation for so long, and see what stays of it")
	flags.DurationVar(&o.pause, "pause", usualPause,
		"with -for, what the honest players wait after a move; shorter, the time brings more matches")
	flags.StringVar(&o.only, "case", "", "only the attacks of these names, separated by commas")
	flags.StringVar(&o.binary, "binary", "", "the program; built from ./cmd/notakto if empty")
	flags.StringVar(&o.extra, "server", "", "more flags for the server, separated by spaces")
	flags.StringVar(&o.keep, "keep", "",
		"existing directory for the logs and the goroutines at the end; thrown away if empty")
	flags.BoolVar(&o.list, "list", false, "name the attacks and what has to hold, and do nothing")
	flags.DurationVar(&o.rtt, "rtt", 0, "round-trip time between the honest players and their servers")
	flags.StringVar(&o.attack, "attack", "", "be the attacker of this case (used by the program itself)")
	flags.StringVar(&o.address, "address", "", "of the server that is attacked")
	flags.IntVar(&o.pid, "pid", 0, "of the server that is attacked")
	flags.Float64Var(&o.usual, "usual", 0, "cores that it takes without an attack")
	if err := flags.Parse(args); err != nil {
		return o, fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%w: %q is no flag", errUsage, strings.Join(flags.Args(), " "))
	}
	if o.lasting > 0 && o.binary != "" {
		return o, fmt.Errorf("%w: -for builds a program of its own, whose clock leaps: not with -binary", errUsage)
	}
	for _, name := range o.names() {
		if !slices.ContainsFunc(attacks(), func(a attack) bool { return a.name == name }) {
			return o, fmt.Errorf("%w: no attack %.20q, see -list", errUsage, name)
		}
	}
	return o, nil
}

// names returns the attacks to run; none means all.
func (o options) names() []string {
	return slices.DeleteFunc(strings.Split(o.only, ","), func(name string) bool { return name == "" })
}

// limit returns the server's time limit for a login, for the first session after it, and for a blocked write. It is
// shorter in the short run.
func (o options) limit() time.Duration { return time.Duration(o.pick(3, 10)) * time.Second }

// pick returns the value for the short or the long run.
func (o options) pick(short, long int) int {
	if o.long {
		return long
	}
	return short
}

// orders returns all sequences of a length of the first n numbers, with repetitions.
func orders(n, length int) [][]int {
	if length == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, row := range orders(n, length-1) {
		for k := range n {
			all = append(all, append(slices.Clone(row), k))
		}
	}
	return all
}

// distinct returns the orders in which no number occurs twice.
func distinct(n, length int) [][]int {
	return slices.DeleteFunc(orders(n, length), func(row []int) bool {
		return len(slices.Compact(slices.Sorted(slices.Values(row)))) < length
	})
}

// attack is one case: its actions, and the conditions during and after it, besides those for all cases.
type attack struct {
	name     string
	holds    string
	memory   int  // MB that the server may take at its peak, over its use without an attack
	visitors from // other players who log in during the attack
	run      func(*enemy) error

	descriptors int               // limit of the server; 0 for the machine's limit
	flags       []string          // additional flags of the server
	disk        int               // MB of a separate disk for the server; 0 for the machine's disk
	still       bool              // no honest moves are played, since none can be recorded during the attack
	lines       int               // limit of log lines a second, without those about sessions; 0 for any number
	unreadLog   bool              // the tool does not read the server's log until the attack is over
	archived    func(options) int // returns the number of finished matches at the server's start; nil for none
	runs        runs
	fair        bool // the strict bounds of fairness hold, see trial.bound
}

// ownServer reports whether the server of the attack differs from that of the others.
func (a attack) ownServer() bool {
	return a.descriptors > 0 || len(a.flags) > 0 || a.archived != nil || a.unreadLog || a.disk > 0
}

// runs is which runs include an attack. Any run does if -case names it.
type runs int

const (
	always   runs = iota
	longOnly      // the short run has no time for it
	onDemand      // the server does not withstand it yet, or it uses too much of the machine
)

// from is the source addresses of visitors.
type from int

const (
	noVisitor from = iota
	elsewhere      // each from a different address
	beside         // from the attacker's address
	inPairs        // from their own addresses, two at once, over links with several round-trip times
)

// attacks returns all cases, in the order in which they run.
func attacks() []attack {
	return slices.Concat(
		handshakeAttacks(), floodAttacks(), keyAttacks(), nameAttacks(), windowAttacks(), requestAttacks(), channelAttacks(),
		inputAttacks(), leavingAttacks(), unreadAttacks(), botAttacks(), codeAttacks(),
		descriptorAttacks(), crowdAttacks(), farAttacks(), neighbourAttacks(), guessAttacks(), playAttacks(),
		logAttacks(), prefixAttacks(),
	)
}
