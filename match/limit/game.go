package limit

import (
	"slices"
	"time"

	"golang.org/x/time/rate"
)

const (
	// freeTries is the number of wrong codes or failed lookups that a player may try at once.
	freeTries = 20
	// tryInterval is the time until one more try is allowed.
	tryInterval = 3 * time.Second
	// addressShare is the ratio of an address's tries to a player's. It is above 1, so that a player who has used up
	// their own tries leaves some to others at the address.
	addressShare = 2
	// CodeRate is the number of wrong codes a second that all players together may try.
	CodeRate = 20
	// LookupRate is the number of failed lookups a second that all players together may make. Each lookup searches
	// the archive.
	LookupRate = 2
)

// Attempts limits failed tries. It is safe for concurrent use.
type Attempts struct {
	accounts *Buckets
	all      *rate.Limiter // of all players together
}

// NewAttempts allows all players together perSecond failed tries a second, with a burst of ten seconds' worth.
func NewAttempts(perSecond int) *Attempts {
	return &Attempts{NewBuckets(freeTries, tryInterval), rate.NewLimiter(rate.Limit(perSecond), 10*perSecond)}
}

// Allows reports whether a player may try now, and charges nothing. who is the player's account and then its networks,
// smallest first. While the tries of all players together are used up, a player may try only if the player and the
// smallest network have no counted try.
func (a *Attempts) Allows(now time.Time, who []Account) bool {
	who = widened(who)
	isNew := a.accounts.used(now, who[0]) == 0 && (len(who) < 2 || a.accounts.used(now, who[1]) == 0)
	return (isNew || a.all.TokensAt(now) >= 1) && a.accounts.allows(now, who)
}

// Charge counts a try for the accounts.
func (a *Attempts) Charge(now time.Time, who []Account) { a.accounts.charge(now, widened(who)...) }

// ChargeAll counts a try for all players together.
func (a *Attempts) ChargeAll(now time.Time) { a.all.AllowN(now, 1) }

// widened returns a copy of who, the accounts of a player and of the player's networks. The networks get
// addressShare times the limit.
func widened(who []Account) []Account {
	all := slices.Clone(who)
	for i := range all[1:] {
		all[1+i].Times *= addressShare
	}
	return all
}

const (
	// freeMinutes is the number of minutes whose matches may be started at once.
	freeMinutes = 5
	// One player may start at most 1/reserveShare of what is left of a network's reserve.
	reserveShare = 20
	// Each match that a player starts from the reserve counts reserveTimes as long for the player as for the network.
	// Otherwise many players who start all they may could use up what the network regains.
	reserveTimes = 100
)

// Starts limits the starting of matches, which are stored for good. The second half of a network's limit is a reserve
// that each player has a share of. A player who starts few matches can start them beside others who start all they may.
// Starts is safe for concurrent use.
type Starts struct {
	networks *Buckets // matches started by a player, and by all players of a network; nil for no limit
	reserve  *Buckets // matches that a player started from a reserve
}

// NewStarts allows perMinute matches a minute; 0 means no limit.
func NewStarts(perMinute int) *Starts {
	if perMinute == 0 {
		return &Starts{}
	}
	free, pause := freeMinutes*perMinute, time.Minute/time.Duration(perMinute)
	return &Starts{NewBuckets(free, pause), NewBuckets(free, reserveTimes*pause)}
}

// TryCharge reports whether a player may start a match, and counts it if so. who is as in [Attempts.Allows].
func (s *Starts) TryCharge(now time.Time, who []Account) bool {
	if s.networks == nil {
		return true
	}
	if !s.networks.allows(now, who) {
		return false
	}
	reserved := false
	for _, network := range who[1:] {
		all, used := s.networks.burst*network.Times, s.networks.used(now, network)
		if 2*used < all {
			continue
		}
		if reserved = true; reserveShare*s.reserve.used(now, who[0]) > all-used {
			return false
		}
	}
	s.networks.charge(now, who...)
	if reserved {
		s.reserve.charge(now, who[0])
	}
	return true
}
