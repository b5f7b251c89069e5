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

// A clock that was set by an hour, while a player had gone for a moment, had the player lose at once; or their opponent wait for that hour.
func TestAClockThatIsSetMakesNoDifference(t *testing.T) {
	for name, set := range map[string]time.Duration{"ahead": time.Hour, "behind": -time.Hour} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { setTheClock(t, set) }) })
	}
}

func setTheClock(t *testing.T, by time.Duration) {
	var ahead time.Duration
	own := newSteady(func() time.Time { return time.Now().Add(ahead) })
	c := &clock{own: own}
	gone := c.read(own.wall())
	<-time.After(10 * time.Second)
	inFlight := own.wall()
	<-time.After(2 * time.Millisecond)
	ahead = by
	if age := c.now(time.Time{}).Sub(c.read(inFlight)); age != 2*time.Millisecond {
		t.Errorf("a message that was stamped 2 ms ago, before the leap, seems to be %v old", age)
	}
	<-time.After(10*time.Second - 2*time.Millisecond)
	if since := c.now(time.Time{}).Sub(gone); since != 20*time.Second {
		t.Errorf("a player who went 20 s ago seems to have been away for %v", since)
	}
	stamp := own.wall()
	<-time.After(2 * time.Millisecond)
	if age := c.now(time.Time{}).Sub(c.read(stamp)); age != 2*time.Millisecond {
		t.Errorf("a message of now seems to be %v old", age)
	}
}

// What was recorded while the clock was ahead is as of now, not of an hour later.
func TestNothingWasStampedInTheFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &clock{own: newSteady(nil)}
		if at, now := c.read(time.Now().Add(time.Hour)), c.now(time.Time{}); !at.Equal(now) {
			t.Errorf("a stamp of in an hour is read as %v, now is %v", at, now)
		}
		if early := time.Now().Add(-time.Hour); !c.read(early).Equal(early) {
			t.Errorf("a stamp of %v is read as %v", early, c.read(early))
		}
	})
}
