package admin

import (
	"testing"
	"time"
)

func TestDurationsMayHaveDays(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2s": 2 * time.Second, "7d": 168 * time.Hour, "1d12h": 36 * time.Hour, "0d1ms": time.Millisecond,
		"36500d": 36500 * 24 * time.Hour,
		"":       0, "d": 0, "0d": 0, "0s": 0, "-1h": 0, "-1d": 0, "1d-1h": 0, "36501d": 0,
		"65536d": 0, "36500d1s": 0, "1.5d": 0,
		"1w": 0, "1h1d": 0, "5": 0, "99999999h": 0,
	} {
		var d duration
		if err := d.Set(text); (err == nil) != (want > 0) || time.Duration(d) != want {
			t.Errorf("%q is %v, %v", text, time.Duration(d), err)
		}
	}
}
