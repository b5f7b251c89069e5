// Package stats has the counters and histograms that the server's packages keep for monitors. Reading them takes no
// lock that a match, a session or the store holds.
package stats

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Counts holds a number for each of a small, closed set of keys. The zero value is empty and ready to use. Methods
// may be called from any goroutine.
type Counts[K comparable] struct{ values sync.Map } // of *atomic.Int64

// Add adds n to the number of key. A new key starts at 0.
func (c *Counts[K]) Add(key K, n int64) {
	value, ok := c.values.Load(key)
	if !ok {
		value, _ = c.values.LoadOrStore(key, new(atomic.Int64))
	}
	value.(*atomic.Int64).Add(n) //nolint:forcetypeassert // no other values are stored
}

// Get returns the number of key, or 0 without one.
func (c *Counts[K]) Get(key K) int64 {
	if value, ok := c.values.Load(key); ok {
		return value.(*atomic.Int64).Load() //nolint:forcetypeassert // no other values are stored
	}
	return 0
}

// All iterates over the keys and their numbers in any order.
func (c *Counts[K]) All() iter.Seq2[K, int64] {
	return func(yield func(K, int64) bool) {
		c.values.Range(func(key, value any) bool {
			return yield(key.(K), value.(*atomic.Int64).Load()) //nolint:forcetypeassert // no others are stored
		})
	}
}

// Histogram counts durations by upper bounds. Make one with [NewHistogram]. A nil Histogram ignores durations.
// Methods may be called from any goroutine.
type Histogram struct {
	bounds []time.Duration
	counts []atomic.Uint64 // by bound, and the last one for durations above all bounds
	sum    atomic.Int64
}

// NewHistogram returns a histogram with upper bounds, in ascending order.
func NewHistogram(bounds ...time.Duration) *Histogram {
	return &Histogram{bounds: bounds, counts: make([]atomic.Uint64, len(bounds)+1)}
}

// Observe counts d.
func (h *Histogram) Observe(d time.Duration) {
	if h == nil {
		return
	}
	i, _ := slices.BinarySearch(h.bounds, d)
	h.counts[i].Add(1)
	h.sum.Add(int64(d))
}

// Read returns the number and the sum of all durations, and for each bound the number of durations up to it. Sum and
// bounds are in seconds.
func (h *Histogram) Read() (count uint64, sum float64, buckets map[float64]uint64) {
	buckets = make(map[float64]uint64, len(h.bounds))
	for i, bound := range h.bounds {
		count += h.counts[i].Load()
		buckets[bound.Seconds()] = count
	}
	return count + h.counts[len(h.bounds)].Load(), time.Duration(h.sum.Load()).Seconds(), buckets
}
