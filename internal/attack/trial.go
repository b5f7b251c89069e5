//go:build attack

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	address     string // where honest players connect: the server, or a relay to it
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
	if r.server, err = startServer(ctx, t.options, dir, a); err != nil {
		return nil, err
	}
	t.servers.Go(func() { <-r.server.gone })
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

// verdict is the result of an attack.
type verdict struct {
	attack
	report
	begun               time.Time
	took, settled, cpu  time.Duration
	memory              int // KB at the peak, beyond the start and the usual growth
	files, filesBefore  int
	threads, goroutines int
	logged              int // lines, without those about sessions
	moves, keys         players.Times
	otherMoves          players.Times // of the players on the control server, at the same time
	otherKeys           players.Times
	visits              string
	alive               bool
}

func (v *verdict) fault(format string, args ...any) {
	v.Faults = append(v.Faults, fmt.Sprintf(format, args...))
}

// logins evaluates how visitors logged in, compared with those of the control server.
func (t *trial) logins(v *verdict, guests, others *visitors) {
	took, usual := guests.wait(), others.wait()
	all := len(took) + len(guests.faults)
	v.visits = fmt.Sprintf("; logins %d of %d, at once %d, ms %v x%.1f", len(took), all, guests.at, took,
		ratio(took, usual))
	if n := len(guests.faults); n > 0 {
		v.fault("%d of %d logins failed, such as: %s", n, all, guests.faults[0])
	}
	if n := len(others.faults); n > 0 {
		v.fault("%d logins failed at an address without an attacker, such as: %s", n, others.faults[0])
	}
	switch p99, most := took.Tail(), t.loginBound(v.attack, usual); {
	case v.visitors == beside && 2*guests.at < all:
		v.fault("%d of %d logins at the attacker's address succeeded at once", guests.at, all)
	case v.visitors == elsewhere && p99 > most:
		v.fault("the p99 of logins is %v, over %v", p99.Round(time.Millisecond), most.Round(time.Millisecond))
	}
}

const (
	spareGoroutines = 5
	longWait        = time.Second // for anything, beyond the longest on the other server
)

// bound returns the limit of a p99, by the p99 at the same time on the control server: the attacker, and unknown other
// programs, use the same processors. In the long run it is twice that, in the short one four times, since the p99 of
// few samples is no more than the second slowest. Below a floor no player would notice, and the ratio only describes
// the machine: 25 ms for moves, which matter most, twice that for keys, of which there are fewer, and as much more than
// undisturbed for a login; three times that in the short run. An attack on fairness uses so much of the machine that
// only the control server shows what is due: the bound is twice its p99 and the floor. In the short run that is so for
// moves only.
func (t *trial) bound(a attack, usual players.Times, floor time.Duration) time.Duration {
	if a.fair && (t.long || floor == moveFloor) {
		return 2*usual.Tail() + time.Duration(t.pick(3, 1))*moveFloor
	}
	if t.long {
		return max(floor, 2*usual.Tail())
	}
	return max(3*floor, 4*usual.Tail())
}

// loginBound returns the limit of the p99 of logins: three times that of the control server under an attack on
// fairness.
func (t *trial) loginBound(a attack, usual players.Times) time.Duration {
	if a.fair {
		return 3*usual.Tail() + time.Duration(t.pick(3, 1))*longerLogin
	}
	return t.bound(a, usual, t.visits.Tail()+longerLogin)
}

const (
	moveFloor   = 25 * time.Millisecond
	keyFloor    = 50 * time.Millisecond
	longerLogin = 50 * time.Millisecond
)

// memoryBound returns how many MB an attack may use. The short run is too short for the usual growth.
func (t *trial) memoryBound(a attack) int { return a.memory + t.pick(5, 0) }

// excess adds the faults of a server that has not become idle.
func (v *verdict) excess(goroutines int) {
	if !v.alive {
		v.fault("the server has ended")
	}
	if v.files > v.filesBefore+spareFiles {
		v.fault("%d files stay open, before there were %d", v.files, v.filesBefore)
	}
	if more := v.goroutines - goroutines; more > spareGoroutines {
		v.fault("%d goroutines stay", more)
	}
}

// evaluate adds the faults possible in any attack, and prints the line.
func (t *trial) evaluate(v *verdict) {
	for _, player := range []struct {
		what        string
		floor       time.Duration
		took, usual players.Times
	}{{"moves", moveFloor, v.moves, v.otherMoves}, {"keys", keyFloor, v.keys, v.otherKeys}} {
		if v.still && player.what == "moves" {
			continue
		}
		if most := t.bound(v.attack, player.usual, player.floor); player.took.Tail() > most {
			v.fault("the p99 of the honest %s is %v, over %v", player.what, player.took.Tail().Round(time.Millisecond),
				most.Round(time.Millisecond))
		}
		if most := longWait + player.usual.Quantile(1); player.took.Quantile(1) > most {
			v.fault("one of the honest %s took %v", player.what, player.took.Quantile(1).Round(time.Millisecond))
		}
		if len(player.took) == 0 {
			v.fault("no honest %s at all", player.what)
		}
	}
	v.excess(t.goroutines)
	if each := float64(v.logged) / (v.took + v.settled).Seconds(); v.lines > 0 && each > float64(v.lines) {
		v.fault("the log has %.0f lines a second, over %d", each, v.lines)
	}
	if most := t.memoryBound(v.attack); v.memory > most<<10 {
		v.fault("%.1f MB more memory, over %d", mb(v.memory), most)
	}
	t.print(v)
}

// print prints the line of an attack.
func (t *trial) print(v *verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	word := "pass"
	if len(v.Faults) > 0 {
		word = "FAIL"
		t.failures = append(t.failures, v.name)
	}
	t.verdicts++
	fmt.Fprintf(t.out, "%s %-18s %.1f s +%.1f; %s%s; moves %v x%.1f, keys %v x%.1f; memory +%.1f of %d MB, "+
		"cpu %.1f s, files %+d, goroutines %+d, threads %d\n",
		word, v.name, v.took.Seconds(), v.settled.Seconds(), strings.Join(v.Figures, ", "), v.visits,
		v.moves, ratio(v.moves, v.otherMoves), v.keys, ratio(v.keys, v.otherKeys), mb(v.memory),
		t.memoryBound(v.attack), v.cpu.Seconds(),
		v.files-v.filesBefore, v.goroutines-t.goroutines, v.threads)
	t.tell(v.Faults)
}

// ratio returns the ratio of the p99 to that of a server without an attack.
func ratio(took, usual players.Times) float64 {
	return took.Tail().Seconds() / max(1e-6, usual.Tail().Seconds())
}

// maxShown is how many different faults of an attack are printed.
const maxShown = 6

// tell prints faults; of those that differ only in numbers it prints one.
func (t *trial) tell(faults []string) {
	number := regexp.MustCompile(`\d+`)
	times := map[string]int{}
	for _, fault := range faults {
		times[number.ReplaceAllString(fault, "")]++
	}
	received := 0
	for _, fault := range faults {
		same := number.ReplaceAllString(fault, "")
		if n := times[same]; n > 0 && received < maxShown {
			fmt.Fprintf(t.out, "     %dx %s\n", n, fault)
			received++
		}
		times[same] = 0
	}
}
