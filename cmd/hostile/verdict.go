//go:build hostile

package main

import (
	"fmt"
	"time"

	"notakto/cmd/hostile/honest"
)

// verdict is what an attack did.
type verdict struct {
	attack
	report
	begun               time.Time
	took, settled, cpu  time.Duration
	memory              int // KB at the worst, over before and what it would have taken by and by anyhow
	files, filesBefore  int
	threads, goroutines int
	moves, keys         honest.Times
	otherMoves          honest.Times // of the players on the server that nobody attacks, at the same time
	otherKeys           honest.Times
	visits              string
	alive               bool
}

func (v *verdict) fault(format string, args ...any) {
	v.Faults = append(v.Faults, fmt.Sprintf(format, args...))
}

func (v *verdict) logins(guests *visitors, usual honest.Times, slack time.Duration) {
	figure, faults := guests.judge(usual, slack)
	v.visits = "; " + figure
	v.Faults = append(v.Faults, faults...)
}

const (
	spareGoroutines = 5
	shortLogin      = 250 * time.Millisecond
	longLogin       = 50 * time.Millisecond
	longWait        = time.Second // for anything, beyond the longest on the other server
)

// slack is how much longer a login may take under an attack.
func (t *trial) slack() time.Duration {
	if t.long {
		return longLogin
	}
	return shortLogin
}

// bound is the longest p99 of something, by the p99 at the same time on a server that nobody attacks: the attacker works on the same
// processors, and so does who knows what. In the long run it is twice that, in the short one four times, for the p99 of
// few samples is no more than the second slowest. Below a floor nobody would notice, and the ratio only tells of the machine: one of 25 ms for
// moves, which are what a match is made of, and of twice that for keys, of which there are fewer; three times that in the short run.
func (t *trial) bound(usual honest.Times, floor time.Duration) time.Duration {
	if t.long {
		return max(floor, 2*usual.Tail())
	}
	return max(3*floor, 4*usual.Tail())
}

const (
	moveFloor = 25 * time.Millisecond
	keyFloor  = 50 * time.Millisecond
)

// memoryBound is how many MB an attack may take. The short run has not the time to see what a server takes by and by anyhow.
func (t *trial) memoryBound(a attack) int { return a.memory + t.pick(5, 0) }

// excess adds the faults of a server that has not come to rest.
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

// judge adds the faults that can be in any attack, and prints the line.
func (t *trial) judge(v *verdict) {
	for _, player := range []struct {
		what        string
		floor       time.Duration
		took, usual honest.Times
	}{{"moves", moveFloor, v.moves, v.otherMoves}, {"keys", keyFloor, v.keys, v.otherKeys}} {
		if most := t.bound(player.usual, player.floor); player.took.Tail() > most {
			v.fault("the p99 of the honest %s is %v, over %v", player.what, player.took.Tail().Round(time.Millisecond), most.Round(time.Millisecond))
		}
		if most := longWait + player.usual.Of(1); player.took.Of(1) > most {
			v.fault("one of the honest %s took %v", player.what, player.took.Of(1).Round(time.Millisecond))
		}
		if len(player.took) == 0 {
			v.fault("no honest %s at all", player.what)
		}
	}
	v.excess(t.goroutines)
	if most := t.memoryBound(v.attack); v.memory > most<<10 {
		v.fault("%.1f MB more memory, over %d", mb(v.memory), most)
	}
	t.print(v)
}
