package limit

import (
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// FreeTries is how many wrong codes, or vain lookups, a player may try at once. An address has AddressShare times as
	// many.
	FreeTries = 20
	// TryInterval is until one more is allowed.
	TryInterval = 3 * time.Second
	// AddressShare is how many times a player's tries an address has, so that a neighbour of a player who has used up
	// the own ones finds some left.
	AddressShare = 2
	// CodeRate is how many wrong codes a second all players together may try.
	CodeRate = 20
	// LookupRate is how many matches a second that do not exist all players together may look for: each is a search of
	// the archive.
	LookupRate = 2
	// NetworkFactor is how many times the limit of a network the next larger one has.
	NetworkFactor = 4
	// MaxRemembered is how many keys a [Recent] holds at least.
	MaxRemembered = 10_000
)

// Account is what is charged for what a player does: the player, or a network of the player's.
type Account struct {
	Name  string
	Times int // how many times the rate of one it has
}

// Rate is how often something may be done. All that is remembered of it is the time at which none of it will count any
// more, as in the generic cell rate algorithm.
type Rate struct {
	Burst    int           // so much may be done at once
	Interval time.Duration // until one more is allowed
}

// times returns the rate of an account that has several times that of one.
func (r Rate) times(times int) Rate {
	return Rate{r.Burst * times, r.Interval / time.Duration(times)}
}

// NextAt is when it may be done once more, for one that is free of all at a time.
func (r Rate) NextAt(freeAt time.Time) time.Time {
	return freeAt.Add(-time.Duration(r.Burst-1) * r.Interval)
}

// Charge is when one is free of all that was done, once it was done again now.
func (r Rate) Charge(freeAt, now time.Time) time.Time {
	if freeAt.Before(now) {
		freeAt = now
	}
	return freeAt.Add(r.Interval)
}

// Limiter limits how often each account does something. It may be used by several goroutines. The zero value allows
// everything.
type Limiter struct {
	rate Rate

	mu     sync.Mutex
	freeAt Recent[string, time.Time] // when what an account did will not count any more
}

func newLimiter(burst int, interval time.Duration) *Limiter {
	return &Limiter{rate: Rate{burst, interval}}
}

// allows reports whether none of the accounts has done too much to do it once more. It charges nothing.
func (l *Limiter) allows(now time.Time, who ...Account) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isUnlimited() || !slices.ContainsFunc(who, func(a Account) bool {
		return l.rate.times(a.Times).NextAt(l.freeAt.Get(a.Name)).After(now)
	})
}

// used returns how often an account did what still counts; 0 without a limit.
func (l *Limiter) used(now time.Time, who Account) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := l.freeAt.Get(who.Name).Sub(now)
	if counts <= 0 {
		return 0
	}
	interval := l.rate.times(who.Times).Interval
	return int((counts + interval - 1) / interval)
}

// left returns how often an account may do it at once, now and when nothing counts.
func (l *Limiter) left(now time.Time, who Account) (left, all int) {
	all = l.rate.times(who.Times).Burst
	return all - l.used(now, who), all
}

// charge counts that it was done.
func (l *Limiter) charge(now time.Time, who ...Account) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isUnlimited() {
		return
	}
	for _, a := range who {
		l.freeAt.Set(a.Name, l.rate.times(a.Times).Charge(l.freeAt.Get(a.Name), now))
	}
}

func (l *Limiter) isUnlimited() bool { return l.rate == Rate{} }

// Attempts limits what players try in vain. It may be used by several goroutines.
type Attempts struct {
	accounts *Limiter
	all      *rate.Limiter // of all players together
}

// NewAttempts allows all players together so many vain attempts a second, and ten seconds' worth at once.
func NewAttempts(perSecond int) *Attempts {
	return &Attempts{
		accounts: newLimiter(FreeTries, TryInterval),
		all:      rate.NewLimiter(rate.Limit(perSecond), 10*perSecond),
	}
}

// Allows reports whether a player, the first of the accounts, may try. When all players together have tried too much,
// only those may who have tried nothing, at an address that has tried nothing. It charges nothing.
func (t *Attempts) Allows(now time.Time, who []Account) bool {
	isNew := t.accounts.used(now, who[0]) == 0 && (len(who) < 2 || t.accounts.used(now, who[1]) == 0)
	return (isNew || t.all.TokensAt(now) >= 1) && t.accounts.allows(now, widened(who)...)
}

// Charge counts an attempt for the accounts.
func (t *Attempts) Charge(now time.Time, who []Account) { t.accounts.charge(now, widened(who)...) }

// ChargeAll counts an attempt for all players together.
func (t *Attempts) ChargeAll(now time.Time) { t.all.AllowN(now, 1) }

// widened returns the accounts of a player and of its networks with AddressShare times the rate for these.
func widened(who []Account) []Account {
	all := slices.Clone(who)
	for i := range all[1:] {
		all[1+i].Times *= AddressShare
	}
	return all
}
