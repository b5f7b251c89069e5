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
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"notakto/internal/chaos/history"
	"notakto/internal/chaos/load"
	"notakto/internal/rig"
)

// stage is one run of a scenario.
type stage struct {
	options
	out     io.Writer
	dir     string
	rng     *rand.Rand
	book    *history.Book
	load    *load.Generator
	disk    *disk    // nil unless scenario.onDisk
	cluster *cluster // nil on SQLite
	nodes   []*node
	drained atomic.Pointer[node] // a server that new connections avoid, or nil
	harms   int                  // faults made so far
	ports   int                  // used so far
}

// perform runs the scenario, checks the record and the store, and prints the result. The working directory is removed
// only if perform created it and found no fault.
func (s *stage) perform(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	record, err := os.Create(filepath.Join(s.dir, "record"))
	if err != nil {
		return err
	}
	s.book = history.NewBook(record)
	begun := time.Now()
	err = s.play(ctx)
	fmt.Fprintf(s.out, "%s, seed %d, %d players: %d faults made in %v\n",
		s.scenario.name, s.seed, s.players, s.harms, time.Since(begun).Round(time.Second))
	var ladder []byte
	if err == nil {
		ladder, err = s.sameLadders(ctx)
	}
	for _, server := range s.nodes {
		if server.Server != nil {
			err = errors.Join(err, server.end(syscall.SIGTERM))
		}
	}
	if ended := errors.Join(s.book.Flush(), record.Close()); ended != nil {
		return fmt.Errorf("write the record: %w", ended)
	}
	s.startups()
	verdict, found := checkRecord(record.Name(), history.Terms{Grace: s.grace, Nodes: len(s.nodes)}, s.out)
	if err = errors.Join(err, found); err == nil {
		err = s.checkStore(ctx, verdict, ladder)
	}
	if err = errors.Join(err, s.clear(ctx)); err != nil || s.keep || s.work != "" {
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
	var changes []rig.Change
	if s.scenario.name == "clocks" {
		changes = clockChanges[:]
	}
	s.binary, err = rig.Build(ctx, s.dir, changes...)
	return err
}

func (s *stage) open(ctx context.Context) (err error) {
	if s.scenario.onDisk {
		stored := filepath.Join(s.dir, "server0")
		if s.scenario.engine != sqlite {
			stored = filepath.Join(s.dir, "postgres")
		}
		if s.disk, err = newDisk(filepath.Join(s.dir, "disk"), stored); err != nil {
			return err
		}
	}
	if s.scenario.engine != sqlite {
		if s.cluster, err = s.newCluster(ctx); err != nil {
			return err
		}
	}
	for i := range s.scenario.servers {
		n, err := s.newNode(i)
		if err != nil {
			return err
		}
		s.nodes = append(s.nodes, n)
		if err := n.start(); err != nil {
			return err
		}
		if err := n.reachable(ctx); err != nil {
			return err
		}
	}
	return nil
}

// clear stops the database and unmounts the disk. The servers have ended.
func (s *stage) clear(ctx context.Context) (err error) {
	if s.cluster != nil {
		err = s.cluster.close(context.WithoutCancel(ctx))
	}
	if s.disk != nil {
		err = errors.Join(err, s.disk.unmount())
	}
	return err
}

var errNoServer = errors.New("no server can be reached")

// dial connects to a random server that accepts the connection, and returns the server's name.
func (s *stage) dial(context.Context, int) (net.Conn, string, error) {
	for _, i := range rand.Perm(len(s.nodes)) {
		server := s.nodes[i]
		if server == s.drained.Load() {
			continue
		}
		if conn, err := net.Dial("tcp", server.address); err == nil {
			return conn, server.name, nil
		}
	}
	return nil, "", errNoServer
}

// play starts the bots, makes the faults, and waits until all matches have ended.
func (s *stage) play(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		return err
	}
	s.load = load.New(load.Config{
		Players: s.players, Spectators: s.spectators, Matches: s.matches, Think: s.think, Seed: s.seed, Style: s.style,
		Book: s.book, Dial: s.dial,
	})
	inner, leave := context.WithCancel(ctx)
	left := make(chan error, 1)
	go func() { left <- s.load.Run(inner) }()
	err := s.harm(ctx)
	s.load.Quiet()
	s.book.Add(history.Entry{What: history.Done, Note: history.Quiet})
	quiet := time.Now()
	if err == nil {
		err = errors.Join(s.settled(ctx), s.calm(ctx, quiet))
	}
	leave()
	return errors.Join(err, <-left)
}

const maxShown = 20 // faults

var errFaults = errors.New("what the players received cannot be true")

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
	_, err := checkRecord(flags.Arg(0), terms, out)
	return err
}

func checkRecord(name string, terms history.Terms, out io.Writer) (history.Verdict, error) {
	record, err := os.Open(name)
	if err != nil {
		return history.Verdict{}, err
	}
	defer func() { _ = record.Close() }()
	verdict, err := history.Check(history.Read(record), terms)
	if err != nil {
		return verdict, err
	}
	show(out, verdict)
	if n := len(verdict.Faults); n > 0 {
		err = fmt.Errorf("%d times %w", n, errFaults)
	}
	return verdict, err
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
		row("  ended", "%d", f.Results)
	}
	row("moves acknowledged", "%d", f.Moves)
	row("  lost", "%d", f.LostMoves)
	row("  twice", "%d", f.Twice)
	row("matches lost", "%d", f.LostMatches)
	row("moves of unknown fate", "%d, of which %d were recorded", f.Unknown, f.Recorded)
	row("events behind another server's", "%d", f.Behind)
	if f.Out > 0 {
		row("nothing could be recorded for", "%v; %d players were told", f.Out.Round(time.Millisecond), f.Told)
		row("  charged at most too much", "%v", f.Charged.Round(time.Millisecond))
	}
	row("longest time without a move", "%v, from %v on", f.Silence.Round(time.Millisecond),
		f.SilenceFrom.Round(time.Millisecond))
	for _, what := range slices.Sorted(maps.Keys(f.Pauses)) {
		row("  after "+what+", at a server", "%v", f.Pauses[what].Round(time.Millisecond))
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

func quantiles(times []time.Duration) string {
	if len(times) == 0 {
		return "never"
	}
	times = slices.Sorted(slices.Values(times))
	at := func(percent int) time.Duration { return times[len(times)*percent/100].Round(time.Millisecond) }
	return fmt.Sprintf("p50 %v, p99 %v, most %v (%d times)", at(50), at(99),
		times[len(times)-1].Round(time.Millisecond), len(times))
}

func (s *stage) startups() {
	var all []time.Duration
	for _, n := range s.nodes {
		all = append(all, n.startups()...)
	}
	fmt.Fprintf(s.out, "  %-34s %s\n", "from a start to the ready line", quantiles(all))
}
