package limit

import (
	"slices"
	"time"

	"golang.org/x/time/rate"
)

const (
	// freeTries is the number of tries that a player may make at once.
	freeTries = 20
	// tryInterval is the time until a player without a try left may make one more.
	tryInterval = 3 * time.Second
	// sharedFactor multiplies the limits of networks in [Attempts]. One player therefore cannot use up the limit of an
	// address.
	sharedFactor = 2
	// CodeRate is the number of wrong codes a second that all players together may try. A private table has one of
	// 26 million codes.
	CodeRate = 2
	// LookupRate is the number of lookups of unknown matches a second that all players together may make. Every such
	// lookup searches the archive.
	LookupRate = 2

	// An address may make spareTries spare tries at once, and one more after each spareInterval.
	spareTries    = 5
	spareInterval = 2 * time.Minute
)

// Attempts limits tries by player, by network, and by all players together. The caller decides which tries to charge,
// for example those with a wrong code. Attempts is safe for concurrent use.
//
// While attackers use up the tries of all players, each network has a few spare tries. Attackers with many addresses
// then have fewer tries, and a player at an address without attackers is still heard.
type Attempts struct {
	payers *Buckets
	all    *rate.Limiter
	spare  *Buckets // spare tries by network
}

// NewAttempts allows all players together perSecond tries a second, and burstSeconds times as many at once.
func NewAttempts(perSecond int) *Attempts {
	const burstSeconds = 50 // players of one address may make 40 tries at once
	burst := burstSeconds * perSecond
	return &Attempts{
		payers: NewBuckets(freeTries, tryInterval), all: rate.NewLimiter(rate.Limit(perSecond), burst),
		spare: NewBuckets(spareTries, spareInterval),
	}
}

// Allows reports whether a player may try now. payers holds the player and then the player's networks, smallest first.
// While all players together have used up their tries, the player needs a spare one.
//
// Allows charges no payer. Players that try at one moment can therefore exceed the limits, until Charge counts their
// tries.
func (a *Attempts) Allows(now time.Time, payers []Payer) bool {
	return (a.all.TokensAt(now) >= 1 || a.spare.allows(now, networksOf(payers))) && a.payers.allows(now, shared(payers))
}

// Charge counts a try for the payers, even beyond their limits.
func (a *Attempts) Charge(now time.Time, payers []Payer) {
	a.payers.charge(now, shared(payers)...)
}

// ChargeAll counts a try of the payers for all players together. ChargeAll reports false if the try was a spare one.
func (a *Attempts) ChargeAll(now time.Time, payers []Payer) bool {
	isCommon := a.all.AllowN(now, 1)
	if !isCommon {
		a.spare.charge(now, networksOf(payers)...)
	}
	return isCommon
}

// networksOf returns the networks among payers, or the player for a player without networks.
func networksOf(payers []Payer) []Payer { return payers[min(1, len(payers)-1):] }

// shared returns a copy of payers with sharedFactor times the limit for the networks.
func shared(payers []Payer) []Payer {
	copied := slices.Clone(payers)
	for i := range copied[1:] {
		copied[1+i].Multiple *= sharedFactor
	}
	return copied
}
