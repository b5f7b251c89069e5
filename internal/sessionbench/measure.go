package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
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

// phase is a part of a trial.
type phase struct {
	name string
	run  func(context.Context) error
}

// memoryPhases is how many phases need no key that means something at the first screen.
const memoryPhases = 4

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
	phases := []phase{
		{"warming up", t.warmUp},
		{"opening sessions", t.open},
		{"weighing", t.weigh},
		{"resting", t.idle},
		{"counting bytes", t.count},
		{"pressing keys", t.press},
		{"playing moves", t.play},
	}
	if o.Command != "" {
		phases = phases[:memoryPhases]
	}
	for _, phase := range phases {
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

const (
	drainTimeout = 5 * time.Second // for keys that are unanswered at the end
	busyOthers   = 10              // percent of a core; a second in which other processes use more is not quiet
)

func (t *trial) idle(ctx context.Context) error {
	if err := interrupt.Pause(ctx, rest); err != nil {
		return err
	}
	received := t.fleet.received()
	if err := t.profile("cpu", "idle"); err != nil {
		return err
	}
	used, err := t.watch(func() error { return interrupt.Pause(ctx, t.options.window()) })
	if err != nil {
		return err
	}
	t.result.IdleCPU = used.server
	t.result.IdleBytes = t.fleet.received() - received
	return t.profile("cpu", "")
}

// press moves cursors second by second, so that the seconds in which other programs kept the machine busy can be
// excluded.
func (t *trial) press(ctx context.Context) error {
	if err := t.profile("cpu", "load"); err != nil {
		return err
	}
	var all, quiet []time.Duration
	var sum usage
	order := rand.Perm(len(t.fleet.clients))
	for second := range t.options.Seconds {
		used, err := t.watch(func() error { return t.fleet.press(ctx, order, second*t.options.Rate) })
		if err != nil {
			return err
		}
		sum.add(used)
		taken := t.fleet.times.take()
		all = append(all, taken...)
		if used.others < busyOthers {
			quiet = append(quiet, taken...)
			t.result.QuietSeconds++
		}
	}
	t.result.Unanswered = t.fleet.times.wait(ctx, drainTimeout)
	all = append(all, t.fleet.times.take()...)
	t.tell(sum, all, quiet)
	if err := t.profile("cpu", ""); err != nil {
		return err
	}
	after, err := t.collected()
	t.result.Played = t.each(after.resident, t.empty.resident)
	return err
}

// tell stores the answer times in the result.
func (t *trial) tell(sum usage, all, quiet []time.Duration) {
	slices.Sort(all)
	slices.Sort(quiet)
	seconds := float64(t.options.Seconds)
	r := &t.result
	r.Keys = t.options.Seconds * t.options.Rate
	r.KeysPerSecond = float64(r.Keys) / sum.window.Seconds()
	r.P50, r.P99 = percentile(all, 0.50), percentile(all, 0.99)
	r.QuietP50, r.QuietP99 = percentile(quiet, 0.50), percentile(quiet, 0.99)
	r.LoadCPU, r.ClientCPU, r.OtherCPU = sum.server/seconds, sum.clients/seconds, sum.others/seconds
}

// countedSessions is the number of sessions in which bytes are counted, all at the same time.
const countedSessions = walksAtOnce

// count walks the cursor round once and counts the bytes of each step.
func (t *trial) count(ctx context.Context) error {
	some := t.fleet.part(countedSessions)
	var sums, steps [2]float64
	for _, step := range cursorWalk() {
		bytes, err := some.bytesOf(func() error { return some.walk(ctx, step.key) })
		if err != nil {
			return err
		}
		kind := 0
		if step.crosses {
			kind = 1
		}
		sums[kind] += bytes
		steps[kind]++
	}
	t.result.KeyBytes = (sums[0] + sums[1]) / (steps[0] + steps[1])
	t.result.InsideBytes = sums[0] / steps[0]
	t.result.AcrossBytes = sums[1] / steps[1]
	return nil
}

// play places a mark and counts the bytes that draw it, and those that draw the opponent's answer.
func (t *trial) play(ctx context.Context) error {
	if t.contender.place == "" {
		return nil
	}
	some := t.fleet.part(countedSessions)
	var err error
	t.result.MoveBytes, err = some.bytesOf(func() error { return some.walk(ctx, t.contender.place) })
	if err == nil && t.contender.answers {
		t.result.AnswerBytes, err = some.bytesOf(func() error { return some.settle(ctx) })
	}
	return err
}

// usage is the CPU used in a window, in percent of one core. The others are all other processes of the machine and, on
// a virtual machine, its neighbours: they slow server and clients alike, so figures measured while they are busy are
// not reliable.
type usage struct {
	window                  time.Duration
	server, clients, others float64
}

func (u *usage) add(more usage) {
	u.window += more.window
	u.server += more.server
	u.clients += more.clients
	u.others += more.others
}

// watch measures the CPU usage during run.
func (t *trial) watch(run func() error) (usage, error) {
	start := time.Now()
	before, err := t.readClocks()
	if err != nil {
		return usage{}, err
	}
	if err := run(); err != nil {
		return usage{}, err
	}
	window := time.Since(start)
	after, err := t.readClocks()
	if err != nil {
		return usage{}, err
	}
	share := func(used time.Duration) float64 { return 100 * used.Seconds() / window.Seconds() }
	u := usage{window: window, server: share(after.server - before.server), clients: share(after.clients - before.clients)}
	u.others = max(0, share(after.machine-before.machine)-u.server-u.clients)
	return u, nil
}

type clocks struct{ server, clients, machine time.Duration }

func (t *trial) readClocks() (clocks, error) {
	var c clocks
	var err error
	if c.server, err = cpuTime(t.server.pid()); err != nil {
		return c, err
	}
	if c.clients, err = cpuTime(os.Getpid()); err != nil {
		return c, err
	}
	c.machine, err = machineTime()
	return c, err
}
