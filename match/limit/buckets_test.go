package limit

import (
	"strconv"
	"testing"
	"time"
)

func TestBucketsAreBounded(t *testing.T) {
	for name, interval := range map[string]time.Duration{"in use": time.Hour, "full again": time.Nanosecond} {
		b, now := NewBuckets(1, interval), time.Now()
		for i := range 2 * MaxRemembered {
			now = now.Add(time.Microsecond)
			b.charge(now, Payer{strconv.Itoa(i), 1})
		}
		if n := len(b.byName); n > MaxRemembered || name == "in use" && n < MaxRemembered {
			t.Errorf("%s: %d are remembered", name, n)
		}
		if name == "in use" && b.allows(now, []Payer{{strconv.Itoa(2*MaxRemembered - 1), 1}}) {
			t.Error("the latest is forgotten")
		}
	}
}

func TestARefusedUseCostsNothing(t *testing.T) {
	b, now := NewBuckets(1, time.Hour), time.Now()
	b.charge(now, Payer{"large", 1})
	_, ok := b.reserve(now, 1, time.Minute, []Payer{{"small", 1}, {"large", 1}})
	if used, _ := b.usage(now, Payer{"small", 1}); ok || used != 0 {
		t.Errorf("taken: %v, of the small one %d are used", ok, used)
	}
}
