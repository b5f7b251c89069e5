package limit

import "time"

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
func (p *Starts) TryCharge(now time.Time, who []Account) bool {
	if !p.networks.allows(now, who...) {
		return false
	}
	reserved := false
	for _, network := range who[1:] {
		left, all := p.networks.left(now, network)
		if 2*left > all {
			continue
		}
		if reserved = true; reserveShare*p.reserve.used(now, who[0]) > left {
			return false
		}
	}
	p.networks.charge(now, who...)
	if reserved {
		p.reserve.charge(now, who[0])
	}
	return true
}
