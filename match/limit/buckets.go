package limit

import (
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// MaxRemembered is the number of accounts that [Buckets] remember at once.
const MaxRemembered = 10_000

// forgetScan is the number of accounts that are checked for one to forget.
const forgetScan = 8

// Buckets limits how often each account does something, with a token bucket of its own. An account that is not
// remembered has a full bucket. Buckets is safe for concurrent use.
type Buckets struct {
	mu     sync.Mutex
	rate   rate.Limit // of an account of one time
	burst  int
	byName map[string]*bucket
}

// bucket is the token bucket of one account.
type bucket struct {
	*rate.Limiter
	times int
}

// NewBuckets allows an account of one time burst uses at once, and one more after each interval.
func NewBuckets(burst int, interval time.Duration) *Buckets {
	return newBuckets(rate.Every(interval), burst)
}

func newBuckets(perSecond rate.Limit, burst int) *Buckets {
	return &Buckets{rate: perSecond, burst: burst, byName: make(map[string]*bucket)}
}

// setRate changes the rate of all accounts. Tokens that they have taken stay taken.
func (b *Buckets) setRate(perSecond rate.Limit, burst int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate, b.burst = perSecond, burst
	for _, one := range b.byName {
		one.SetLimit(perSecond * rate.Limit(one.times))
		one.SetBurst(burst * one.times)
	}
}

// Allow counts one use for each account if every account may have one more, and reports whether it does. The first
// account is the player. The networks may do it addressShare times as often.
func (b *Buckets) Allow(now time.Time, who ...Account) bool {
	_, ok := b.reserve(now, 1, 0, widened(who))
	return ok
}

// reserve takes n tokens of each account and returns the time until the last of them is there. If that is longer than
// most, reserve takes none and reports false.
func (b *Buckets) reserve(now time.Time, n int, most time.Duration, who []Account) (wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := make([]*rate.Reservation, 0, 4)
	for _, a := range who {
		r := b.bucket(now, a).ReserveN(now, n)
		taken = append(taken, r)
		if wait = max(wait, r.DelayFrom(now)); wait > most {
			for _, r := range taken {
				r.CancelAt(now)
			}
			return wait, false
		}
	}
	return wait, true
}

// allows reports whether every account has a token, and charges nothing.
func (b *Buckets) allows(now time.Time, who []Account) bool {
	return !slices.ContainsFunc(who, func(a Account) bool { return b.tokens(now, a) < 1 })
}

// used returns the number of an account's uses that still count.
func (b *Buckets) used(now time.Time, who Account) int {
	return int(math.Ceil(float64(b.burst*who.Times) - b.tokens(now, who)))
}

// tokens returns the tokens of an account, less than 0 if it was charged for more than it had.
func (b *Buckets) tokens(now time.Time, who Account) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one := b.byName[who.Name]; one != nil {
		return one.TokensAt(now)
	}
	return float64(b.burst * who.Times)
}

// charge counts one use for each account, even if the account has no token.
func (b *Buckets) charge(now time.Time, who ...Account) { b.reserve(now, 1, rate.InfDuration, who) }

// bucket returns the bucket of an account. If a new one needs room, bucket forgets the full ones among forgetScan
// accounts at random, or one of these in any case. The caller holds the lock.
func (b *Buckets) bucket(now time.Time, who Account) *bucket {
	if one := b.byName[who.Name]; one != nil {
		return one
	}
	if len(b.byName) >= MaxRemembered {
		looked, dropped := 0, 0
		for name, one := range b.byName {
			looked++
			if one.TokensAt(now) >= float64(one.Burst()) || looked == forgetScan && dropped == 0 {
				delete(b.byName, name)
				dropped++
			}
			if looked == forgetScan {
				break
			}
		}
	}
	one := &bucket{rate.NewLimiter(b.rate*rate.Limit(who.Times), b.burst*who.Times), who.Times}
	b.byName[who.Name] = one
	return one
}
