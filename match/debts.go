package match

import (
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	freeGuesses  = 20              // wrong codes that a player, or all players of one address, may try at once
	guessPause   = 3 * time.Second // until one more is allowed
	guessRate    = 20              // wrong codes a second of all players
	searchRate   = 2               // searches a second of all players for matches that do not exist, each read from disk
	rememberMost = 10_000          // of those who owe something, twice; beyond that the oldest are forgotten
	networkTimes = 4               // how many times the limit of a network the next larger one has
)

// account is what is charged for what a player does: the player, or a network of the player's.
type account struct {
	name  string
	times int // how many times the allowance of one it has
}

// allowance is how often something may be done. What was done is owed until it will be forgotten.
type allowance struct {
	free  int           // so much may be done at once
	pause time.Duration // until one more is allowed
}

// by returns the allowance of an account that has several times that of one.
func (a allowance) by(times int) allowance {
	return allowance{a.free * times, a.pause / time.Duration(times)}
}

// next is when it may be done once more.
func (a allowance) next(owed time.Time) time.Time {
	return owed.Add(-time.Duration(a.free-1) * a.pause)
}

// charge is what is owed when it has been done.
func (a allowance) charge(owed, now time.Time) time.Time { return latest(owed, now).Add(a.pause) }

// debts counts what players, and all players of one network, have done lately that is limited: trying wrong codes, so
// that no stranger's table is found by trying all, looking for matches that are not on, and beginning matches, which
// are kept for good. It may be used by several goroutines. The zero value allows everything.
type debts struct {
	allowance allowance

	mu   sync.Mutex
	owed recent[string, time.Time] // when all that was done will be forgotten
}

func newDebts(free int, pause time.Duration) *debts {
	return &debts{allowance: allowance{free, pause}}
}

// allow reports whether none of the accounts has done too much to do it once more.
func (d *debts) allow(now time.Time, who ...account) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.isUnlimited() || !slices.ContainsFunc(who, func(one account) bool {
		return d.allowance.by(one.times).next(d.owed.get(one.name)).After(now)
	})
}

// isFree reports whether an account owes nothing.
func (d *debts) isFree(now time.Time, who account) bool { return d.owes(now, who) == 0 }

// owes returns how often an account did what has not been forgotten; 0 without a limit.
func (d *debts) owes(now time.Time, who account) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	owed := d.owed.get(who.name).Sub(now)
	if owed <= 0 {
		return 0
	}
	pause := d.allowance.by(who.times).pause
	return int((owed + pause - 1) / pause)
}

// left returns how often an account may do it at once, now and when nothing is owed.
func (d *debts) left(now time.Time, who account) (left, all int) {
	all = d.allowance.by(who.times).free
	return all - d.owes(now, who), all
}

// charge counts that it was done.
func (d *debts) charge(now time.Time, who ...account) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.isUnlimited() {
		return
	}
	for _, one := range who {
		d.owed.set(one.name, d.allowance.by(one.times).charge(d.owed.get(one.name), now))
	}
}

func (d *debts) isUnlimited() bool { return d.allowance == allowance{} }

// tries limits what players try in vain. It may be used by several goroutines.
type tries struct {
	debts *debts
	all   *rate.Limiter // of all players together
}

// guessShare is how many times a player's tries an address has, so that a neighbour of a player who has used up the own
// ones finds some left.
const guessShare = 2

// newTries allows all players together so many vain tries a second, and ten seconds' worth at once.
func newTries(perSecond int) *tries {
	return &tries{
		debts: newDebts(freeGuesses, guessPause),
		all:   rate.NewLimiter(rate.Limit(perSecond), 10*perSecond),
	}
}

// allow reports whether a player may try. When all players together have tried too much, only those may who have tried
// nothing, at an address that has tried nothing.
func (t *tries) allow(now time.Time, who []account) bool {
	isNew := t.debts.isFree(now, who[0]) && (len(who) < 2 || t.debts.isFree(now, who[1]))
	return (isNew || t.all.TokensAt(now) >= 1) && t.debts.allow(now, shared(who)...)
}

// charge counts a try.
func (t *tries) charge(now time.Time, who []account) { t.debts.charge(now, shared(who)...) }

// failed counts a try that was in vain.
func (t *tries) failed(now time.Time, who []account) {
	t.charge(now, who)
	t.all.AllowN(now, 1)
}

// shared returns the accounts of a player and of its networks with guessShare times the allowance for these.
func shared(who []account) []account {
	all := slices.Clone(who)
	for i := range all[1:] {
		all[1+i].times *= guessShare
	}
	return all
}
