package main

import (
	"context"
	"errors"
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

const (
	grace  = time.Minute            // the servers' --grace
	settle = 90 * time.Second       // time to play all matches to their ends after the last fault
	think  = 200 * time.Millisecond // time that a bot thinks, at most
)

// stage is one run of a scenario.
type stage struct {
	options
	out     io.Writer
	dir     string // temporary, removed after a run without a fault
	rng     *rand.Rand
	book    *history.Book
	load    *load.Generator
	disk    *disk    // nil unless onDisk
	cluster *cluster // nil on SQLite
	nodes   []*node
	drained atomic.Pointer[node] // a server that new connections avoid, or nil
	harms   int                  // faults made so far
	ports   int                  // used so far
}

// perform runs the scenario, checks the history and the store, and prints the result.
func (s *stage) perform(ctx context.Context) (err error) {
	s.rng = rand.New(rand.NewPCG(s.seed, 0))
	if s.dir, err = os.MkdirTemp("", "chaos-"); err != nil {
		return err
	}
	record, err := os.Create(filepath.Join(s.dir, "record"))
	if err != nil {
		return err
	}
	s.book = history.NewBook(record, grace, s.engine != sqlite)
	begun := time.Now()
	err = errors.Join(s.play(ctx), ctx.Err())
	fmt.Fprintf(s.out, "%s, seed %d, %d players: %d faults made in %v\n",
		s.name, s.seed, s.players, s.harms, time.Since(begun).Round(time.Second))
	var ladder []byte
	if err == nil {
		ladder, err = s.ladder(ctx)
	}
	var longest time.Duration
	for _, server := range s.nodes {
		if server.Server != nil {
			err = errors.Join(err, server.stop(syscall.SIGTERM))
			longest = max(longest, server.longest, server.Startup())
			if n := server.panics.Load(); n > 0 {
				err = errors.Join(err, fmt.Errorf("panics in the log of %s: %d", server.name, n))
			}
		}
	}
	told, unwritten := s.book.Close()
	err = errors.Join(err, unwritten, record.Close())
	s.print(longest)
	if n := len(s.book.Faults); n > 0 {
		err = errors.Join(err, fmt.Errorf("%d times players received what cannot be true", n))
	}
	if err == nil {
		err = s.checkStore(ctx, told, ladder)
	}
	if s.cluster != nil {
		err = errors.Join(err, s.cluster.close(context.WithoutCancel(ctx)))
	}
	if s.disk != nil {
		err = errors.Join(err, s.disk.unmount())
	}
	if err != nil {
		fmt.Fprintf(s.out, "the record and the logs are in %s\n", s.dir)
		return err
	}
	return os.RemoveAll(s.dir)
}

// open builds the program, and starts the database and the servers.
func (s *stage) open(ctx context.Context) (err error) {
	if s.binary == "" {
		var changes []rig.Change
		if s.name == "clocks" {
			changes = clockChanges[:]
		}
		if s.binary, err = rig.Build(ctx, s.dir, changes...); err != nil {
			return err
		}
	}
	servers, stored := 1, "server0"
	if s.engine != sqlite {
		servers, stored = 2, "postgres"
	}
	if s.onDisk {
		if s.disk, err = newDisk(filepath.Join(s.dir, "disk"), filepath.Join(s.dir, stored)); err != nil {
			return err
		}
	}
	if s.engine != sqlite {
		if s.cluster, err = s.newCluster(ctx); err != nil {
			return err
		}
	}
	for range servers {
		n, err := s.newNode()
		if err == nil {
			err = n.start()
		}
		if err == nil {
			err = n.Ready(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dial connects to a random server that accepts the connection, and returns the server's name.
func (s *stage) dial() (net.Conn, string, error) {
	for _, i := range rand.Perm(len(s.nodes)) {
		server := s.nodes[i]
		if server == s.drained.Load() {
			continue
		}
		if conn, err := net.Dial("tcp", server.address); err == nil {
			return conn, server.name, nil
		}
	}
	return nil, "", errors.New("no server can be reached")
}

// play starts the bots, makes the faults, and waits until all matches have ended.
func (s *stage) play(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		return err
	}
	config := load.Config{
		Players: s.players, Think: think, Resigns: s.resigns, Seed: s.seed, Book: s.book, Dial: s.dial,
	}
	if s.isHurried {
		config.Think = 0
	}
	s.load = load.New(config)
	playing, leave := context.WithCancel(ctx)
	left := make(chan struct{})
	go func() { defer close(left); s.load.Run(playing) }()
	err := s.harm(ctx)
	s.load.Quiet()
	s.book.Mark(history.Mark{What: "quiet"})
	if err == nil {
		select {
		case <-left:
		case <-time.After(settle):
			err = fmt.Errorf("players still have something to do %v after the last fault", settle)
		}
	}
	leave()
	<-left
	return err
}

// print prints the figures, the longest start of a server, and the first faults. The script of .ci reads the kinds.
func (s *stage) print(start time.Duration) {
	f := s.book.Figures
	fmt.Fprintf(s.out, "  %d connections, %d matches begun, %d moves acknowledged, matches ended by %v\n", f.Links,
		f.Matches, f.Moves, f.Ends)
	fmt.Fprintf(s.out, "  the longest start took %v, the longest pauses of moves at a server %v, two seeks waited %v\n",
		start, f.Pauses, f.Waits)
	if f.Out > 0 {
		fmt.Fprintf(s.out, "  nothing could be recorded for %v; %d players were told; charged at most %v too much\n",
			f.Out, f.Told, f.Charged)
	}
	kinds := map[history.Kind]int{}
	for _, fault := range s.book.Faults {
		kinds[fault.Kind]++
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(s.out, "  FAULTS %s: %d\n", kind, kinds[kind])
	}
	const maxShown = 20
	for _, fault := range s.book.Faults[:min(len(s.book.Faults), maxShown)] {
		fmt.Fprintln(s.out, " ", fault)
	}
}
