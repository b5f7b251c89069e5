package limit

import (
	"context"
	"net/netip"
	"time"

	"golang.org/x/time/rate"
)

// All sessions of an address share a budget of input.
const (
	budgetTurn  = 64 // bytes that a session pays for before the next session of its address
	budgetBurst = 2  // seconds of the budget that may be used at once
)

// AddressLimits limits an address and the networks around it. It is safe for concurrent use.
type AddressLimits struct {
	logins   *Buckets // key exchanges
	sessions *Buckets // new sessions of a connection that has one already
	input    *Buckets // bytes that sessions read
}

// NewAddressLimits returns limits without any use.
func NewAddressLimits(settings Settings) *AddressLimits {
	a := &AddressLimits{newBuckets(0, 0), newBuckets(0, 0), newBuckets(0, 0)}
	a.SetLimits(settings)
	return a
}

// SetLimits changes the rates of all addresses. Tokens that they have taken stay taken.
func (a *AddressLimits) SetLimits(settings Settings) {
	// After a restart, all sessions that an address may have can come back at once.
	for _, logins := range [...]*Buckets{a.logins, a.sessions} {
		logins.setRate(rate.Limit(settings.MaxLoginRate), settings.MaxSessionsPerAddress)
	}
	// An operator who lets an address have more sessions wants more of them to play.
	input := settings.MaxInputRate * max(1, settings.MaxSessionsPerAddress/DefaultSettings().MaxSessionsPerAddress)
	a.input.setRate(rate.Limit(input), max(budgetTurn, budgetBurst*input))
}

// ReserveLogin takes a turn to exchange keys and returns how long the client has to wait for it. If that is longer than
// most, it takes no turn and reports false.
func (a *AddressLimits) ReserveLogin(address netip.Prefix, most time.Duration) (wait time.Duration, ok bool) {
	return a.logins.reserve(time.Now(), 1, most, networks(address))
}

// ReserveSession counts one more session, or reports that the address has begun too many.
func (a *AddressLimits) ReserveSession(address netip.Prefix) bool {
	_, ok := a.sessions.reserve(time.Now(), 1, 0, networks(address))
	return ok
}

// Pay takes price bytes from the input budgets of an address and its networks. If a budget has too few, Pay waits.
// Waiting sessions take turns, and one that types little hardly waits for those that send much. Pay returns false
// if the wait would be longer than most, and leaves the rest unpaid. Pay returns true at once when ctx ends.
func (a *AddressLimits) Pay(ctx context.Context, address netip.Prefix, price int, most time.Duration) bool {
	from := networks(address)
	if _, ok := a.input.reserve(time.Now(), price, 0, from); ok { // no session has to wait
		return true
	}
	for began := time.Now(); price > 0 && ctx.Err() == nil; price -= budgetTurn {
		wait, ok := a.input.reserve(time.Now(), min(price, budgetTurn), rate.InfDuration, from)
		if !ok || wait <= 0 {
			continue
		}
		if time.Since(began)+wait > most {
			return false
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	return true
}
