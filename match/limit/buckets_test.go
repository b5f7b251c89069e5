package limit

import (
	"strconv"
	"testing"
	"time"
)

// The memory of many accounts was scanned for each of them, and had no bound.
func TestBucketsAreBounded(t *testing.T) {
	for name, interval := range map[string]time.Duration{"in use": time.Hour, "full again": time.Nanosecond} {
		b, now := NewBuckets(1, interval), time.Now()
		for i := range 2 * MaxRemembered {
			now = now.Add(time.Microsecond)
			b.charge(now, Account{strconv.Itoa(i), 1})
		}
		if n := len(b.byName); n > MaxRemembered || name == "in use" && n < MaxRemembered {
			t.Errorf("%s: %d are remembered", name, n)
		}
		if name == "in use" && b.allows(now, []Account{{strconv.Itoa(2*MaxRemembered - 1), 1}}) {
			t.Error("the latest is forgotten")
		}
	}
}

// A use that a large network refuses costs the smaller ones nothing.
func TestARefusedUseCostsNothing(t *testing.T) {
	b, now := NewBuckets(1, time.Hour), time.Now()
	b.charge(now, Account{"large", 1})
	_, ok := b.reserve(now, 1, time.Minute, []Account{{"small", 1}, {"large", 1}})
	if used := b.used(now, Account{"small", 1}); ok || used != 0 {
		t.Errorf("taken: %v, of the small one %d are used", ok, used)
	}
}
