package garbage

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// A server with few players collected six times a second while connections came in by the thousand, and its players
// waited for that. One with many is to keep to its half.
func TestGarbageIsLimitedByWhatIsInUse(t *testing.T) {
	t.Setenv("GOGC", "")
	Limit()
	awaits(t, smallPercent)
	many := make([][]byte, 0, 1000)
	for range 1000 {
		many = append(many, make([]byte, 32<<10))
	}
	awaits(t, percent)
	runtime.KeepAlive(many)
	awaits(t, smallPercent)
}

func TestAnExplicitSettingIsKept(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	t.Setenv("GOGC", "70")
	Limit()
	if now := limit(); now != 70 {
		t.Errorf("the limit is %d %%", now)
	}
}

// awaits collects until the limit is so many percent: what adjusts it runs beside.
func awaits(t *testing.T, want int) {
	t.Helper()
	for range 1000 {
		runtime.GC()
		if limit() == want {
			return
		}
	}
	t.Errorf("the limit is %d %%, want %d", limit(), want)
}

func limit() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}
