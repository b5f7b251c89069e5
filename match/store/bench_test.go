package store

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
)

// left returns a Left event.
func left(id match.ID, seq uint64) match.Event {
	return match.Event{Match: id, Seq: seq, Kind: match.Left, Seat: rules.First}
}

// BenchmarkAppend measures the time of Append. Append returns once the event is on the disk and delivered.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 8, 64, 500} {
		b.Run("sqlite/"+strconv.Itoa(writers), func(b *testing.B) {
			benchmarkAppend(b, writers, openIn(b, b.TempDir()))
		})
	}
}

var archive = flag.String("archive", "", "directory in which BenchmarkArchive leaves its database, as after a kill")

// BenchmarkArchive measures queries and starts with a million finished matches of 2,000 players, and 1,000 in
// progress. One start follows a killed process.
func BenchmarkArchive(b *testing.B) {
	c := Config{Dir: b.TempDir()}
	if *archive != "" {
		c.Dir = *archive
	}
	s, err := Open(b.Context(), c)
	ok(b, err)
	fill(b, s, 1_000_000)
	if *archive == "" {
		benchmarkQueries(b, s)
	}
	for i := range 300 { // filling has left a log that play does not
		mustAppend(b, s, match.ID(fmt.Sprint("after", i)), 1, 4)
	}
	if *archive != "" {
		return
	}
	wal := filepath.Join(c.Dir, FileName+"-wal")
	left, err := os.ReadFile(wal)
	ok(b, errors.Join(err, s.Close()))
	b.Run("start", func(b *testing.B) { benchmarkStart(b, c, func() error { return nil }) })
	b.Run("start-after-kill", func(b *testing.B) {
		benchmarkStart(b, c, func() error { return os.WriteFile(wal, left, 0o600) })
		b.ReportMetric(float64(len(left))/1e6, "WAL-MB")
	})
}

// benchmarkStart measures a start after prepare.
func benchmarkStart(b *testing.B, c Config, prepare func() error) {
	for range b.N {
		b.StopTimer()
		ok(b, prepare())
		b.StartTimer()
		s, err := Open(b.Context(), c)
		b.StopTimer()
		ok(b, err)
		ok(b, s.Close())
	}
}

func benchmarkQueries(b *testing.B, s *Store) {
	ctx := b.Context()
	for name, query := range map[string]func(i int) error{
		"history": func(i int) error {
			_, err := s.History().List(ctx, match.PlayerID(fmt.Sprint("p", i%2_000)), 0, history.MaxPage, true)
			return err
		},
		"totals": func(i int) error {
			_, err := s.History().Totals(ctx, match.PlayerID(fmt.Sprint("p", i%2_000)))
			return err
		},
		"rated-pairs": func(i int) error {
			p := match.PlayerID(fmt.Sprint("p", i%2_000))
			_, err := s.History().RatedPairs(ctx, match.PeoplePool, p, history.RatedPair{}, history.MaxPage)
			return err
		},
		"ladder": func(int) error {
			if page := s.History().Ladder(match.PeoplePool, 0, 200); len(page) != 200 {
				return fmt.Errorf("%d players", len(page))
			}
			return nil
		},
		"match": func(i int) error {
			_, err := s.Load(ctx, match.ID(fmt.Sprint("m", 1+i*7919%1_000_000)), 0)
			return err
		},
		"unknown-match": func(i int) error {
			if _, err := s.Load(ctx, match.ID(fmt.Sprint("none", i)), 0); !errors.Is(err, match.ErrNoSuchMatch) {
				return fmt.Errorf("found: %w", err)
			}
			return nil
		},
	} {
		b.Run(name, func(b *testing.B) {
			var longest time.Duration
			for i := range b.N {
				began := time.Now()
				ok(b, query(i))
				longest = max(longest, time.Since(began))
			}
			b.ReportMetric(float64(longest.Microseconds())/1e3, "max-ms")
		})
	}
}

// fill writes 1,000 matches in progress, and finished matches of 2,000 players with their history. Every second
// finished match ends a rated pair.
func fill(b testing.TB, s *Store, finished int) {
	b.Helper()
	for i := range 1_000 {
		mustAppend(b, s, match.ID(fmt.Sprint("live", i)), 1, 4)
	}
	model := play(b, "model", match.QueueOrigin, person("p0"), person("p1"), "notakto/3: A5 B5 C5 A1 B1 C1",
		rules.First)
	ok(b, errOf(s.Append(b.Context(), model...)))
	ok(b, s.Archive(b.Context(), "model"))
	const base, page = 10_000, 50_000
	for first := 1; first <= finished; first += page {
		last := min(finished, first+page-1)
		err := s.doFirst(b.Context(), func(g *group, flush func() error) error {
			add := func(to, text string, first, last int) {
				g.batch.add(statement(fmt.Sprintf(`INSERT INTO %s WITH RECURSIVE
					n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d),
					m AS (SELECT i, %d + 2 * i AS ended, 'p' || (i %% 2000) AS one,
					'p' || ((i + 1 + i / 2000 * 13 %% 1999) %% 2000) AS two FROM n) %s`, to, first, last, base, text)))
			}
			if first == 1 {
				add("rating", fmt.Sprintf(`SELECT 1, one, one, 1200000 + i * 300, 60000, 60000, 500, 200, 100, 200,
					%d, i FROM m`, g.clock), 0, 1_999)
				add("player", `SELECT one, 1000, 500, 500, 400, 300 FROM m WHERE true
					ON CONFLICT (player) DO NOTHING`, 0, 1_999)
			}
			add("archive", fmt.Sprintf(`SELECT ended + 1, 'm' || i, 20, %d, 
				(SELECT body FROM archive WHERE match = 'model') FROM m`, g.clock), first, last)
			add("finished", fmt.Sprintf(`SELECT ended, 'm' || i, 'notakto/3', 'none', 0, one, one, two, two, 1,
				'resign', 7, %d, i %% 2 FROM m`, g.clock), first, last)
			add("played", `SELECT one, ended, 1 FROM m UNION ALL SELECT two, ended, 2 FROM m`, first, last)
			for _, players := range []string{"one, two", "two, one"} {
				add("pairing", `SELECT `+players+`, 1, 1, 0 FROM m WHERE true
					ON CONFLICT (player, opponent) DO NOTHING`, first, last)
			}
			for _, players := range []string{"one, ended, two", "two, ended, one"} {
				add("rated", `SELECT 1, `+players+`, 1, 1, 1500000, 80000, 1500000, 80000, 1 FROM m WHERE i % 2 = 1`,
					first, last)
			}
			add("meeting", `SELECT 1, one, two, i / 2000, 1 FROM m WHERE i % 2 = 1`, first, last)
			g.position = base + 2*int64(last) + 1
			return flush()
		})
		ok(b, err)
	}
	err := s.read(b.Context(), func(db querier) error { return s.history.ladders.read(b.Context(), db) })
	ok(b, err)
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
