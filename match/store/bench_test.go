package store

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journal"
	"notakto/match/journal/natsd"
	"notakto/rules"
)

// left returns an event.
func left(id match.ID, seq uint64) match.Event {
	return match.Event{Match: id, Seq: seq, Kind: match.Left, Seat: rules.First}
}

// BenchmarkAppend measures from the call of Append until the event is on the disk and has been delivered to every
// subscriber, in this store and in package journal.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 8, 64, 500} {
		b.Run("journal/"+strconv.Itoa(writers), func(b *testing.B) {
			j, err := journal.Open(b.Context(), natsd.Config{Dir: b.TempDir(), Sync: natsd.Always}, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = j.Close() }()
			benchmarkAppend(b, writers, j)
		})
		b.Run("sqlite/"+strconv.Itoa(writers), func(b *testing.B) { benchmarkAppend(b, writers, openIn(b, b.TempDir())) })
	}
}

func benchmarkAppend(b *testing.B, writers int, journals ...match.Journal) {
	var next atomic.Int64
	took := make([]time.Duration, b.N)
	var all sync.WaitGroup
	b.ResetTimer()
	for w := range writers {
		j := journals[w%len(journals)]
		all.Go(func() {
			id := match.ID(fmt.Sprint("w", w))
			for i, seq := next.Add(1)-1, uint64(1); i < int64(b.N); i, seq = next.Add(1)-1, seq+1 {
				began := time.Now()
				if _, err := j.Append(b.Context(), left(id, seq)); err != nil {
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
