// Package garbage limits the uncollected garbage of the server. Function [Limit] sets GOGC to more than Go's default
// while the heap is small beside the memory of the machine, else to less. Main functions call Limit once, at the
// start. The package starts no goroutine. A cleanup that the runtime runs after each collection sets GOGC for the next
// one.
package garbage

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
)

const (
	// roomyPercent is GOGC while there is room. On two cores the collector has no thread of its own, so players wait
	// for it: with 9,500 sessions and GOGC at 50, one key in a hundred took more than 100 ms.
	roomyPercent = 200
	tightPercent = 50
	// roomyShare is the share of the memory below which a heap after a collection has room. With roomyPercent a heap
	// grows to three times its size before the next collection, and stacks take as much again.
	roomyShare = 8
	// fewBytes is the assumed memory of a machine whose system does not report it.
	fewBytes = 64 << 20
)

// Limit sets GOGC now and after each collection. With the environment variable GOGC, Limit changes no setting.
func Limit() {
	if os.Getenv("GOGC") == "" {
		adjust(setting{roomy: memory("/") / roomyShare})
	}
}

// setting is the present GOGC, 0 if unknown, and the size in bytes of a heap with room.
type setting struct {
	percent int
	roomy   uint64
}

// adjust sets GOGC for the next collection and runs again after it.
func adjust(s setting) {
	now := tightPercent
	if inUse() < s.roomy {
		now = roomyPercent
	}
	if now != s.percent {
		debug.SetGCPercent(now)
	}
	s.percent = now
	// The next collection frees this unreachable value. A type without pointers might share a block with other values.
	runtime.AddCleanup(new([2]*byte), adjust, s)
}

// inUse returns the bytes that were in use after the last collection.
func inUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// memory returns the memory that the process may use, in bytes: that of the machine, or less if its control groups say
// so. Outside Linux it returns fewBytes. Only tests set root to another directory than /.
func memory(root string) uint64 {
	total, _ := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	_, total, _ = bytes.Cut(total, []byte("MemTotal:"))
	fields := bytes.Fields(total)
	if len(fields) == 0 {
		return fewBytes
	}
	kb, err := strconv.ParseUint(string(fields[0]), 10, 64)
	if err != nil || kb > math.MaxUint64>>10 {
		return fewBytes
	}
	least := kb << 10
	own, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	_, path, _ := bytes.Cut(bytes.TrimSpace(own), []byte("0::"))
	groups := filepath.Join(root, "sys/fs/cgroup")
	for group := filepath.Join(groups, string(path)); ; group = filepath.Dir(group) {
		text, _ := os.ReadFile(filepath.Join(group, "memory.max"))
		if limit, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64); err == nil {
			least = min(least, limit)
		}
		if len(group) <= len(groups) {
			return least
		}
	}
}
