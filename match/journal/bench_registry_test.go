package journal

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"notakto/match"
	"notakto/match/journal/natsd"
)

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
