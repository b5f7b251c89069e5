package match

import "time"

const (
	freeMinutes = 5 // of matches may be begun at once
	// reserveShare is which part of what is left of a network's reserve one player may have begun.
	reserveShare = 20
	// reserveTimes is how many times later than by a network it is forgotten that a player began a match from its reserve:
	// so many players who begin all they may do not use up what the network has anew.
	reserveTimes = 100
)

// pace limits the matches that are begun, which are kept for good. The second half of what a network may begin is a
// reserve, of which each player has a share, so that one who begins little still can beside others who begin all they
// may. It may be used by several goroutines.
type pace struct {
	networks *debts // of a player, and of all players of one network
	reserve  *debts // of a player, those begun from a reserve
}

// newPace is for so many a minute; 0 is without a limit.
func newPace(perMinute int) *pace {
	if perMinute == 0 {
		return &pace{&debts{}, &debts{}}
	}
	free, pause := freeMinutes*perMinute, time.Minute/time.Duration(perMinute)
	return &pace{newDebts(free, pause), newDebts(free, reserveTimes*pause)}
}

// begin reports whether a player may begin a match, and counts it if so.
func (p *pace) begin(now time.Time, who []account) bool {
	if !p.networks.allow(now, who...) {
		return false
	}
	reserved := false
	for _, network := range who[1:] {
		left, all := p.networks.left(now, network)
		if 2*left > all {
			continue
		}
		if reserved = true; reserveShare*p.reserve.owes(now, who[0]) > left {
			return false
		}
	}
	p.networks.charge(now, who...)
	if reserved {
		p.reserve.charge(now, who[0])
	}
	return true
}
