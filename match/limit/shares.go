package limit

import (
	"sync"
	"time"
)

const (
	// burstMinutes times the rate of [NewStarts] is the number of matches that a player may start at once.
	burstMinutes = 5
	// networkRateFactor multiplies the rate of a player in [NewShares] for an address.
	networkRateFactor = 2
	// reserveDivisor divides the uses that a network has left. TryCharge refuses a player with more uses from the
	// reserve than the quotient.
	reserveDivisor = 20
	// reserveDelayFactor multiplies the refill interval of Shares.reserve. A use from the reserve then counts longer
	// for its player than for the network. Players at their limit cannot use up the whole rate of a network.
	reserveDelayFactor = 100
)

// Shares limits uses by player and by network, and shares the limit of a network among its players. Shares keeps the
// second half of that limit as a reserve. TryCharge gives each player a small share of the reserve, to leave uses to
// players with few uses so far. Shares is safe for concurrent use.
type Shares struct {
	mu       sync.Mutex
	players  *Buckets // nil for no limit
	networks *Buckets
	reserve  *Buckets // uses by a player from a reserve
}

// NewShares allows a player burst uses at once and one more after each interval. An address has addressBurst uses at
// once, and networkRateFactor times the rate. While fewer than half as many players use up the limit of an address, the
// others there have uses left.
func NewShares(burst, addressBurst int, interval time.Duration) *Shares {
	return newShares(burst, interval, NewBuckets(addressBurst, interval/networkRateFactor))
}

// NewStarts limits the start of matches, because the store keeps matches for good. A player and an address may start
// perMinute matches a minute, without a limit for 0.
func NewStarts(perMinute int) *Shares {
	if perMinute == 0 {
		return &Shares{}
	}
	burst, interval := burstMinutes*perMinute, time.Minute/time.Duration(perMinute)
	return newShares(burst, interval, NewBuckets(burst, interval))
}

func newShares(burst int, interval time.Duration, networks *Buckets) *Shares {
	return &Shares{
		players: NewBuckets(burst, interval), networks: networks,
		reserve: NewBuckets(burst, reserveDelayFactor*interval),
	}
}

// TryCharge reports whether a player may have one more use, and then counts it. payers is as in [Attempts.Allows].
func (s *Shares) TryCharge(now time.Time, payers []Payer) bool {
	if s.players == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	player, networks := payers[0], payers[1:]
	if !s.players.allows(now, payers[:1]) || !s.networks.allows(now, networks) {
		return false
	}
	fromReserve := false
	for _, network := range networks {
		used, limit := s.networks.usage(now, network)
		if used < limit-used {
			continue
		}
		fromReserve = true
		if reserved, _ := s.reserve.usage(now, player); reserved > (limit-used)/reserveDivisor {
			return false
		}
	}
	s.players.charge(now, player)
	s.networks.charge(now, networks...)
	if fromReserve {
		s.reserve.charge(now, player)
	}
	return true
}
