package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"notakto/internal/interrupt"
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var s server
	if k.name == "echo" {
		s, err = startEcho(ctx)
	} else {
		data, err := os.MkdirTemp(o.dir, k.name)
		if err != nil {
			return m, err
		}
		if s, err = o.startNotakto(ctx, data); err != nil {
			return m, err
		}
	}
	if err != nil {
		return m, err
	}
	f := new(fleet)
	defer func() { f.close() }()
	defer func() { _ = s.Stop(syscall.SIGKILL) }()
	err = f.grow(ctx, s.Address("address"), k.command, min(warmUpSessions, o.sessions))
	if err == nil && k.isVisit {
		err = f.leaveVisit(ctx, 0)
	}
	f.close()
	f = new(fleet)
	if err != nil {
		return m, err
	}
	if err := interrupt.Pause(ctx, rest); err != nil {
		return m, err
	}
	empty, before, err := s.weigh(ctx, o.window()/5)
	if err != nil {
		return m, err
	}
	count := float64(o.sessions)
	used, err := o.used(ctx, s, k.name+" login", func() error {
		if err := f.grow(ctx, s.Address("address"), k.command, o.sessions); err != nil {
			return err
		}
		return interrupt.Pause(ctx, rest)
	})
	if err != nil {
		return m, err
	}
	m.login = time.Duration(float64(used) / count)
	if k.isVisit {
		if err := f.leaveVisit(ctx, 0); err != nil {
			return m, err
		}
	}
	full, after, err := s.weigh(ctx, o.window()/5)
	m.memory, m.goroutines = float64(full-empty)/count, float64(after-before)/count
	if err == nil {
		err = errors.Join(o.keep(ctx, s, "heap", k.name+" heap"),
			o.keep(ctx, s, "heap?debug=1", k.name+" memory"), // ends with the memory statistics
			o.keep(ctx, s, "goroutine?debug=1", k.name+" goroutines"))
	}
	if err != nil || k.down == "" {
		return m, err
	}
	used, err = o.used(ctx, s, k.name+" idle", func() error { return interrupt.Pause(ctx, o.window()) })
	if err != nil {
		return m, err
	}
	m.rest = share(used, o.window())
	keys := 0
	used, err = o.used(ctx, s, k.name+" key", func() (err error) {
		_, keys, err = f.press(ctx, k, o.sessions, o.window())
		return err
	})
	if err != nil {
		return m, err
	}
	m.key = used / time.Duration(keys)
	fmt.Fprintln(o.progress, "gathering a crowd")
	if err := f.grow(ctx, s.Address("address"), k.command, o.crowd); err != nil {
		return m, err
	}
	if k.isVisit {
		if err := f.leaveVisit(ctx, o.sessions); err != nil {
			return m, err
		}
	}
	// The arrival of the crowd leads to a garbage collection, which lasts for a second on two cores. Without this one,
	// it would fall into the measured time of some runs only.
	if _, err := s.get(ctx, "heap?gc=1"); err != nil {
		return m, err
	}
	if err := interrupt.Pause(ctx, rest); err != nil {
		return m, err
	}
	_, err = o.used(ctx, s, k.name+" crowd", func() error {
		taken, _, err := f.press(ctx, k, max(1, len(f.clients)/2), o.window())
		m.p99 = taken.Quantile(0.99)
		return err
	})
	return m, err
}

// share returns used in percent of a core during a window.
func share(used, window time.Duration) float64 { return 100 * used.Seconds() / window.Seconds() }
