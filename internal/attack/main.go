//go:build attack

// Command attack starts the program with honest players and attacks it. It has the attacks whose harm only a process
// under load shows. They run in turn, each on a new server. For each attack the command prints the effects on the
// server and the players, and whether all values were within the limits. Attacks that need no load are tests of package
// sshapp.
//
// A trial runs in the first process. A round has one server, its honest players and the measurements of one attack. A
// control server without an attack runs beside all rounds, because only a comparison on a busy machine says what an
// attack costs. The attacker is a second process of this command with -attack, an enemy, in the kernel's idle class.
// Its report comes back as JSON. With -for a trial is a soak instead, with one server for all attacks.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"notakto/internal/rig"
)

var errFailed = errors.New("attacks did harm")

func main() {
	os.Exit(rig.Main("attack", func(ctx context.Context) error {
		o, err := parseOptions(os.Args[1:])
		switch {
		case err != nil:
			return err
		case o.attack != "":
			return attackFrom(ctx, o, os.Stdout)
		case o.list:
			for _, a := range attacks() {
				fmt.Fprintf(os.Stdout, "%-18s %s\n", a.name, a.holds)
			}
			return nil
		default:
			return (&trial{options: o, out: os.Stdout}).run(ctx)
		}
	}))
}

// options has the flags. The second group is for the attacking process.
type options struct {
	long    bool
	lasting time.Duration // -for
	only    []string      // names of attacks, empty for the usual ones
	binary  string
	keep    string
	list    bool

	attack  string
	address string
	pid     int
	usual   float64 // cores
}

func parseOptions(args []string) (o options, err error) {
	flags := flag.NewFlagSet("attack", flag.ExitOnError)
	flags.BoolVar(&o.long, "long", false, "attack in full size, with the server's own times; ten minutes")
	flags.DurationVar(&o.lasting, "for", 0, "attack one server in rotation for this time, and look for "+
		"resources that it does not free")
	only := flags.String("case", "", "only the attacks of these names, separated by commas")
	flags.StringVar(&o.binary, "binary", "", "program to attack; built from ./cmd/notakto if empty; not with -for, "+
		"which builds a program whose clock jumps")
	flags.StringVar(&o.keep, "keep", "",
		"existing directory for the logs and the goroutines at the end; thrown away if empty")
	flags.BoolVar(&o.list, "list", false, "name the attacks and what has to hold, and do nothing")
	flags.StringVar(&o.attack, "attack", "", "be the attacker of this case (used by the program itself)")
	flags.StringVar(&o.address, "address", "", "of the server that is attacked")
	flags.IntVar(&o.pid, "pid", 0, "of the server that is attacked")
	flags.Float64Var(&o.usual, "usual", 0, "cores that it takes without an attack")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.lasting > 0 && o.binary != "" {
		return o, errors.New("-for builds its own program, whose clock jumps: leave out -binary")
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	named := o.only
	if o.attack != "" {
		named = []string{o.attack}
	}
	all := attacks()
	for _, name := range named {
		switch i := slices.IndexFunc(all, func(a attack) bool { return a.name == name }); {
		case i < 0:
			return o, fmt.Errorf("no attack %q, see -list", name)
		case o.lasting > 0 && all[i].needsServer():
			return o, fmt.Errorf("%s needs a server of its own: leave out -for", name)
		}
	}
	return o, nil
}

// limit returns the server's time limit for a login, for the first session after a login, and for a blocked write.
func (o options) limit() time.Duration { return o.seconds(3, 10) }

// pick returns long in a run with -long, else short.
func (o options) pick(short, long int) int {
	if o.long {
		return long
	}
	return short
}

func (o options) seconds(short, long int) time.Duration {
	return time.Duration(o.pick(short, long)) * time.Second
}

// attack is one case. Function run attacks, in the attacking process. The other fields prepare the server or are
// conditions, in addition to those of trial.evaluate.
type attack struct {
	name       string
	holds      string // the condition as a sentence, for -list
	mostMemory int    // MB that the server's peak may rise over that of an undisturbed server
	visitors   visitorSource
	long       bool // the short run has no time for the attack
	fair       bool // the bounds of fairness apply, see trial.bound
	run        func(*enemy) error

	descriptors int  // limit of the server, 0 for the machine's limit
	unreadLog   bool // the server's log is not read during the attack
}

// needsServer reports whether the attack needs a server of its own.
func (a attack) needsServer() bool { return a.descriptors > 0 || a.unreadLog }

// attacks returns all cases in the order of a run. A file has the cases of one subject.
func attacks() []attack {
	return slices.Concat(connectionAttacks(), sessionAttacks(), crowdAttacks())
}
