package rig

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Times are durations in ascending order.
type Times []time.Duration

// Quantile returns the duration that the given share of t, from 0 to 1, does not exceed. An empty t gives 0.
func (t Times) Quantile(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	return t[min(len(t)-1, int(share*float64(len(t))))]
}

// Tail returns the 99th percentile. With few samples it returns the second longest, since the longest alone says
// little.
func (t Times) Tail() time.Duration {
	if len(t) < 2 {
		return t.Quantile(1)
	}
	return t[min(len(t)-2, int(0.99*float64(len(t))))]
}

// String returns the median and the tail in milliseconds, and the number of samples.
func (t Times) String() string {
	return fmt.Sprintf("%s/%s of %d", short(t.Quantile(0.5)), short(t.Tail()), len(t))
}

func short(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()*1000) }

// Record has the times and faults of one player or pair. A Record is safe for concurrent use.
type Record struct {
	limit  time.Duration // a longer time is a fault
	mu     sync.Mutex
	took   []time.Duration
	begun  time.Time // start of the present step (a move, a key, opening a table), zero between steps
	faults []string
}

// Mark is a position in a Record.
type Mark struct{ took, faults int }

// Mark returns the present end of r.
func (r *Record) Mark() Mark {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Mark{len(r.took), len(r.faults)}
}

// Since returns the times and the faults recorded since m. A step without an answer yet counts with the time waited, if
// that is more than 100 ms.
func (r *Record) Since(m Mark) (Times, []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	took := slices.Clone(r.took[m.took:])
	if !r.begun.IsZero() {
		if age := time.Since(r.begun); age > 100*time.Millisecond {
			took = append(took, age)
		}
	}
	slices.Sort(took)
	return took, slices.Clone(r.faults[m.faults:])
}

func (r *Record) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = time.Now()
}

func (r *Record) end(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	took := time.Since(r.begun)
	r.took = append(r.took, took)
	r.begun = time.Time{}
	if took > r.limit {
		r.faults = append(r.faults, fmt.Sprintf("%s took %.1f s", what, took.Seconds()))
	}
}

func (r *Record) fault(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = time.Time{}
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}
