package journal

import (
	"testing"
	"testing/synctest"
	"time"
)

// A node whose own clock is wrong decides by the log's.
func TestTheLogsClockIsTold(t *testing.T) {
	for name, wrong := range map[string]time.Duration{"ahead": -time.Hour, "behind": time.Hour} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { tellTheLogsTime(t, wrong) }) })
	}
}

func tellTheLogsTime(t *testing.T, wrong time.Duration) {
	c := &clock{}
	if now := c.now(time.Time{}); !now.Equal(time.Now()) {
		t.Errorf("without a stamp it is %v, not %v", now, time.Now())
	}
	began := time.Now()
	<-time.After(40 * time.Millisecond)
	log := began.Add(wrong) // when the log stamped the message, by its own clock
	c.sample(began, log)
	<-time.After(time.Minute)
	if now, want := c.now(log), log.Add(time.Minute+20*time.Millisecond); !now.Equal(want) {
		t.Errorf("it is %v, by the log %v", now, want)
	}
}

// A sample that took long says little, and what was recorded is never in the future.
func TestTheLogsClockIsNotMisled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &clock{}
		c.sample(time.Now(), time.Now().Add(time.Hour))
		slow := time.Now()
		<-time.After(2 * time.Second)
		c.sample(slow, slow.Add(-time.Hour))
		if now, want := c.now(time.Time{}), slow.Add(time.Hour+2*time.Second); !now.Equal(want) {
			t.Errorf("it is %v, by the first sample %v", now, want)
		}
		if newest := time.Now().Add(2 * time.Hour); !c.now(newest).Equal(newest) {
			t.Errorf("it is before %v", newest)
		}
	})
}
