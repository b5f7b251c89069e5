package garbage

import (
	"runtime"
	"testing"
)

// A server with few players collected six times a second while connections came in by the thousand, and its players waited for that.
func TestThereIsAlwaysRoomForSomeGarbage(t *testing.T) {
	t.Setenv("GOGC", "")
	end := Limit()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if room := memory.NextGC - memory.HeapAlloc; memory.NextGC < memory.HeapAlloc || room < 6<<20 {
		t.Errorf("there is room for %d bytes", room)
	}
	end()
}
