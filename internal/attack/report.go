//go:build attack

package main

import (
	"fmt"
	"regexp"
	"strings"

	"notakto/internal/attack/players"
)

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
