// Command faults plays matches against the real program while it breaks it, and finds out from what the players were told whether a match
// was lost, changed or left without an end.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"notakto/cmd/internal/interrupt"
)

const about = `usage: faults SCENARIO [FLAG...]

  kill     one server, killed at random instants and started again on the same data
  begin    one server, killed while matches are being made: no player may stay alone at a table, no table may try for ever
  power    one server, whose machine's power is cut at random instants; only root on Linux can
  rolling  one server behind a load balancer, stopped in good order and started again
  cluster  three nodes; a random one is killed and started again, then one is cut off from the others
  cut      three nodes; one is cut off from the others for a while, then in one direction only, then in the other
  freeze   three nodes; each is stopped for a while, and goes on where it was
  partition  three nodes; all packets of one are dropped for a while, or those in one direction, and another dies after that; only root on
           Linux can
  clocks   three nodes whose clocks are an hour apart; each leader is killed in its turn
  replace  three nodes; one loses its disk and is replaced, then another dies, and in the end only one disk is left
  nats     two servers on an external NATS of one or three servers, which are killed and started again together
  check    FILE: the record of an earlier run

faults SCENARIO -help lists the flags.`

var errUsage = errors.New("wrong command line")

func main() {
	os.Exit(interrupt.Status("faults", errUsage, func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) }))
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
	switch args[0] {
	case "kill", "begin":
		return s.perform(ctx, &killing{stage: s})
	case "power":
		return s.perform(ctx, &power{killing: killing{stage: s}})
	case "rolling":
		return s.perform(ctx, &rolling{killing: killing{stage: s}})
	case "nats":
		return s.perform(ctx, &outside{stage: s})
	case "replace":
		return s.perform(ctx, &replace{cluster{stage: s}})
	case "clocks":
		return s.perform(ctx, &clocks{cluster{stage: s}})
	case "partition":
		return s.perform(ctx, &partition{cluster: cluster{stage: s}})
	default:
		return s.perform(ctx, &cluster{stage: s})
	}
}
