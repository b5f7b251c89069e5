package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// kind is a kind of session to measure.
type kind struct {
	name, command string
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
	data, err := os.MkdirTemp(o.dir, k.name)
	if err != nil {
		return m, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var s *server
	if k.name == "echo" {
		s = o.startEcho(ctx)
	} else {
		s = o.startNotakto(ctx, data)
	}
	f := &fleet{server: s, kind: k, number: 100_000}
	f.grow(min(warmUpSessions, o.sessions))
	f.leaveVisit(0)
	f.close()
	f = &fleet{server: s, kind: k}
	defer f.close()
	defer func() {
		s.stop(syscall.SIGKILL)
		err = s.err
	}()
	s.pause(rest)
	empty, before := s.weigh()
	m.login = s.used(k.name+" login", func() {
		f.grow(o.sessions)
		s.pause(rest)
	}) / time.Duration(o.sessions)
	f.leaveVisit(0)
	full, after := s.weigh()
	m.memory, m.goroutines = (full-empty)/float64(o.sessions), (after-before)/float64(o.sessions)
	s.keep("heap", k.name+" heap")
	s.keep("heap?debug=1", k.name+" memory") // ends with the memory statistics
	s.keep("goroutine?debug=1", k.name+" goroutines")
	if k.down == "" || s.err != nil {
		return m, nil
	}
	m.rest = share(s.used(k.name+" idle", func() { s.pause(o.window()) }), o.window())
	keys := 0
	used := s.used(k.name+" key", func() { _, keys = f.press(o.sessions) })
	m.key = used / time.Duration(max(1, keys))
	fmt.Fprintln(o.progress, "gathering a crowd")
	f.grow(o.crowd)
	f.leaveVisit(o.sessions)
	// The arrival of the crowd leads to a garbage collection, which lasts for a second on two cores. Without this one,
	// it would fall into the measured time of some runs only.
	s.get("heap?gc=1")
	s.pause(rest)
	s.used(k.name+" crowd", func() {
		taken, _ := f.press(max(1, len(f.clients)/2))
		m.p99 = taken.Quantile(0.99)
	})
	return m, nil
}

// share returns used in percent of a core during a window.
func share(used, window time.Duration) float64 { return 100 * used.Seconds() / window.Seconds() }
