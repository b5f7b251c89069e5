// Command sessionbench measures the cost of a player's session: memory, idle CPU, the time from a key to its frame and
// the bytes per key, for this server beside a stock wish and Bubble Tea server and a bare SSH echo, in one run on one
// machine.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"notakto/internal/interrupt"
)

func main() {
	if name := os.Getenv(serverVariable); name != "" {
		os.Exit(serve(name, os.Stdin, os.Stdout))
	}
	os.Exit(interrupt.Status("sessionbench", errBadOption, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}))
}

// run measures every server that args name, one after the other, and prints each result at once and all of them at the
// end.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	o, err := parseOptions(args, progress)
	if err != nil {
		return err
	}
	files, err := raiseFileLimit()
	if err != nil {
		return err
	}
	if need := uint64(o.Sessions) + spareFiles; files < need {
		return fmt.Errorf("%w: %d sessions need %d open files, the hard limit is %d", errBadOption, o.Sessions, need, files)
	}
	report := Report{Options: o}
	for _, c := range o.contenders {
		result, err := measure(ctx, o, c, progress)
		if err != nil {
			return fmt.Errorf("measure %s: %w", c.name, err)
		}
		report.Results = append(report.Results, result)
		if !o.JSON {
			result.print(out)
		}
	}
	if o.JSON {
		return report.printJSON(out)
	}
	return report.printTable(out)
}
