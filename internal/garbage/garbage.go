// Package garbage says how much of it the server lets lie about.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// percent of what is in use may be garbage. Nearly all that a session takes it keeps, and a key leaves less than a
	// kilobyte behind: with Go's own 100 percent a session takes 7 KB more, and the collector's share of the processor
	// is small either way.
	percent = 50
	// small is the heap in use, in bytes, up to which it may be smallPercent: a server with few players would collect
	// six times a second while somebody floods it with connections, and its players would wait for that.
	small        = 8 << 20
	smallPercent = 150
)

// Limit has the process collect its garbage that often, unless GOGC says how often.
func Limit() {
	if os.Getenv("GOGC") == "" {
		adjust(0)
	}
}

// adjust takes what the percentage was, and is called again after each collection.
func adjust(before int) {
	now := percent
	if inUse() < small {
		now = smallPercent
	}
	if now != before {
		debug.SetGCPercent(now)
	}
	runtime.AddCleanup(new([2]*byte), adjust, now) // which nobody refers to: the next collection finds it
}

// inUse returns what the last collection left of the heap, in bytes.
func inUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
