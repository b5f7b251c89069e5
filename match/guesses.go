package match

import (
	"sync"
	"time"
)

const (
	freeGuesses  = 20              // wrong codes that a player may try at once
	guessPause   = 3 * time.Second // until one more is allowed
	rememberMost = 10_000          // players whose wrong codes are counted; when there are more, those who have paused are forgotten
)

// guesses counts the wrong codes of each player, so that nobody finds a stranger's table by trying them all. It may be used by several
// goroutines; the zero value is ready.
type guesses struct {
	mu    sync.Mutex
	debts map[PlayerID]time.Time // when the player's wrong codes will be forgotten
}

// allow reports whether a player may try a code.
func (g *guesses) allow(p PlayerID, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.debts[p].Sub(now) <= (freeGuesses-1)*guessPause
}

// wrong counts a code that led nowhere.
func (g *guesses) wrong(p PlayerID, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.debts == nil {
		g.debts = map[PlayerID]time.Time{}
	}
	if len(g.debts) >= rememberMost {
		g.forget(now)
	}
	g.debts[p] = latest(g.debts[p], now).Add(guessPause)
}

func (g *guesses) forget(now time.Time) {
	for p, until := range g.debts {
		if !until.After(now) {
			delete(g.debts, p)
		}
	}
}
