package history_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

// benchmarkMatches is for `go test ./match/history -run '^$' -bench Page -benchtime 10000x -matches 100000`.
var benchmarkMatches = flag.Int("matches", 10_000, "how many matches BenchmarkPage has")

// BenchmarkPage measures how long sessions wait for a page of a player's matches, and for one of the ladder: a thousand
// sessions ask a thousand times a second, while matches are added.
func BenchmarkPage(b *testing.B) {
	r := season(b, 40, 50)
	r = r[:min(len(r), *benchmarkMatches)]
	for i := len(r); i < *benchmarkMatches; i++ {
		m := r[i%len(r)]
		m.ID, m.Position = match.ID(fmt.Sprint("more", i)), uint64(i+1)
		m.Events = slices.Clone(m.Events)
		for k := range m.Events {
			m.Events[k].Match = m.ID
		}
		m.Events[0].Pair, m.Events[0].Terms = match.PairGame{}, match.Terms{Variant: rules.DefaultVariant()}
		m.Events[3].Move = rules.Move{Cell: 5}
		r = append(r, m)
	}
	growing := &growing{record: r}
	s, err := history.Start(history.Config{Path: filepath.Join(b.TempDir(), "history.db")}, growing)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	<-s.Current()
	for name, ask := range map[string]func(n int) error{
		"history": func(n int) error {
			_, err := s.List(b.Context(), match.PlayerID(fmt.Sprint("p", n%40)), uint64(len(r)-n%len(r)/2), 20, true)
			return err
		},
		"standing": func(n int) error {
			_, err := s.Standing(b.Context(), match.PeoplePool, match.PlayerID(fmt.Sprint("p", n%40)))
			return err
		},
		"ladder": func(n int) error {
			if len(s.Ladder(match.PeoplePool, n%20, 20)) == 0 {
				return context.Canceled
			}
			return nil
		},
	} {
		b.Run(name, func(b *testing.B) { pages(b, ask) })
	}
}

// growing is an archive to which a match is added every 50 ms.
type growing struct{ record }

func (g *growing) ReadArchive(ctx context.Context, after uint64, fn func(match.ArchivedMatch) error) error {
	for _, m := range g.record[after:] {
		if err := fn(m); err != nil {
			return err
		}
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for n := len(g.record); ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		m := g.record[n%len(g.record)]
		m.ID, m.Position = match.ID(fmt.Sprint("live", n)), uint64(n+1)
		m.Events = slices.Clone(m.Events)
		for k := range m.Events {
			m.Events[k].Match = m.ID
		}
		if err := fn(m); err != nil {
			return err
		}
	}
}

// pages asks b.N times, by a thousand goroutines, a thousand times a second.
func pages(b *testing.B, ask func(n int) error) {
	var mu sync.Mutex
	var took []time.Duration
	due := make(chan int)
	var sessions sync.WaitGroup
	for range 1000 {
		sessions.Go(func() {
			for n := range due {
				began := time.Now()
				if err := ask(n); err != nil {
					b.Error(err)
				}
				d := time.Since(began)
				mu.Lock()
				took = append(took, d)
				mu.Unlock()
			}
		})
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for n := range b.N {
		<-tick.C
		due <- n
	}
	close(due)
	sessions.Wait()
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
	b.ReportMetric(float64(took[len(took)-1].Microseconds()), "µs/max")
}
