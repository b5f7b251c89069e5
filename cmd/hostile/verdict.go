//go:build hostile

package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"notakto/cmd/hostile/honest"
)

// verdict is what an attack did.
type verdict struct {
	attack
	report
	begun               time.Time
	took, settled, cpu  time.Duration
	memory              int // KB over before, at the worst
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
	shortMove       = 100 * time.Millisecond
	longMove        = 25 * time.Millisecond
)

// slack is how much longer a login may take under an attack.
func (t *trial) slack() time.Duration {
	if t.long {
		return longLogin
	}
	return shortLogin
}

// bound is the longest p99 of something, by the p99 at the same time on a server that nobody attacks: the attacker works on the same
// processors, and so does who knows what. In the long run it is twice that, in the short one four times, since of a hundred samples one
// alone is the p99. Below the floor nobody would notice, and the ratio only tells of the machine.
func (t *trial) bound(usual honest.Times) time.Duration {
	if t.long {
		return max(longMove, 2*usual.Of(0.99))
	}
	return max(shortMove, 4*usual.Of(0.99))
}

// judge adds the faults that can be in any attack, and prints the line.
func (t *trial) judge(v *verdict) {
	for _, player := range []struct {
		what        string
		took, usual honest.Times
	}{{"moves", v.moves, v.otherMoves}, {"keys", v.keys, v.otherKeys}} {
		if most := t.bound(player.usual); player.took.Of(0.99) > most {
			v.fault("the p99 of the honest %s is %v, over %v", player.what, player.took.Of(0.99).Round(time.Millisecond), most.Round(time.Millisecond))
		}
		if len(player.took) == 0 {
			v.fault("no honest %s at all", player.what)
		}
	}
	if !v.alive {
		v.fault("the server has ended")
	}
	if v.files > v.filesBefore+spareFiles {
		v.fault("%d files stay open, before there were %d", v.files, v.filesBefore)
	}
	if more := v.goroutines - t.goroutines; more > spareGoroutines {
		v.fault("%d goroutines stay", more)
	}
	if v.memory > v.attack.memory<<10 {
		v.fault("%.1f MB more memory, over %d", mb(v.memory), v.attack.memory)
	}
	t.print(v)
}

func (t *trial) print(v *verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	word := "pass"
	if len(v.Faults) > 0 {
		word = "FAIL"
		t.failures = append(t.failures, v.name)
	}
	t.judged++
	ratio := func(took, usual honest.Times) float64 {
		return took.Of(0.99).Seconds() / max(1e-6, usual.Of(0.99).Seconds())
	}
	fmt.Fprintf(t.out, "%s %-13s %.1f s +%.1f; %s%s; moves %v x%.1f, keys %v x%.1f; memory +%.1f of %d MB, cpu %.1f s, files %+d, goroutines %+d, threads %d\n",
		word, v.name, v.took.Seconds(), v.settled.Seconds(), strings.Join(v.Figures, ", "), v.visits,
		v.moves, ratio(v.moves, v.otherMoves), v.keys, ratio(v.keys, v.otherKeys), mb(v.memory), v.attack.memory, v.cpu.Seconds(),
		v.files-v.filesBefore, v.goroutines-t.goroutines, v.threads)
	t.tell(v.Faults)
}

// maxShown is how many different faults of an attack are told.
const maxShown = 6

// tell prints faults, those that are the same but for their numbers once.
func (t *trial) tell(faults []string) {
	number := regexp.MustCompile(`\d+`)
	times := map[string]int{}
	for _, fault := range faults {
		times[number.ReplaceAllString(fault, "")]++
	}
	told := 0
	for _, fault := range faults {
		same := number.ReplaceAllString(fault, "")
		if n := times[same]; n > 0 && told < maxShown {
			fmt.Fprintf(t.out, "     %dx %s\n", n, fault)
			told++
		}
		times[same] = 0
	}
}
