//go:build attack

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"notakto/internal/attack/players"
	"notakto/internal/overlay"
)

// trial is a whole run: first the honest players alone, then each attack on a new server.
type trial struct {
	options
	out  io.Writer
	dir  string
	self string

	control             *round        // a server without an attack, with its own players, during all rounds
	moves, keys, visits players.Times // undisturbed
	usual               float64       // cores that a server uses then
	growth              int           // KB that a server grows by during an attack
	goroutines          int           // of a server without players

	servers  sync.WaitGroup // running servers
	closing  sync.WaitGroup // rounds being evaluated
	mu       sync.Mutex
	verdicts int
	failures []string
}

func (t *trial) run(ctx context.Context) (err error) {
	if t.list {
		for _, a := range attacks() {
			fmt.Fprintf(t.out, "%-18s %s%s\n", a.name, a.holds, [...]string{"", " (-long)", " (-case)"}[a.runs])
		}
		return nil
	}
	if t.dir, err = os.MkdirTemp("", "attack"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(t.dir) }()
	ctx, stop := context.WithCancel(ctx)
	defer t.servers.Wait()
	defer stop()
	if err := t.prepare(ctx); err != nil {
		return err
	}
	attack := t.rounds
	if t.lasting > 0 {
		attack = t.soak
	}
	if err := attack(ctx); err != nil {
		return err
	}
	t.closing.Wait()
	fmt.Fprintf(t.out, "%d attacks, %d failed\n", t.verdicts, len(t.failures))
	if len(t.failures) > 0 {
		return fmt.Errorf("%d %w", len(t.failures), errFailed)
	}
	return nil
}

// chosen returns the attacks to run. A soak has one server for all, and so none that needs a separate server.
func (t *trial) chosen() []attack {
	names := t.names()
	return slices.DeleteFunc(attacks(), func(a attack) bool {
		switch {
		case t.lasting > 0 && a.ownServer():
			return true
		case len(names) > 0:
			return !slices.Contains(names, a.name)
		case t.long:
			return a.runs > longOnly
		default:
			return a.runs > always
		}
	})
}

// rounds runs all attacks, one after the other: a further server besides the attacked one and the control would slow
// both.
func (t *trial) rounds(ctx context.Context) (err error) {
	if t.control, err = t.open(ctx, attack{name: "control"}, players.Load{}); err != nil {
		return err
	}
	defer t.control.stop()
	if err := t.undisturbed(ctx); err != nil {
		return err
	}
	for _, a := range t.chosen() {
		r, err := t.open(ctx, a, players.Load{Still: a.still})
		if err != nil {
			return err
		}
		t.round(ctx, r)
	}
	return ctx.Err()
}

// prepare builds the program, for a soak with an unsteady clock and disk, and finds this one.
func (t *trial) prepare(ctx context.Context) (err error) {
	if t.self, err = os.Executable(); err != nil || t.binary != "" {
		return err
	}
	t.binary = filepath.Join(t.dir, "notakto")
	list := "" // of changed files
	if t.lasting > 0 {
		if list, err = overlay.Write(ctx, t.dir, amendments[:]...); err != nil {
			return err
		}
	}
	build := exec.CommandContext(ctx, "go", "build", "-overlay", list, "-o", t.binary, "./cmd/notakto")
	build.Stderr = os.Stderr
	return build.Run()
}

// undisturbed measures the honest players alone.
func (t *trial) undisturbed(ctx context.Context) error {
	r, err := t.open(ctx, attack{name: "undisturbed", visitors: elsewhere}, players.Load{})
	if err != nil {
		return err
	}
	r.begin()
	lasting, end := context.WithTimeout(ctx, time.Duration(t.pick(3, 20))*time.Second)
	defer end()
	t.usual = r.server.cores(time.Duration(t.pick(2, 5)) * time.Second)
	come(ctx, lasting, r.guests)
	t.visits = r.guests.wait()
	var faults, more []string
	t.moves, faults = r.party.Moves.Since(r.moves)
	t.keys, more = r.party.Keys.Since(r.keys)
	if faults = slices.Concat(faults, more, r.guests.faults); len(faults) > 0 {
		return fmt.Errorf("%w without an attack: %v", errFailed, faults)
	}
	t.growth = r.server.peak() - r.memory
	if t.goroutines, err = r.leave(t); err != nil {
		return err
	}
	fmt.Fprintf(t.out,
		"undisturbed: moves %v, keys %v, logins %v (p50/p99 in ms, samples); %.2f cores; memory %.1f MB +%.1f; %d "+
			"files; %d goroutines when all have left\n",
		t.moves, t.keys, t.visits, t.usual, mb(r.memory), mb(t.growth), r.files, t.goroutines)
	return nil
}

func mb(kb int) float64 { return float64(kb) / 1024 }
