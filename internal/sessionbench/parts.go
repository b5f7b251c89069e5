package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"notakto/internal/rig"
)

// kind is a kind of session to measure.
type kind struct {
	name, command string
	noTerminal    bool
	isVisit       bool   // the first screen is that of the first visit
	up, down      string // keys that undo each other; without them, a session is weighed and no more
}

// session holds the figures of a kind of session.
type session struct {
	memory     float64 // resident KB of a session, after a garbage collection
	goroutines float64
	login, key time.Duration // CPU time
	rest       float64       // CPU of all sessions at rest, in percent of a core
	p99        time.Duration // from a key to its frame, in the crowd
}

// warmUpSessions come and go before the server is weighed without a session, because memory that all sessions share
// must not count for the first ones.
const warmUpSessions = 16

// measureSessions starts a server for the sessions of a kind, measures them and kills the server.
func (o *options) measureSessions(ctx context.Context, k kind) (m session, err error) {
	var s *server
	if k.name == "echo" {
		s, err = o.startEcho(ctx)
	} else {
		s, err = o.startNotakto(ctx, filepath.Join(o.dir, k.name))
	}
	if err != nil {
		return m, err
	}
	defer s.kill()
	f := &fleet{server: s, kind: k, number: 100_000}
	f.grow(min(warmUpSessions, o.sessions))
	f.leaveVisit(0)
	f.close()
	f = &fleet{server: s, kind: k}
	defer f.close()
	s.pause(rest)
	empty, before := s.weigh()
	m.login = s.used(func() {
		f.grow(o.sessions)
		s.pause(rest)
	}) / time.Duration(o.sessions)
	f.leaveVisit(0)
	full, after := s.weigh()
	m.memory, m.goroutines = (full-empty)/float64(o.sessions), (after-before)/float64(o.sessions)
	if k.down == "" {
		return m, s.err
	}
	m.rest = s.idle(o.window())
	keys := 0
	used := s.used(func() { _, keys = f.press(o.sessions) })
	m.key = used / time.Duration(max(1, keys))
	fmt.Fprintln(o.progress, "gathering a crowd")
	f.grow(o.crowd)
	f.leaveVisit(o.sessions)
	// The arrival of the crowd leads to a garbage collection, which lasts for a second on two cores. Without this one,
	// it would fall into the measured time of some runs only.
	s.collect()
	s.pause(rest)
	taken, _ := f.press(max(1, len(f.clients)/2))
	m.p99 = taken.Quantile(0.99)
	return m, s.err
}

// measureMoves has pairs of bots play matches on nine boards, and returns the moves a second that the server has
// recorded and told to both players.
func (o *options) measureMoves(ctx context.Context) (moves float64, err error) {
	s, err := o.startNotakto(ctx, filepath.Join(o.dir, "moves"))
	if err != nil {
		return 0, err
	}
	defer s.kill()
	ctx, cancel := context.WithCancel(ctx)
	var playing sync.WaitGroup
	defer playing.Wait()
	var pairs []*rig.Pair
	for n := range o.matches {
		pair, err := (rig.Client{Address: s.Address("address")}).Pair(ctx, n)
		if err != nil {
			cancel()
			return 0, err
		}
		defer pair.Leave()
		pair.Variant = "notakto/9"
		pairs = append(pairs, pair)
		playing.Go(func() { pair.Run(ctx) })
	}
	defer cancel() // before the bots leave, so that their end is no fault
	told := func() (n int64) {
		for _, pair := range pairs {
			n += pair.Moves.Load()
		}
		return n
	}
	s.pause(rest) // the matches begin
	before, began := told(), time.Now()
	s.pause(o.window())
	moves = float64(told()-before) / time.Since(began).Seconds()
	for _, pair := range pairs {
		if _, faults := pair.Since(rig.Mark{}); len(faults) > 0 {
			return 0, fmt.Errorf("the bots: %s", strings.Join(faults, "; "))
		}
	}
	return moves, s.err
}

const starts = 5

// measureStarts measures the starts of a server with the archive, and the CPU of a server without a session.
func (o *options) measureStarts(ctx context.Context, f *figures) error {
	var took [2]rig.Times // after a crash, after a stop
	for i := range 2 * starts {
		s, err := o.startNotakto(ctx, o.archive)
		if err != nil {
			return err
		}
		took[i/starts] = append(took[i/starts], s.Startup())
		if i == 2*starts-1 {
			s.pause(3 * rest)
			f.idle = s.idle(3 * o.window())
		}
		// A start after a kill reads the log of the database again. The first starts come after a kill, except start 0.
		if i >= starts-1 {
			s.do(func() error { return s.Stop(syscall.SIGINT) })
		}
		if s.kill(); s.err != nil {
			return s.err
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	f.crashed, f.stopped = took[0][starts/2], took[1][starts/2]
	return nil
}
