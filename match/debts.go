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

// allowance is how often something may be done. What was done is owed until it will be forgotten.
type allowance struct {
	free  int           // so much may be done at once
	pause time.Duration // until one more is allowed
}

// next is when it may be done once more.
func (a allowance) next(owed time.Time) time.Time {
	return owed.Add(-time.Duration(a.free-1) * a.pause)
}

// charge is what is owed when it has been done.
func (a allowance) charge(owed, now time.Time) time.Time { return latest(owed, now).Add(a.pause) }

// debts counts what each player, and all from one place, have done lately that nobody may do too often: try wrong codes, so that nobody finds
// a stranger's table by trying all, look for matches that are not on, and begin matches, which are kept for good. It may be used by several
// goroutines. The zero value allows everything.
type debts struct {
	allowance allowance

	mu   sync.Mutex
	owed map[string]time.Time // when all that was done will be forgotten
}

func newDebts(free int, pause time.Duration) *debts {
	return &debts{allowance: allowance{free, pause}, owed: make(map[string]time.Time)}
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
	return d.owed == nil || !slices.ContainsFunc(who, func(one string) bool { return d.allowance.next(d.owed[one]).After(now) })
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
		d.owed[one] = d.allowance.charge(d.owed[one], now)
	}
}

func (d *debts) forget(now time.Time) {
	for one, until := range d.owed {
		if !until.After(now) {
			delete(d.owed, one)
		}
	}
}
