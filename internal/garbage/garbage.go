// Package garbage sets how much uncollected garbage the server may have.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// percent is GOGC. Nearly all that a session allocates it keeps, and a key leaves less than a kilobyte of garbage:
	// with Go's own 100 percent a session takes 7 KB more, and the collector's share of the processor is small either way.
	percent = 50
	// small is the heap in use, in bytes, up to which GOGC may be smallPercent: a server with few players would collect
	// six times a second during a flood of connections, and its players would wait for that.
	small        = 8 << 20
	smallPercent = 150
)

// Limit sets GOGC to these percentages, unless the variable GOGC is set.
func Limit() {
	if os.Getenv("GOGC") == "" {
		adjust(0)
	}
}

// adjust sets the percentage before the next collection, and is called again after it.
func adjust(before int) {
	now := percent
	if inUse() < small {
		now = smallPercent
	}
	if now != before {
		debug.SetGCPercent(now)
	}
	runtime.AddCleanup(new([2]*byte), adjust, now) // unreachable: the next collection finds it
}

// inUse returns the size of the heap after the last collection, in bytes.
func inUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
