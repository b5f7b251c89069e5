package stats_test

import (
	"maps"
	"sync"
	"testing"
	"time"

	"notakto/match/stats"
)

func TestCounts(t *testing.T) {
	var c stats.Counts[string]
	var adding sync.WaitGroup
	for range 4 {
		adding.Go(func() {
			for range 100 {
				c.Add("a", 1)
				c.Add("b", -2)
			}
		})
	}
	adding.Wait()
	if got := maps.Collect(c.All()); !maps.Equal(got, map[string]int64{"a": 400, "b": -800}) || c.Get("a") != 400 ||
		c.Get("none") != 0 {
		t.Errorf("they are %v", got)
	}
}

func TestHistogram(t *testing.T) {
	h := stats.NewHistogram(time.Second, time.Minute)
	for _, d := range []time.Duration{0, time.Second, 2 * time.Second, time.Hour} {
		h.Observe(d)
	}
	count, sum, buckets := h.Read()
	if count != 4 || sum != 3603 || !maps.Equal(buckets, map[float64]uint64{1: 2, 60: 3}) {
		t.Errorf("it has %d of %v s: %v", count, sum, buckets)
	}
	(*stats.Histogram)(nil).Observe(time.Second)
}
