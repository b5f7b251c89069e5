package match

import (
	"slices"
	"sync"
	"time"
)

const (
	freeGuesses  = 20              // wrong codes that a player, or all players from one place, may try at once
	guessPause   = 3 * time.Second // until one more is allowed
	rememberMost = 10_000          // of those whose wrong codes are counted; when there are more, those who have paused are forgotten
)

// guesses counts the wrong codes of each player and place, so that nobody finds a stranger's table by trying all. It may be used by several
// goroutines; the zero value is ready.
type guesses struct {
	mu    sync.Mutex
	debts map[string]time.Time // when their wrong codes will be forgotten
}

// allow reports whether none of those has tried too many codes to try another.
func (g *guesses) allow(now time.Time, who ...string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !slices.ContainsFunc(who, func(one string) bool { return g.debts[one].Sub(now) > (freeGuesses-1)*guessPause })
}

// wrong counts a code that led nowhere.
func (g *guesses) wrong(now time.Time, who ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.debts == nil {
		g.debts = map[string]time.Time{}
	}
	if len(g.debts) >= rememberMost {
		g.forget(now)
	}
	for _, one := range who {
		g.debts[one] = latest(g.debts[one], now).Add(guessPause)
	}
}

func (g *guesses) forget(now time.Time) {
	for p, until := range g.debts {
		if !until.After(now) {
			delete(g.debts, p)
		}
	}
}
