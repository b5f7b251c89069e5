package limit

import (
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// MaxRemembered is the number of payers that a [Buckets] remembers at once.
const MaxRemembered = 10_000

// forgetScan is the number of random payers that a [Buckets] checks to make room for a new one.
const forgetScan = 8

// Buckets limits a rate of each payer with a token bucket. A payer that is not remembered has a full bucket. Buckets is
// safe for concurrent use.
type Buckets struct {
	mu     sync.Mutex
	rate   rate.Limit // tokens a second of a payer with Multiple 1
	burst  int        // tokens of a full bucket with Multiple 1
	byName map[string]*bucket
}

type bucket struct {
	*rate.Limiter
	multiple int
}

// NewBuckets allows a payer with Multiple 1 burst uses at once, and one more after each interval. Burst and rate of a
// payer grow with its Multiple.
func NewBuckets(burst int, interval time.Duration) *Buckets {
	return newBuckets(rate.Every(interval), burst)
}

func newBuckets(perSecond rate.Limit, burst int) *Buckets {
	return &Buckets{rate: perSecond, burst: burst, byName: make(map[string]*bucket)}
}

func (b *Buckets) setRate(perSecond rate.Limit, burst int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate, b.burst = perSecond, burst
	for _, known := range b.byName {
		known.SetLimit(perSecond * rate.Limit(known.multiple))
		known.SetBurst(burst * known.multiple)
	}
}

// Allow reports whether payer may have one more use, and then counts it.
func (b *Buckets) Allow(now time.Time, payer Payer) bool {
	_, ok := b.reserve(now, 1, 0, []Payer{payer})
	return ok
}

// reserve takes n tokens of each payer and returns the time until all payers have them. If that time exceeds maxWait,
// reserve reports false and takes no token.
func (b *Buckets) reserve(
	now time.Time, n int, maxWait time.Duration, payers []Payer,
) (wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := make([]*rate.Reservation, 0, 4)
	for _, payer := range payers {
		r := b.bucket(now, payer).ReserveN(now, n)
		taken = append(taken, r)
		if wait = max(wait, r.DelayFrom(now)); wait > maxWait {
			for _, r := range taken {
				r.CancelAt(now)
			}
			return wait, false
		}
	}
	return wait, true
}

func (b *Buckets) allows(now time.Time, payers []Payer) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !slices.ContainsFunc(payers, func(payer Payer) bool { return b.tokens(now, payer) < 1 })
}

// usage returns the number of a payer's uses that still count, and the number that it may have at once.
func (b *Buckets) usage(now time.Time, payer Payer) (used, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit = b.burst * payer.Multiple
	return int(math.Ceil(float64(limit) - b.tokens(now, payer))), limit
}

// tokens returns a negative number after charges beyond the limit. The caller holds the lock.
func (b *Buckets) tokens(now time.Time, payer Payer) float64 {
	if known := b.byName[payer.Name]; known != nil {
		return known.TokensAt(now)
	}
	return float64(b.burst * payer.Multiple)
}

// charge counts one use for each payer, even if the payer has no token.
func (b *Buckets) charge(now time.Time, payers ...Payer) {
	b.reserve(now, 1, rate.InfDuration, payers)
}

// bucket returns the bucket of a payer. If a new bucket needs room, bucket looks at forgetScan others and forgets the
// full ones, or the last one if none is full. The caller holds the lock.
func (b *Buckets) bucket(now time.Time, payer Payer) *bucket {
	if known := b.byName[payer.Name]; known != nil {
		return known
	}
	if len(b.byName) >= MaxRemembered {
		scanned, forgotten := 0, 0
		for name, known := range b.byName {
			scanned++
			if known.TokensAt(now) >= float64(known.Burst()) || scanned == forgetScan && forgotten == 0 {
				delete(b.byName, name)
				forgotten++
			}
			if scanned == forgetScan {
				break
			}
		}
	}
	added := &bucket{rate.NewLimiter(b.rate*rate.Limit(payer.Multiple), b.burst*payer.Multiple), payer.Multiple}
	b.byName[payer.Name] = added
	return added
}
