package match

import (
	"slices"
	"sync"
	"time"
)

const (
	freeGuesses  = 20              // wrong codes that a player, or all players from one place, may try at once
	guessPause   = 3 * time.Second // until one more is allowed
	freeMinutes  = 5               // of matches may be begun at once
	rememberMost = 10_000          // of those who owe something; when there are more, those who have paused are forgotten
)

// debts counts what each player, and all from one place, have done lately that nobody may do too often: try wrong codes, so that nobody finds
// a stranger's table by trying all, and begin matches, which are kept for good. It may be used by several goroutines. The zero value allows
// everything.
type debts struct {
	free  int           // so much may be done at once
	pause time.Duration // until one more is allowed

	mu   sync.Mutex
	owed map[string]time.Time // when all that was done will be forgotten
}

func newDebts(free int, pause time.Duration) *debts {
	return &debts{free: free, pause: pause, owed: make(map[string]time.Time)}
}

// newPace is for so many a minute; 0 is without a limit.
func newPace(perMinute int) *debts {
	if perMinute == 0 {
		return &debts{}
	}
	return newDebts(freeMinutes*perMinute, time.Minute/time.Duration(perMinute))
}

// allow reports whether none of those has done too much to do it once more.
func (d *debts) allow(now time.Time, who ...string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.owed == nil || !slices.ContainsFunc(who, func(one string) bool { return d.owed[one].Sub(now) > time.Duration(d.free-1)*d.pause })
}

// charge counts that it was done.
func (d *debts) charge(now time.Time, who ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.owed == nil {
		return
	}
	if len(d.owed) >= rememberMost {
		d.forget(now)
	}
	for _, one := range who {
		d.owed[one] = latest(d.owed[one], now).Add(d.pause)
	}
}

func (d *debts) forget(now time.Time) {
	for one, until := range d.owed {
		if !until.After(now) {
			delete(d.owed, one)
		}
	}
}
