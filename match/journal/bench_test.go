package journal

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// BenchmarkAppend measures from the call of Append until the event has been delivered to every subscriber in the
// process.
func BenchmarkAppend(b *testing.B) {
	for _, sync := range []natsd.Sync{natsd.Always, natsd.Interval} {
		for _, writers := range []int{1, 8, 64, 500} {
			b.Run(fmt.Sprintf("%s/%d", [...]string{"always", "interval"}[sync], writers), func(b *testing.B) {
				s := open(b, natsd.Config{Dir: b.TempDir(), Sync: sync})
				benchmarkAppend(b, s, writers)
			})
		}
	}
}

// BenchmarkCluster is BenchmarkAppend at one of three nodes in this process, which share its processors and its disk.
func BenchmarkCluster(b *testing.B) {
	c := startNodes(b, 3)
	for _, writers := range []int{1, 8, 64, 500} {
		b.Run(strconv.Itoa(writers), func(b *testing.B) { benchmarkAppend(b, c.stores[0], writers) })
	}
}

func benchmarkAppend(b *testing.B, s match.Journal, writers int) {
	var next atomic.Int64
	run := strconv.FormatInt(time.Now().UnixNano(), 36)
	took := make([]time.Duration, b.N)
	var all sync.WaitGroup
	b.ResetTimer()
	for w := range writers {
		all.Go(func() {
			id, seq := match.ID(run+strconv.Itoa(w)), uint64(0)
			for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
				seq++
				began := time.Now()
				if _, err := s.Append(b.Context(), left(id, seq)); err != nil {
					b.Error(err)
					return
				}
				took[i] = time.Since(began)
			}
		})
	}
	all.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(took[b.N/2].Microseconds())/1e3, "p50-ms")
	b.ReportMetric(float64(took[b.N*99/100].Microseconds())/1e3, "p99-ms")
	b.ReportMetric(0, "ns/op")
}
