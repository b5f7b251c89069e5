package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"notakto/internal/interrupt"
)

var errNotAtTable = errors.New("not every session got to its table")

const (
	warmUpSessions = 8
	rest           = 500 * time.Millisecond // between the phases, for pending work
)

// trial measures one server.
type trial struct {
	options   Options
	contender contender
	server    *process
	fleet     *fleet
	progress  io.Writer
	empty     weight // without a session
	result    Result
}

// measure starts a server, measures it and kills it.
func measure(ctx context.Context, o Options, c contender, progress io.Writer) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, o.deadline())
	defer cancel()
	debug.SetGCPercent(800) // the clients collect as little as possible while the server is timed
	debug.FreeOSMemory()    // memory of the previous server
	server, err := start(ctx, c.name)
	if err != nil {
		return Result{}, err
	}
	t := &trial{
		options: o, contender: c, server: server, progress: progress, fleet: &fleet{}, result: Result{Server: c.name},
	}
	defer func() {
		server.stop()
		t.fleet.close()
	}()
	for _, phase := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"warming up", t.warmUp},
		{"opening sessions", t.open},
		{"weighing", t.weigh},
		{"resting", t.idle},
		{"counting bytes", t.count},
		{"pressing keys", t.press},
		{"playing moves", t.play},
	} {
		fmt.Fprintf(progress, "%s: %s\n", c.name, phase.name)
		if err := phase.run(ctx); err != nil {
			return t.result, fmt.Errorf("%s: %w", phase.name, err)
		}
	}
	return t.result, nil
}

// warmUp opens and closes a few sessions, so that code and tables shared by all sessions are not counted for the first
// of them.
func (t *trial) warmUp(ctx context.Context) error {
	few, err := newFleet(ctx, t.server.address, warmUpSessions, t.options)
	if err == nil {
		err = few.walk(ctx, t.contender.toTable...)
	}
	few.close()
	if err != nil {
		return err
	}
	if err := interrupt.Pause(ctx, rest); err != nil {
		return err
	}
	t.empty, err = t.collected()
	return err
}

func (t *trial) open(ctx context.Context) error {
	start := time.Now()
	var err error
	if t.fleet, err = newFleet(ctx, t.server.address, t.options.Sessions, t.options); err != nil {
		return err
	}
	t.result.OpenSeconds = time.Since(start).Seconds()
	if err := t.toTable(ctx); err != nil {
		return err
	}
	v, err := t.server.ask("tell")
	if err == nil && t.contender.matches && v.Matches < t.options.Sessions {
		err = fmt.Errorf("%w: there are %d sessions and %d matches", errNotAtTable, t.options.Sessions, v.Matches)
	}
	return err
}

// toTable measures the first screen and then opens the table, unless it is the table already.
func (t *trial) toTable(ctx context.Context) error {
	if len(t.contender.toTable) == 0 {
		return nil
	}
	if err := interrupt.Pause(ctx, rest); err != nil {
		return err
	}
	first, err := t.collected()
	if err != nil {
		return err
	}
	t.result.Lobby = t.each(first.resident, t.empty.resident)
	return t.fleet.walk(ctx, t.contender.toTable...)
}

func (t *trial) weigh(ctx context.Context) error {
	if err := interrupt.Pause(ctx, rest); err != nil {
		return err
	}
	grown, err := residentBytes(t.server.pid())
	if err != nil {
		return err
	}
	kept, err := t.collected()
	if err != nil {
		return err
	}
	t.result.Grown = t.each(grown, t.empty.resident)
	t.result.Memory = t.each(kept.resident, t.empty.resident)
	t.result.Heap = t.each(kept.Heap, t.empty.Heap)
	t.result.Stacks = t.each(kept.Stacks, t.empty.Stacks)
	t.result.Goroutines = float64(kept.Goroutines-t.empty.Goroutines) / float64(t.options.Sessions)
	return t.profile("heap", "heap")
}

// each returns one session's share of what the sessions have added.
func (t *trial) each(with, without int64) int64 { return (with - without) / int64(t.options.Sessions) }

// weight is a server's memory, as it reports it and as the kernel does.
type weight struct {
	Vitals
	resident int64
}

// collected makes the server collect its garbage and measures its memory.
func (t *trial) collected() (weight, error) {
	v, err := t.server.ask("collect")
	if err != nil {
		return weight{}, err
	}
	resident, err := residentBytes(t.server.pid())
	return weight{Vitals: v, resident: resident}, err
}
