package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"notakto/internal/chaos/history"
	"notakto/internal/chaos/load"
	"notakto/internal/overlay"
)

// scenario is the servers, and the faults that it makes.
type scenario interface {
	open(ctx context.Context) error
	dial(ctx context.Context, player int) (net.Conn, string, error)
	harm(ctx context.Context) error // returns with every server running
	close() error
	servers() []*server
}

// stage is one run of a scenario.
type stage struct {
	options
	out   io.Writer
	dir   string
	rng   *rand.Rand
	book  *history.Book
	load  *load.Generator
	harms int
	ports int // used
}

// perform runs a scenario, checks the record and prints the result.
func (s *stage) perform(ctx context.Context, sc scenario) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	record, err := os.Create(filepath.Join(s.dir, "record"))
	if err != nil {
		return err
	}
	s.book = history.NewBook(record)
	begun := time.Now()
	played := s.play(ctx, sc)
	closed := sc.close()
	if err := errors.Join(s.book.Flush(), record.Close()); err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	fmt.Fprintf(s.out, "%s, seed %d, %d players: %d faults made in %v\n",
		s.scenario, s.seed, s.players, s.harms, time.Since(begun).Round(time.Second))
	s.startups(sc.servers())
	found := checkRecord(record.Name(), history.Terms{Grace: s.grace, Nodes: len(sc.servers())}, s.out)
	if err := errors.Join(played, closed, found); err != nil || s.keep || s.work != "" {
		fmt.Fprintf(s.out, "the record and the logs are in %s\n", s.dir)
		return err
	}
	return os.RemoveAll(s.dir)
}

func (s *stage) prepare(ctx context.Context) (err error) {
	s.rng = rand.New(rand.NewPCG(s.seed, 0))
	if s.dir = s.work; s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "chaos-"); err != nil {
			return err
		}
	}
	if s.binary != "" {
		return nil
	}
	s.binary = filepath.Join(s.dir, "notakto")
	changed := "" // changed files of the standard library
	if s.scenario == "clocks" {
		if changed, err = overlay.Write(ctx, s.dir, clockChanges[:]...); err != nil {
			return err
		}
	}
	build := exec.CommandContext(ctx, "go", "build", "-overlay", changed, "-o", s.binary, "./cmd/notakto")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

// play starts the players, makes the faults, and waits until all matches have ended.
func (s *stage) play(ctx context.Context, sc scenario) error {
	s.load = load.New(load.Config{
		Players: s.players, Spectators: s.spectators, Matches: s.matches, Think: s.think, Seed: s.seed, Style: s.style,
		Rated: s.rated,
		Book:  s.book, Dial: sc.dial,
	})
	if err := sc.open(ctx); err != nil {
		return err
	}
	inner, leave := context.WithCancel(ctx)
	left := make(chan error, 1)
	go func() { left <- s.load.Run(inner) }()
	err := sc.harm(ctx)
	s.load.Quiet()
	s.done(history.Quiet)
	quiet := time.Now()
	if err == nil {
		err = errors.Join(s.settled(ctx), s.calm(ctx, quiet, sc.servers()))
	}
	leave()
	if err = errors.Join(err, <-left); err == nil && s.rated { // the tables close once the players have left
		err = s.sameRatings(ctx, sc.servers())
	}
	return err
}

func (s *stage) done(what string) { s.limit(what, 0) }

// counted records of how many rated pairs the ratings are.
func (s *stage) counted(pairs int) { s.done(history.Rated + strconv.Itoa(pairs)) }

// limit records that something was done to a server, and how long players may wait from here to the next such entry.
func (s *stage) limit(what string, limit time.Duration) {
	s.book.Add(history.Entry{What: history.Done, Note: what, Limit: limit})
}

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
