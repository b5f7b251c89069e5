package journal

import (
	"encoding/base32"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/match/journal/natsd"
	"notakto/match/journaltest"
	"notakto/rules"
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

// archivedMatches is for `go test -run xxx -bench Archive -benchtime 1x -archived 1000000 ./match/journal`.
var archivedMatches = flag.Int("archived", 100_000, "how many finished matches BenchmarkArchive is about")

// archiveIn keeps what BenchmarkFill writes.
var archiveIn = flag.String("archive-in", "",
	"data directory that BenchmarkFill writes its matches to; a temporary one if empty")

// BenchmarkFill measures how fast finished matches are written.
func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		dir := *archiveIn
		if dir == "" {
			dir = b.TempDir()
		}
		s := open(b, natsd.Config{Dir: dir, Sync: natsd.Interval})
		fill(b, s, *archivedMatches)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// randomID returns the i-th of some IDs that are spread as drawn ones are.
func randomID(i int) match.ID {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], (uint64(i)+1)*0x9E3779B97F4A7C15)
	return match.ID(strings.ToLower(base32.StdEncoding.EncodeToString(b[:])[:10]))
}

// BenchmarkArchive measures what finished matches cost: memory, the time of a start, the time to find one.
func BenchmarkArchive(b *testing.B) {
	cfg := natsd.Config{Dir: b.TempDir(), Sync: natsd.Interval}
	n := *archivedMatches
	empty := open(b, cfg)
	before := resident()
	fill(b, empty, n)
	if err := empty.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		began := time.Now()
		s, err := Open(b.Context(), cfg, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/start")
		b.ReportMetric((resident()-before)/float64(n), "B/match")
		b.ReportMetric(reading(b, s, n-1_000, n), "ms/read-new")
		b.ReportMetric((resident()-before)/float64(n), "B/match-new-read")
		b.ReportMetric(reading(b, s, 0, n), "ms/read-any")
		b.ReportMetric((resident()-before)/float64(n), "B/match-any-read")
		b.ReportMetric(diskUse(b, cfg.Dir)/float64(n), "disk-B/match")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		_ = os.Remove(filepath.Join(blockDir(cfg.Dir, natsd.ArchiveStream), "index.db"))
		began = time.Now()
		s, err = Open(b.Context(), cfg, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/start-checked")
		b.ReportMetric((resident()-before)/float64(n), "B/match-checked")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkExport measures an export from a server on its own, and from each server of a cluster.
func BenchmarkExport(b *testing.B) {
	export := func(b *testing.B, stores ...*Store) {
		for b.Loop() {
			for i, s := range stores {
				eventually(b, "the archive is known", func() bool { return s.ArchiveEnd() >= uint64(*archivedMatches) })
				began := time.Now()
				if n, err := Export(b.Context(), s, io.Discard, time.Time{}, false); err != nil || n != *archivedMatches {
					b.Fatal(n, err)
				}
				b.ReportMetric(time.Since(began).Seconds(), fmt.Sprintf("s/export%d", i))
			}
		}
		b.ReportMetric(0, "ns/op")
	}
	b.Run("single", func(b *testing.B) {
		s := open(b, natsd.Config{Dir: b.TempDir(), Sync: natsd.Interval})
		fill(b, s, *archivedMatches)
		export(b, s)
	})
	b.Run("cluster", func(b *testing.B) {
		c := startNodes(b, 3)
		fill(b, c.stores[0], *archivedMatches)
		export(b, c.stores...)
	})
}

// reading returns how long it takes to find a match from the first to before the last of those archived.
func reading(b *testing.B, s *Store, first, last int) float64 {
	b.Helper()
	const found = 20
	began := time.Now()
	for i := range found {
		if _, err := s.Load(b.Context(), randomID(first+i*((last-first)/found)), 0); err != nil {
			b.Fatal(err)
		}
	}
	return float64(time.Since(began).Microseconds()) / found / 1e3
}

func fill(b testing.TB, s *Store, n int) {
	b.Helper()
	for i := range n {
		r := codec.Record{ID: randomID(i), Events: finished(i)}
		body, err := codec.EncodeRecord(r)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.node.JetStream.PublishAsync(bucket(r.ID), body); err != nil {
			b.Fatal(err)
		}
		if i%1000 == 999 {
			<-s.node.JetStream.PublishAsyncComplete()
		}
	}
	<-s.node.JetStream.PublishAsyncComplete()
	if got := count(b, s, natsd.ArchiveStream); got != uint64(n) {
		b.Fatalf("the archive holds %d records", got)
	}
}

// finished returns the events of the i-th match, between two of 2,000 players.
func finished(i int) []match.Event {
	id, variant := randomID(i), rules.DefaultVariant()
	player := func(n int) match.Player {
		return match.Player{ID: match.PlayerID(fmt.Sprintf("account%09d", n)), Name: fmt.Sprint("player", n)}
	}
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: variant}},
		{Kind: match.Seated, Seat: rules.First, Player: player(i % 1000)},
		{Kind: match.Seated, Seat: rules.Second, Player: player(1000 + i*7%1000)},
	}
	for n, cell := range [...]rules.Cell{5, 5, 1, 3, 2, 8, 9, 4} {
		m := rules.Move{Board: uint8(n % 3), Cell: cell}
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(1 + n%2), Move: m})
	}
	events = append(events, match.Event{Kind: match.Resigned, Seat: rules.First})
	for n := range events {
		events[n].Match, events[n].Seq = id, uint64(n+1)
		events[n].At = time.UnixMilli(1_700_000_000_000 + int64(i)*60_000 + int64(n)*3_137)
	}
	return events
}

// resident returns the memory that the process holds once it has tidied up, as the system counts it.
func resident() float64 {
	runtime.GC()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(status))[1])
	return float64(pages * os.Getpagesize())
}

func diskUse(b *testing.B, dir string) (sum float64) {
	b.Helper()
	err := filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			sum += float64(info.Size())
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return sum
}

// BenchmarkLive measures what live matches cost: memory, and the time of a start.
func BenchmarkLive(b *testing.B) {
	cfg := natsd.Config{Dir: b.TempDir(), Sync: natsd.Interval}
	const n = 5000
	s := open(b, cfg)
	before := resident()
	for i := range n {
		for _, e := range journaltest.Played(randomID(i)) {
			if _, err := s.Append(b.Context(), e); err != nil {
				b.Fatal(err)
			}
		}
	}
	live := (resident() - before) / n
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.ReportMetric(live, "B/match")
		began := time.Now()
		s, err := Open(b.Context(), cfg, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/start")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStart measures a start with an empty directory, and the memory that the embedded server takes.
func BenchmarkStart(b *testing.B) {
	before := resident()
	for b.Loop() {
		s := open(b, natsd.Config{Dir: b.TempDir()})
		b.StopTimer()
		b.ReportMetric((resident()-before)/(1<<20), "MB")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkQueue measures changes of the registry by as many writers as players seek at once: of an entry of their own,
// as tickets are, and of one entry that holds the whole queue, where a change that came second is made again.
func BenchmarkQueue(b *testing.B) {
	one, three := open(b, natsd.Config{Dir: b.TempDir(), Sync: natsd.Interval}), startNodes(b, 3)
	for name, stores := range map[string][]*Store{"one": {one}, "three": three.stores} {
		for _, writers := range []int{3, 24} {
			for _, key := range []string{"own", "shared"} {
				b.Run(fmt.Sprintf("nodes=%s/writers=%d/entry=%s", name, writers, key), func(b *testing.B) {
					benchmarkQueue(b, stores, writers, key == "shared")
				})
			}
		}
	}
}

func benchmarkQueue(b *testing.B, stores []*Store, writers int, isShared bool) {
	var next, refused atomic.Int64
	text := make([]byte, 2000)
	var all sync.WaitGroup
	b.ResetTimer()
	for w := range writers {
		all.Go(func() {
			s, key := stores[w%len(stores)], "queue."+strconv.Itoa(w)
			if isShared {
				key = "queue.all"
			}
			for next.Add(1) <= int64(b.N) {
				for {
					_, err := s.Put(b.Context(), match.Entry{Key: key, Text: text, Revision: s.registry.entry(key).Revision})
					if err == nil {
						break
					}
					if !errors.Is(err, match.ErrConflict) {
						b.Error(err)
						return
					}
					refused.Add(1)
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
	b.ReportMetric(float64(refused.Load())/float64(b.N), "refused/change")
	b.ReportMetric(0, "ns/op")
}
