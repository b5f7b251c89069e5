// Command chaos plays matches against the real program while it makes it fail, and checks from what the players
// received whether a match was lost, changed or left without an end.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"notakto/internal/interrupt"
)

const about = `usage: chaos SCENARIO [FLAG...]

  kill     one server, killed at random instants and started again on the same data
  begin    one server, killed while matches are being made; no player may stay alone at a table, no table may
           try for ever
  power    one server, whose machine's power is cut at random instants; only root on Linux can
  rolling  one server behind a load balancer, stopped in good order and started again
  drain    three nodes behind a load balancer, restarted in turn, each after its matches have ended
  cluster  three nodes; a random one is killed and started again, then one is cut off from the others
  cut      three nodes; one is cut off from the others for a while, then in one direction only, then in the other
  partition
           three nodes; packets of one are lost for a while, in both directions or one; then another dies; only root on
           Linux can
  freeze   three nodes; each is stopped for a while, and goes on where it was
  replace  three nodes; one loses its disk and is replaced, another dies, and in the end only one disk is left
  members  three nodes; a fourth joins, another is removed, and one more loses its disk and is replaced
  clocks   three nodes whose clocks are an hour apart; each leader is killed in its turn
  nats     two servers on an external NATS of one or three servers, which are killed and started again together
  check    FILE: the record of an earlier run

chaos SCENARIO -help lists the flags.`

var errUsage = errors.New("wrong command line")

func main() {
	os.Exit(interrupt.Status("chaos", errUsage, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout)
	}))
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("%w\n%s", errUsage, about)
	}
	if args[0] == "check" {
		return checkFile(args[1:], out)
	}
	if args[0] == natsNode {
		return serveNATS(ctx, args[1:], os.Stderr)
	}
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	s := &stage{options: o, out: out}
	return s.perform(ctx, s.choose())
}

// choose returns the scenario of the options.
func (s *stage) choose() scenario {
	switch s.scenario {
	case "kill", "begin":
		return &killing{stage: s}
	case "power":
		return &power{killing: killing{stage: s}}
	case "rolling":
		return &rolling{killing: killing{stage: s}}
	case "drain":
		return &drain{cluster: cluster{stage: s}, links: map[int]int{}}
	case "partition":
		return &partition{cluster: cluster{stage: s}}
	case "replace":
		return &replace{cluster{stage: s}}
	case "members":
		return &members{replace{cluster{stage: s}}}
	case "clocks":
		return &clocks{cluster{stage: s}}
	case "nats":
		return &outside{stage: s}
	default:
		return &cluster{stage: s}
	}
}
