//go:build attack

package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

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
