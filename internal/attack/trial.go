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
	"sync/atomic"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"notakto/internal/rig"
	"notakto/match"
)

// trial is a run of the command. Its first part measures the honest players alone. Its second part is a round for
// each attack, or a soak.
type trial struct {
	options
	out  io.Writer
	dir  string // temporary
	self string // path of this program

	control *round // a server without an attack, with its own players, during all rounds

	// undisturbed sets the following fields.
	visits     rig.Times
	usual      float64 // cores of a server
	growth     int     // KB that the memory of a server grows by
	goroutines int     // of a server without players

	servers  sync.WaitGroup // running servers
	closing  sync.WaitGroup // rounds in close
	mu       sync.Mutex     // guards out in print, judged and failures
	judged   int            // attacks
	failures int
}

func (t *trial) run(ctx context.Context) (err error) {
	if t.dir, err = os.MkdirTemp("", "attack"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(t.dir) }()
	ctx, stop := context.WithCancel(ctx)
	defer t.servers.Wait()
	defer stop()
	if t.self, err = os.Executable(); err != nil {
		return err
	}
	run, changes := t.rounds, []rig.Change(nil)
	if t.lasting > 0 {
		run, changes = t.soak, amendments[:]
	}
	if t.binary == "" {
		if t.binary, err = rig.Build(ctx, t.dir, changes...); err != nil {
			return err
		}
	}
	err = run(ctx)
	t.closing.Wait()
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%d attacks, %d failed\n", t.judged, t.failures) // .ci/e2e/attack.sh reads this line
	if t.failures > 0 {
		return fmt.Errorf("%d %w", t.failures, errFailed)
	}
	return nil
}

// chosen returns the attacks to run. A soak excludes attacks that need their own server.
func (t *trial) chosen() []attack {
	return slices.DeleteFunc(attacks(), func(a attack) bool {
		switch {
		case t.lasting > 0 && a.needsServer():
			return true
		case len(t.only) > 0:
			return !slices.Contains(t.only, a.name)
		default:
			return a.long && !t.long
		}
	})
}

// rounds runs the attacks in turn. The undisturbed server has ended before the first attack, because it would slow the
// attacked server and the control.
func (t *trial) rounds(ctx context.Context) (err error) {
	if t.control, err = t.open(ctx, attack{name: "control"}, rig.Load{}); err != nil {
		return err
	}
	defer t.control.stop()
	if err := t.undisturbed(ctx); err != nil {
		return err
	}
	for _, a := range t.chosen() {
		r, err := t.open(ctx, a, rig.Load{})
		if err != nil {
			return err
		}
		t.round(ctx, r)
	}
	return ctx.Err()
}

// undisturbed measures a server with honest players and visitors alone.
func (t *trial) undisturbed(ctx context.Context) error {
	r, err := t.open(ctx, attack{name: "undisturbed", visitors: elsewhere}, rig.Load{})
	if err != nil {
		return err
	}
	r.begin()
	begun := time.Now()
	if err := match.Sleep(ctx, t.seconds(2, 5)); err != nil {
		return err
	}
	t.usual = (r.server.Figures().CPU - r.before.CPU).Seconds() / time.Since(begun).Seconds()
	lasting, end := context.WithTimeout(ctx, t.seconds(1, 15))
	defer end()
	come(ctx, lasting, r.guests)
	t.visits = r.guests.wait()
	answers, faults := r.party.Since(r.marks)
	if faults = append(faults, r.guests.faults...); len(faults) > 0 {
		return fmt.Errorf("%w without an attack: %v", errFailed, faults)
	}
	t.growth = r.server.Figures().Peak - r.before.Memory
	if t.goroutines, err = r.leave(t); err != nil {
		return err
	}
	fmt.Fprintf(t.out,
		"undisturbed: moves %v, keys %v, logins %v (p50/p99 in ms, samples); %.2f cores; memory %.1f MB +%.1f; %d "+
			"files; %d goroutines when all have left\n",
		answers[0], answers[1], t.visits, t.usual, mb(r.before.Memory), mb(t.growth), r.before.Files, t.goroutines)
	return nil
}

func mb(kb int) float64 { return float64(kb) / 1024 }

const (
	warmTime   = 600 * time.Millisecond // of play before the measurements
	pollEvery  = 50 * time.Millisecond
	goneAfter  = 5 * time.Second // from a match's last connection until the match has closed
	attackTime = 3 * time.Minute // longer than any attack
	spareFiles = 2
)

// round is one attack on a new server, with its measurements and faults. Method begin sets the fields from guests to
// begun.
type round struct {
	attack
	report
	server *rig.Server
	party  *rig.Party
	ended  atomic.Int64 // matches
	empty  int          // open files before the first player

	guests *visitors
	marks  rig.Marks
	before rig.Figures
	begun  time.Time

	took, settled time.Duration // until the end of the attack, and from then until the server was quiet
	cpu           time.Duration // of the server during both
	memory        int           // KB at the peak, over the start and the usual growth
	after         rig.Figures   // when the attacker has gone
	goroutines    int           // over those of an undisturbed server
	answers       rig.Answers
	elsewhere     rig.Answers // on the control server, during the attack
	visits        string      // text about the visitors
}

func (r *round) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}

// open starts a server with new data and the honest players.
func (t *trial) open(ctx context.Context, a attack, load rig.Load) (*round, error) {
	r := &round{attack: a}
	var err error
	r.server, err = rig.Start(t.serve(ctx, a), func(line string) {
		if strings.Contains(line, ` msg="match ended" `) {
			r.ended.Add(1)
		}
	})
	if err != nil {
		return nil, err
	}
	t.servers.Go(func() { <-r.server.Gone() })
	if err := r.server.Ready(ctx); err != nil {
		return nil, err
	}
	r.empty = r.server.Figures().Files
	if r.party, err = rig.Play(ctx, r.server.Address("address"), load); err != nil {
		return nil, fmt.Errorf("the honest players: %w", err)
	}
	return r, match.Sleep(ctx, warmTime)
}

// serve returns the command of a server with new data on a free port. The end of ctx kills the process. Matches
// without players close soon, because their goroutines would count as leaked.
func (t *trial) serve(ctx context.Context, a attack) *exec.Cmd {
	limit := t.limit().String()
	args := []string{
		t.binary, "serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(t.dir, a.name), "--log-format", "logfmt",
		"--login", limit, "--start", limit, "--stall", limit, "--grace", "4s", "--linger", "100ms",
		"--computer-pause", "50ms", "--max-match-rate", "1000000",
	}
	if a.descriptors > 0 {
		args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, a.descriptors), "sh"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "GOTRACEBACK=all")
	if t.lasting > 0 {
		cmd.Env = append(cmd.Env, "GOGC=20") // garbage would hide a slow growth
	}
	return cmd
}

// begin takes the readings from before the attack.
func (r *round) begin() {
	r.guests = &visitors{from: r.visitors, address: r.server.Address("address")}
	r.marks, r.before, r.begun = r.party.Mark(), r.server.Figures(), time.Now()
	r.server.ResetPeak()
}

// round runs one attack. The next round may begin while the goroutine of close still empties this server.
func (t *trial) round(ctx context.Context, r *round) {
	r.begin()
	visits, late := context.WithCancel(ctx)
	attacked, over := context.WithCancel(ctx)
	others := &visitors{from: elsewhere, address: t.control.server.Address("address")}
	var coming sync.WaitGroup
	if r.visitors != noVisitor {
		coming.Go(func() { come(visits, attacked, r.guests, others) })
	}
	if r.unreadLog {
		r.server.Reading.Lock()
	}
	marks := t.control.party.Mark()
	var err error
	if r.report, err = t.attackWith(ctx, r, r.attack); err != nil {
		r.fault("the attacking process: %v", err)
	}
	over()
	r.took = time.Since(r.begun)
	r.cpu = r.server.Figures().CPU - r.before.CPU
	time.AfterFunc(lastLogins, late)
	coming.Wait()
	if r.visitors != noVisitor {
		t.evaluateLogins(r, others)
	}
	late()
	if r.unreadLog {
		r.server.Reading.Unlock()
	}
	t.read(r)
	r.elsewhere, _ = t.control.party.Since(marks)
	t.closing.Go(func() {
		t.close(r)
		t.evaluate(r)
		t.print(r)
	})
}

// read takes the readings from after the attack, with the honest players still on the server.
func (t *trial) read(r *round) {
	r.settle(2*t.limit() + 5*time.Second)
	r.settled = time.Since(r.begun) - r.took
	r.after = r.server.Figures()
	r.memory = max(0, r.after.Peak-r.before.Memory-t.growth)
	var faults []string
	r.answers, faults = r.party.Since(r.marks)
	r.Faults = append(r.Faults, faults...)
	if r.server.HasEnded() {
		r.fault("the server has ended")
	}
}

// settle waits until the attacker's connections have ended and each honest player has had an answer, because an attack
// can be shorter than a move. It waits no longer than most.
func (r *round) settle(most time.Duration) {
	for until := time.Now().Add(most); (r.server.Figures().Files > r.before.Files+spareFiles ||
		!r.party.HasAnswers(r.marks)) && time.Now().Before(until); {
		<-time.After(pollEvery)
	}
}

// close empties and ends the server, and adds a fault for each thing that it leaves.
func (t *trial) close(r *round) {
	goroutines, err := r.leave(t)
	if err != nil {
		r.fault("%v", err)
	}
	r.goroutines = goroutines - t.goroutines
	if r.after.Files > r.before.Files+spareFiles {
		r.fault("%d files stay open, before there were %d", r.after.Files, r.before.Files)
	}
	if r.goroutines > spareGoroutines {
		r.fault("%d goroutines stay", r.goroutines)
	}
	r.Faults = append(r.Faults, logFaults(r.server.Log())...)
}

var goroutineHead = regexp.MustCompile(`^goroutine \d+ .*:$`)

// leave ends the honest players, waits until their matches have closed, and ends the server with SIGQUIT. A Go program
// then prints its goroutines, and leave returns their number.
func (r *round) leave(t *trial) (goroutines int, err error) {
	r.party.Leave()
	for until := time.Now().Add(t.limit()); r.server.Figures().Files > r.empty && time.Now().Before(until); {
		<-time.After(pollEvery)
	}
	<-time.After(goneAfter)
	err = r.server.Stop(syscall.SIGQUIT)
	log := r.server.Log()
	for _, line := range log {
		if goroutineHead.MatchString(line) {
			goroutines++
		}
	}
	if t.keep != "" {
		name := filepath.Join(t.keep, r.name+".log")
		err = errors.Join(err, os.WriteFile(name, []byte(strings.Join(log, "\n")), 0o600))
	}
	return goroutines, err
}

func (r *round) stop() {
	r.party.Leave()
	_ = r.server.Stop(syscall.SIGKILL)
}

// attackWith runs the attacking process in the scheduling class idle, as if it ran on another machine.
func (t *trial) attackWith(ctx context.Context, r *round, a attack) (said report, err error) {
	ctx, cancel := context.WithTimeout(ctx, attackTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "chrt", "-i", "0", t.self, "-attack", a.name,
		"-address", r.server.Address("address"), "-pid", strconv.Itoa(int(r.server.Process)),
		"-long="+strconv.FormatBool(t.long), "-usual", fmt.Sprint(t.usual))
	cmd.Dir = filepath.Dir(t.self)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return report{}, err
	}
	return said, json.Unmarshal(text, &said)
}

// evaluateLogins evaluates the logins of visitors, compared with those at the control server.
func (t *trial) evaluateLogins(r *round, others *visitors) {
	took, usual := r.guests.wait(), others.wait()
	failed := len(r.guests.faults)
	all := len(took) + failed
	r.visits = fmt.Sprintf("; logins %d of %d, at once %d, ms %v x%.1f", len(took), all, r.guests.firstTry, took,
		ratio(took, usual))
	if failed > 0 {
		r.fault("%d of %d logins failed, such as: %s", failed, all, r.guests.faults[0])
	}
	if n := len(others.faults); n > 0 {
		r.fault("%d logins failed at an address without an attacker, such as: %s", n, others.faults[0])
	}
	switch p99, most := took.Tail(), t.loginBound(r.attack, usual); {
	case r.visitors == beside && 2*r.guests.firstTry < all:
		r.fault("%d of %d logins at the attacker's address succeeded at once", r.guests.firstTry, all)
	case r.visitors == elsewhere && p99 > most:
		r.fault("the p99 of logins is %v, over %v", p99.Round(time.Millisecond), most.Round(time.Millisecond))
	}
}

const (
	spareGoroutines = 5
	longWait        = time.Second // more than the longest move or key on the control server

	moveFloor   = 25 * time.Millisecond
	keyFloor    = 50 * time.Millisecond
	longerLogin = 50 * time.Millisecond
)

// bound returns the limit of a p99. usual has the times on the control server during the attack. The comparison is
// needed because the attacker, and unknown other programs, use the processors of both servers.
//
//   - The limit is twice the p99 of usual in the long run. In the short run it is four times, because the p99 of few
//     samples is only the second slowest.
//   - The limit is never below floor, or three times floor in the short run. A player does not notice such a time, and
//     a ratio of such times describes only the machine. Moves matter most and have the lowest floor. Keys have fewer
//     samples.
//   - A fair attack uses so much of the machine that only the control server shows a possible time. The limit is twice
//     the p99 of usual plus moveFloor, or three times moveFloor in the short run. In the short run the rule holds for
//     moves only.
func (t *trial) bound(a attack, usual rig.Times, floor time.Duration) time.Duration {
	if a.fair && (t.long || floor == moveFloor) {
		return 2*usual.Tail() + time.Duration(t.pick(3, 1))*moveFloor
	}
	if t.long {
		return max(floor, 2*usual.Tail())
	}
	return max(3*floor, 4*usual.Tail())
}

// loginBound returns the limit of the p99 of logins. For a fair attack the limit is three times the p99 of usual,
// plus longerLogin or, in the short run, three times longerLogin. For others the floor of bound is the undisturbed
// p99 plus longerLogin.
func (t *trial) loginBound(a attack, usual rig.Times) time.Duration {
	if a.fair {
		return 3*usual.Tail() + time.Duration(t.pick(3, 1))*longerLogin
	}
	return t.bound(a, usual, t.visits.Tail()+longerLogin)
}

// memoryBound returns the limit of an attack's memory in MB. The short run allows 5 MB more, because its undisturbed
// server has too little time for the usual growth.
func (t *trial) memoryBound(a attack) int { return a.mostMemory + t.pick(5, 0) }

// evaluate checks the times of the honest players and the memory.
func (t *trial) evaluate(r *round) {
	for i, what := range [...]string{"moves", "keys"} {
		took, usual := r.answers[i], r.elsewhere[i]
		if most := t.bound(r.attack, usual, [...]time.Duration{moveFloor, keyFloor}[i]); took.Tail() > most {
			r.fault("the p99 of the honest %s is %v, over %v", what, took.Tail().Round(time.Millisecond),
				most.Round(time.Millisecond))
		}
		if most := longWait + usual.Quantile(1); took.Quantile(1) > most {
			r.fault("one of the honest %s took %v", what, took.Quantile(1).Round(time.Millisecond))
		}
		if len(took) == 0 {
			r.fault("no honest %s at all", what)
		}
	}
	if most := t.memoryBound(r.attack); r.memory > most<<10 {
		r.fault("%.1f MB more memory, over %d", mb(r.memory), most)
	}
}

func (t *trial) print(r *round) {
	t.mu.Lock()
	defer t.mu.Unlock()
	word := t.count(r)
	fmt.Fprintf(t.out, "%s %-18s %.1f s +%.1f; %v%s; moves %v x%.1f (%d elsewhere), keys %v x%.1f; "+
		"memory +%.1f of %d MB, cpu %.1f s, files %+d, goroutines %+d, threads %d\n",
		word, r.name, r.took.Seconds(), r.settled.Seconds(), r.report, r.visits,
		r.answers[0], ratio(r.answers[0], r.elsewhere[0]), len(r.elsewhere[0]), r.answers[1],
		ratio(r.answers[1], r.elsewhere[1]), mb(r.memory), t.memoryBound(r.attack), r.cpu.Seconds(),
		r.after.Files-r.before.Files, r.goroutines, r.after.Threads)
	t.printFaults(r.Faults)
}

// count counts a round, and returns "pass" or "FAIL".
func (t *trial) count(r *round) (word string) {
	t.judged++
	if len(r.Faults) == 0 {
		return "pass"
	}
	t.failures++
	return "FAIL"
}

func ratio(took, usual rig.Times) float64 {
	return took.Tail().Seconds() / max(1e-6, usual.Tail().Seconds())
}

func (t *trial) printFaults(faults []string) {
	const most = 6
	for _, fault := range faults[:min(len(faults), most)] {
		fmt.Fprintf(t.out, "     %s\n", fault)
	}
	if len(faults) > most {
		fmt.Fprintf(t.out, "     and %d more\n", len(faults)-most)
	}
}

// maxLogged limits a line of the log, in bytes.
const maxLogged = 1024

// logFaults returns the log lines that a client must not be able to cause, such as panics, errors and lines of
// another form. The goroutines after SIGQUIT do not count.
func logFaults(log []string) (faults []string) {
	for _, line := range log {
		_, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "SIGQUIT"):
			return faults
		case !strings.HasPrefix(line, "time="):
			faults = append(faults, fmt.Sprintf("a line that is none of the log's: %.80q", line))
		case strings.HasPrefix(rest, "level=error"):
			faults = append(faults, fmt.Sprintf("the log: %.200s", line))
		case strings.Contains(line, "event=recording-stopped"):
			faults = append(faults, "the server was not ready for a while")
		case len(line) > maxLogged:
			faults = append(faults, fmt.Sprintf("a line of %d bytes in the log", len(line)))
		case !utf8.ValidString(line) || strings.ContainsFunc(line, isControl):
			faults = append(faults, fmt.Sprintf("the log has %.200q", line))
		}
	}
	return faults
}

// isControl reports whether r can control a terminal or is invisible.
func isControl(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }
