//go:build attack

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"notakto/internal/attack/players"
)

const (
	warm       = 600 * time.Millisecond // of play before the measurements
	pollEvery  = 50 * time.Millisecond
	goneAfter  = 5 * time.Second // from the last connection's end until its match has closed
	attackTime = 3 * time.Minute // longer than any attack
	spareFiles = 2
)

// round is one attack on a new server.
type round struct {
	attack
	server      *server
	peers       []*server // the other nodes of its cluster
	address     string    // where honest players connect: the server, or a relay to it
	party       *players.Party
	guests      *visitors
	moves, keys players.Mark
	memory      int // KB
	lines       int // of the log
	files       int
	empty       int // open files without players
}

// open starts a server and the honest players.
func (t *trial) open(ctx context.Context, a attack, load players.Load) (*round, error) {
	dir, err := os.MkdirTemp(t.dir, a.name)
	if err != nil {
		return nil, err
	}
	if a.archived != nil {
		if err := fillArchive(ctx, filepath.Join(dir, dataName), a.archived(t.options)); err != nil {
			return nil, err
		}
	}
	r := &round{attack: a}
	servers, err := startServers(ctx, t.options, dir, a)
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		t.servers.Go(func() { <-s.gone })
	}
	r.server, r.peers = servers[0], servers[1:]
	r.empty, r.address = r.server.files(), r.server.address
	if t.rtt > 0 {
		if r.address, err = startRelay(ctx, r.server.address, t.rtt); err != nil {
			return nil, err
		}
	}
	if r.party, err = players.Start(ctx, r.address, load); err != nil {
		return nil, fmt.Errorf("the honest players: %w", err)
	}
	<-time.After(warm)
	return r, nil
}

// begin takes the first readings.
func (r *round) begin() {
	r.guests = &visitors{from: r.visitors, address: r.address}
	r.moves, r.keys = r.party.Moves.Mark(), r.party.Keys.Mark()
	r.memory, r.files = r.server.memory(), r.server.files()
	r.lines = r.server.lines()
	r.server.forget()
}

// round runs one attack. The evaluation follows when the server is empty; round does not wait for that.
func (t *trial) round(ctx context.Context, r *round) {
	var err error
	r.begin()
	a := r.attack
	v := &verdict{attack: a, begun: time.Now()}
	visits, late := context.WithCancel(ctx)
	attacked, over := context.WithCancel(ctx)
	others := &visitors{from: elsewhere, address: t.control.address}
	var coming sync.WaitGroup
	couples := &couples{server: r.server.address}
	switch a.visitors {
	case noVisitor:
	case inPairs:
		coming.Go(func() { couples.come(visits, attacked) })
	default:
		coming.Go(func() { come(visits, attacked, r.guests, others) })
	}
	if a.unreadLog {
		r.server.reading.Lock()
	}
	cpu, moves, keys := r.server.cpu(), t.control.party.Moves.Mark(), t.control.party.Keys.Mark()
	v.report, err = t.attackWith(ctx, r)
	over()
	time.AfterFunc(waitsFor, late)
	if err != nil {
		v.fault("the attacking process: %v", err)
	}
	v.took = time.Since(v.begun)
	v.cpu = r.server.cpu() - cpu
	coming.Wait()
	switch a.visitors {
	case noVisitor:
	case inPairs:
		couples.evaluate(v)
	default:
		t.logins(v, r.guests, others)
	}
	late()
	if a.unreadLog {
		r.server.reading.Unlock()
	}
	t.read(v, r)
	v.otherMoves, _ = t.control.party.Moves.Since(moves)
	v.otherKeys, _ = t.control.party.Keys.Since(keys)
	t.closing.Go(func() { t.close(v, r) })
}

// read takes the readings of a server that still runs, with the honest players on it.
func (t *trial) read(v *verdict, r *round) {
	r.settle(2*t.limit() + 5*time.Second)
	v.settled = time.Since(v.begun) - v.took
	v.memory, v.files, v.filesBefore = max(0, r.server.peak()-r.memory-t.growth), r.server.files(), r.files
	v.threads = r.server.threads()
	v.logged = r.server.lines() - r.lines
	var faults []string
	v.moves, faults = r.party.Moves.Since(r.moves)
	v.Faults = append(v.Faults, faults...)
	v.keys, faults = r.party.Keys.Since(r.keys)
	v.Faults = append(v.Faults, faults...)
	v.alive = r.server.alive()
}

// settle waits, for a limited time, until the attacker's connections have ended and the honest players have been
// answered.
func (r *round) settle(most time.Duration) {
	for until := time.Now().Add(most); (r.server.files() > r.files+spareFiles || !r.answered()) &&
		time.Now().Before(until); {
		<-time.After(pollEvery)
	}
}

// answered reports whether both honest players have been answered since the start of the attack, which may be very
// short.
func (r *round) answered() bool {
	moves, _ := r.party.Moves.Since(r.moves)
	keys, _ := r.party.Keys.Since(r.keys)
	return (len(moves) > 0 || r.still) && len(keys) > 0
}

// close empties the server, ends it and evaluates.
func (t *trial) close(v *verdict, r *round) {
	var err error
	if v.goroutines, err = r.leave(t); err != nil {
		v.fault("%v", err)
	}
	v.Faults = append(v.Faults, r.server.logFaults()...)
	t.evaluate(v)
}

// leave ends the honest players, waits until their matches have closed, and ends the server.
func (r *round) leave(t *trial) (goroutines int, err error) {
	r.party.Leave()
	for until := time.Now().Add(t.limit()); r.server.files() > r.empty && time.Now().Before(until); {
		<-time.After(pollEvery)
	}
	<-time.After(goneAfter)
	goroutines, err = r.server.quit()
	for _, peer := range r.peers {
		_ = peer.cmd.Process.Kill()
	}
	if t.keep != "" {
		err = errors.Join(err, r.server.keep(t.keep, r.name))
	}
	return goroutines, err
}

// stop ends a server without an evaluation.
func (r *round) stop() {
	r.party.Leave()
	_, _ = r.server.quit()
}

// attackWith runs the attacking process.
func (t *trial) attackWith(ctx context.Context, r *round) (said report, err error) {
	ctx, cancel := context.WithTimeout(ctx, attackTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "chrt", "-i", "0", t.self, "-attack", r.name, "-address", r.server.address,
		"-pid", strconv.Itoa(int(r.server.process)), "-long="+strconv.FormatBool(t.long), "-usual", fmt.Sprint(t.usual))
	cmd.Dir = filepath.Dir(t.self)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return report{}, err
	}
	return said, json.Unmarshal(text, &said)
}
