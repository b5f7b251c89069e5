//go:build attack

package main

import (
	"fmt"
	"time"

	"notakto/internal/attack/players"
)

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
	if more := v.goroutines - goroutines; more > spareGoroutines && v.nodes == 0 {
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
