package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"notakto/internal/chaos/history"
)

const maxShown = 20 // faults

var errFaults = errors.New("what the players received cannot be true")

// checkFile checks the record of an earlier run.
func checkFile(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("chaos check", flag.ContinueOnError)
	terms := history.Terms{}
	flags.DurationVar(&terms.Grace, "grace", time.Minute, "the servers' --grace")
	flags.IntVar(&terms.Nodes, "nodes", 1, "servers at once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%w: chaos check [FLAG...] FILE", errUsage)
	}
	return checkRecord(flags.Arg(0), terms, out)
}

func checkRecord(name string, terms history.Terms, out io.Writer) error {
	record, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = record.Close() }()
	verdict, err := history.Check(history.Read(record), terms)
	if err != nil {
		return err
	}
	show(out, verdict)
	if n := len(verdict.Faults); n > 0 {
		return fmt.Errorf("%d times %w", n, errFaults)
	}
	return nil
}

func show(out io.Writer, v history.Verdict) {
	f := v.Figures
	row := func(name, format string, args ...any) {
		fmt.Fprintf(out, "  %-34s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("connections, events received", "%d, %d", f.Links, f.Events)
	row("matches begun", "%d", f.Matches)
	for _, reason := range slices.Sorted(maps.Keys(f.Ends)) {
		row("  ended by "+reason, "%d", f.Ends[reason])
	}
	if f.Pairs > 0 {
		row("rated pairs", "%d, of which %d were drawn again from the seed", f.Pairs, f.Seeds)
		row("  ended, and in the ratings", "%d", f.Results)
	}
	row("moves acknowledged", "%d", f.Moves)
	row("  lost", "%d", f.LostMoves)
	row("  twice", "%d", f.Twice)
	row("matches lost", "%d", f.LostMatches)
	row("moves of unknown fate", "%d, of which %d were recorded", f.Unknown, f.Recorded)
	row("events behind another node's", "%d", f.Behind)
	row("longest time without a move", "%v, from %v on", f.Silence.Round(time.Millisecond),
		f.SilenceFrom.Round(time.Millisecond))
	for _, what := range slices.Sorted(maps.Keys(f.Pauses)) {
		row("  after "+what+", at one node", "%v", f.Pauses[what].Round(time.Millisecond))
	}
	if f.Waits > 0 {
		row("longest time two seeks waited", "%v", f.Waits.Round(time.Millisecond))
	}
	row("from a start to a match on screen", "%s", quantiles(f.Return))
	kinds := map[history.Kind]int{}
	for _, fault := range v.Faults {
		kinds[fault.Kind]++
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		row("FAULTS "+string(kind), "%d", kinds[kind])
	}
	for _, fault := range v.Faults[:min(len(v.Faults), maxShown)] {
		fmt.Fprintln(out, " ", fault)
	}
}

// quantiles returns the median and the tail of some times.
func quantiles(times []time.Duration) string {
	if len(times) == 0 {
		return "never"
	}
	times = slices.Sorted(slices.Values(times))
	at := func(percent int) time.Duration { return times[len(times)*percent/100].Round(time.Millisecond) }
	return fmt.Sprintf("p50 %v, p99 %v, most %v (%d times)", at(50), at(99),
		times[len(times)-1].Round(time.Millisecond), len(times))
}

func (s *stage) startups(servers []*server) {
	var all []time.Duration
	for _, server := range servers {
		if server != nil {
			server.mu.Lock()
			all = append(all, server.took...)
			server.mu.Unlock()
		}
	}
	fmt.Fprintf(s.out, "  %-34s %s\n", "from a start to the ready line", quantiles(all))
}
