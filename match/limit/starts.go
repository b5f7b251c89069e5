package limit

import "time"

const (
	// FreeMinutes is how many minutes of matches may be begun at once.
	FreeMinutes = 5
	// reserveShare is which part of what is left of a network's reserve one player may have begun.
	reserveShare = 20
	// reserveTimes is how many times later than by a network it is forgotten that a player began a match from its reserve:
	// so many players who begin all they may do not use up what the network has anew.
	reserveTimes = 100
)

// Starts limits the matches that are begun, which are kept for good. The second half of what a network may begin is a
// reserve, of which each player has a share, so that one who begins little still can beside others who begin all they
// may. It may be used by several goroutines.
type Starts struct {
	networks *Limiter // of a player, and of all players of one network
	reserve  *Limiter // of a player, those begun from a reserve
}

// NewStarts is for so many a minute; 0 is without a limit.
func NewStarts(perMinute int) *Starts {
	if perMinute == 0 {
		return &Starts{&Limiter{}, &Limiter{}}
	}
	free, pause := FreeMinutes*perMinute, time.Minute/time.Duration(perMinute)
	return &Starts{newLimiter(free, pause), newLimiter(free, reserveTimes*pause)}
}

// TryCharge reports whether a player may begin a match, and counts it if so.
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
