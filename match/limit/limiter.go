package limit

import (
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"notakto/match"
)

const (
	// FreeTries is how many wrong codes, or failed lookups, a player may try at once. An address may try AddressShare
	// times as many.
	FreeTries = 20
	// TryInterval is the time until one more try is allowed.
	TryInterval = 3 * time.Second
	// AddressShare is the ratio of an address's tries to a player's, so that a player who has used up their own tries
	// leaves some to others at the address.
	AddressShare = 2
	// CodeRate is how many wrong codes a second all players together may try.
	CodeRate = 20
	// LookupRate is how many failed lookups a second all players together may make: each searches the archive.
	LookupRate = 2
	// NetworkFactor is the ratio of a network's limit to that of the next smaller one.
	NetworkFactor = 4
	// MaxRemembered is how many keys a [Recent] holds at least.
	MaxRemembered = 10_000
)

// Account is charged for what a player does: the player, or a network of the player.
type Account struct {
	Name  string
	Times int // multiple of the rate that the account has
}

// Rate is how often something may be done. Of an account only one time is stored, as in the generic cell rate
// algorithm: when nothing it did counts any more.
type Rate struct {
	Burst    int           // how many at once
	Interval time.Duration // the time until one more is allowed
}

// times returns the rate multiplied for an account.
func (r Rate) times(times int) Rate {
	return Rate{r.Burst * times, r.Interval / time.Duration(times)}
}

// NextAt returns when one more is allowed, given the time at which nothing counts any more.
func (r Rate) NextAt(freeAt time.Time) time.Time {
	return freeAt.Add(-time.Duration(r.Burst-1) * r.Interval)
}

// Charge returns the time at which nothing counts any more after one more at now.
func (r Rate) Charge(freeAt, now time.Time) time.Time {
	if freeAt.Before(now) {
		freeAt = now
	}
	return freeAt.Add(r.Interval)
}

// Limiter limits how often each account does something. It is safe for concurrent use. The zero value allows
// everything.
type Limiter struct {
	rate Rate

	mu     sync.Mutex
	freeAt Recent[string, time.Time] // when nothing an account did counts any more
}

// NewLimiter allows an account of one time so many uses at once, and one more after each interval.
func NewLimiter(burst int, interval time.Duration) *Limiter {
	return &Limiter{rate: Rate{burst, interval}}
}

// Accountable returns the accounts charged for what a player does: the player's own, and those of the player's
// networks, smallest first.
func Accountable(p match.PlayerID, networks []string) []Account {
	all, times := []Account{{Name: string(p), Times: 1}}, 1
	for _, network := range networks {
		all = append(all, Account{Name: network, Times: times})
		times *= NetworkFactor
	}
	return all
}

// Allow counts one use for the accounts, if every one of them may do it once more: the networks [AddressShare] times as
// often as the player, the first of them.
func (l *Limiter) Allow(now time.Time, who ...Account) bool {
	who = widened(who)
	if !l.allows(now, who...) {
		return false
	}
	l.charge(now, who...)
	return true
}

// allows reports whether every account may do it once more. It charges nothing.
func (l *Limiter) allows(now time.Time, who ...Account) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isUnlimited() || !slices.ContainsFunc(who, func(a Account) bool {
		return l.rate.times(a.Times).NextAt(l.freeAt.Get(a.Name)).After(now)
	})
}

// used returns how many of an account's uses still count; 0 without a limit.
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

// left returns how many uses an account has left at once, and how many it has if none count.
func (l *Limiter) left(now time.Time, who Account) (left, all int) {
	all = l.rate.times(who.Times).Burst
	return all - l.used(now, who), all
}

// charge counts one use.
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

// Attempts limits failed tries. It is safe for concurrent use.
type Attempts struct {
	accounts *Limiter
	all      *rate.Limiter // of all players together
}

// NewAttempts allows all players together perSecond failed tries a second, with a burst of ten seconds' worth.
func NewAttempts(perSecond int) *Attempts {
	return &Attempts{
		accounts: NewLimiter(FreeTries, TryInterval),
		all:      rate.NewLimiter(rate.Limit(perSecond), 10*perSecond),
	}
}

// Allows reports whether a player, the first of the accounts, may try. When all players together have used up their
// tries, only players who have tried nothing, at addresses that have tried nothing, may try. It charges nothing.
func (a *Attempts) Allows(now time.Time, who []Account) bool {
	isNew := a.accounts.used(now, who[0]) == 0 && (len(who) < 2 || a.accounts.used(now, who[1]) == 0)
	return (isNew || a.all.TokensAt(now) >= 1) && a.accounts.allows(now, widened(who)...)
}

// Charge counts a try for the accounts.
func (a *Attempts) Charge(now time.Time, who []Account) { a.accounts.charge(now, widened(who)...) }

// ChargeAll counts a try for all players together.
func (a *Attempts) ChargeAll(now time.Time) { a.all.AllowN(now, 1) }

// widened returns the accounts of a player and of its networks, these with AddressShare times the rate.
func widened(who []Account) []Account {
	all := slices.Clone(who)
	for i := range all[1:] {
		all[1+i].Times *= AddressShare
	}
	return all
}

// Recent stores a value for each of the most recently set keys: MaxRemembered at least, twice as many at most. No
// operation scans all keys. The zero value is empty.
type Recent[K comparable, V any] struct {
	newer, older map[K]V
}

// Get returns the value of a key, or the zero value.
func (r *Recent[K, V]) Get(key K) V {
	if value, found := r.newer[key]; found {
		return value
	}
	return r.older[key]
}

// Set sets the value of a key.
func (r *Recent[K, V]) Set(key K, value V) {
	if r.newer == nil || len(r.newer) >= MaxRemembered {
		r.older, r.newer = r.newer, make(map[K]V)
	}
	r.newer[key] = value
}

// Remove removes a key.
func (r *Recent[K, V]) Remove(key K) {
	delete(r.newer, key)
	delete(r.older, key)
}

// Len returns how many keys are stored; a key that was set again may count twice.
func (r *Recent[K, V]) Len() int { return len(r.newer) + len(r.older) }

const (
	// FreeMinutes is how many minutes' worth of matches may be started at once.
	FreeMinutes = 5
	// reserveShare: one player may start at most one part in reserveShare of what is left of a network's reserve.
	reserveShare = 20
	// reserveTimes: a player's use of the reserve is remembered reserveTimes longer than the network's. So that many
	// players who start all they may cannot use up what the network regains.
	reserveTimes = 100
)

// Starts limits the starting of matches, which are stored for good. The second half of a network's limit is a reserve
// of which each player has a share, so that players who start few matches can, beside others who start all they may. It
// is safe for concurrent use.
type Starts struct {
	networks *Limiter // of a player, and of all players of one network
	reserve  *Limiter // of a player, matches started from a reserve
}

// NewStarts allows perMinute matches a minute; 0 means no limit.
func NewStarts(perMinute int) *Starts {
	if perMinute == 0 {
		return &Starts{&Limiter{}, &Limiter{}}
	}
	free, pause := FreeMinutes*perMinute, time.Minute/time.Duration(perMinute)
	return &Starts{NewLimiter(free, pause), NewLimiter(free, reserveTimes*pause)}
}

// TryCharge reports whether a player may start a match, and counts it if so.
func (s *Starts) TryCharge(now time.Time, who []Account) bool {
	if !s.networks.allows(now, who...) {
		return false
	}
	reserved := false
	for _, network := range who[1:] {
		left, all := s.networks.left(now, network)
		if 2*left > all {
			continue
		}
		if reserved = true; reserveShare*s.reserve.used(now, who[0]) > left {
			return false
		}
	}
	s.networks.charge(now, who...)
	if reserved {
		s.reserve.charge(now, who[0])
	}
	return true
}
