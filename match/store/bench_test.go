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
	"notakto/rules"
)

// left returns an event.
func left(id match.ID, seq uint64) match.Event {
	return match.Event{Match: id, Seq: seq, Kind: match.Left, Seat: rules.First}
}

// BenchmarkAppend measures from the call of Append until the event is on the disk and has been delivered to every
// subscriber.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 8, 64, 500} {
		b.Run("sqlite/"+strconv.Itoa(writers), func(b *testing.B) { benchmarkAppend(b, writers, openIn(b, b.TempDir())) })
	}
}

// BenchmarkStart measures the start of a server with a million finished matches in the archive and in the history, and
// 1,000 in progress.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(b.Context(), Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 1_000 {
		mustAppend(b, s, match.ID(fmt.Sprint("live", i)), 1, 4)
	}
	e := s.engine.(*sqliteEngine)
	e.turn.Lock()
	for _, statement := range []string{
		`INSERT INTO archive WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
			SELECT 10000 + i, 'm' || i, 20, i, zeroblob(180) FROM n`,
		`INSERT INTO finished SELECT position, match, 'notakto/3', 'none', 0, 'p' || position % 1000, 'one', 'q', 'two', 1,
			'resign', 7, at, 0 FROM archive`,
		`UPDATE head SET position = 2000000`,
	} {
		if err := e.exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	e.turn.Unlock()
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := Open(b.Context(), Config{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
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
