package garbage

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// A server with few players collected six times a second during thousands of new connections, and its players waited
// for that. One with many players keeps the limit of a half.
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

// awaits collects until the limit is want percent: it is adjusted concurrently.
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
