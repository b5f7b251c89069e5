package limit

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	inputPortion      = 64 // bytes that a session pays for before the next session of its address
	inputBurstSeconds = 2  // seconds of the input rate that an address may use at once

	maxShare = 4 * time.Second // the longest time whose share a session can save
	newShare = 2 * time.Second // the saved share of a new session, which pays for its first screen

	loggedRate = 1 // sessions of an address with lines in the log, a second
)

// AddressLimits limits logins, sessions and input of an address and of the networks around it. AddressLimits is safe
// for concurrent use.
type AddressLimits struct {
	logins   *Buckets // key exchanges
	sessions *Buckets // new sessions of a connection that has one already
	input    *Buckets // bytes that sessions read
	logged   *Buckets // sessions with lines in the log

	mu    sync.Mutex
	share float64 // bytes a second of one session, if an address has all the sessions that it may have
}

// InputShare is the input that a session may read without a wait while the budget of its address is used up. A new
// session has less than it can save, or a flood of logins could evade the budget.
type InputShare struct {
	// The AddressLimits's lock guards the fields below.
	saved time.Duration // the time in which this much accrues
	at    time.Time     // of the last change of saved
}

// NewInputShare returns the share of a session that begins now.
func NewInputShare() InputShare { return InputShare{newShare, time.Now()} }

// NewAddressLimits returns limits with unused budgets.
func NewAddressLimits(settings Settings) *AddressLimits {
	a := &AddressLimits{
		logins: newBuckets(0, 0), sessions: newBuckets(0, 0), input: newBuckets(0, 0), logged: newBuckets(0, 0),
	}
	a.SetLimits(settings)
	return a
}

// SetLimits changes the rates of all addresses. Past uses still count.
func (a *AddressLimits) SetLimits(settings Settings) {
	// After a restart, all sessions that an address may have can come back at once.
	for _, b := range [...]*Buckets{a.logins, a.sessions} {
		b.setRate(rate.Limit(settings.MaxLoginRate), settings.MaxSessionsPerAddress)
	}
	a.logged.setRate(loggedRate, settings.MaxSessionsPerAddress)
	// MaxInputRate is for the default of MaxSessionsPerAddress, and is doubled for twice as many sessions.
	input := settings.MaxInputRate * max(1, settings.MaxSessionsPerAddress/DefaultSettings().MaxSessionsPerAddress)
	a.input.setRate(rate.Limit(input), max(inputPortion, inputBurstSeconds*input))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.share = float64(input) / float64(settings.MaxSessionsPerAddress)
}

// ReserveLogin reserves the first key exchange of a login, and returns the time until the exchange may begin. If that
// time exceeds maxWait, ReserveLogin reports false and reserves no exchange.
func (a *AddressLimits) ReserveLogin(address netip.Prefix, maxWait time.Duration) (wait time.Duration, ok bool) {
	return a.logins.reserve(time.Now(), 1, maxWait, networkPayers(address))
}

// ReserveSession counts one more session, or reports false if the address has begun too many.
func (a *AddressLimits) ReserveSession(address netip.Prefix) bool {
	_, ok := a.sessions.reserve(time.Now(), 1, 0, networkPayers(address))
	return ok
}

// ReserveLines counts one more session with lines in the log, or reports false if the address has had too many.
// Sessions begin far faster than a log should grow.
func (a *AddressLimits) ReserveLines(address netip.Prefix) bool {
	_, ok := a.logged.reserve(time.Now(), 1, 0, networkPayers(address))
	return ok
}

// Pay takes size bytes from the input budgets of an address and its networks, and waits while a budget is used up. A
// session with enough of its share does not wait, even if other sessions of its address do. The budgets pay for its
// input, too, unless they are used up for longer than maxWait. The others pay inputPortion bytes at a time, in turn.
// Pay returns false if the wait would exceed maxWait. The portions until then stay paid. Pay returns true at once when
// ctx ends.
func (a *AddressLimits) Pay(
	ctx context.Context, address netip.Prefix, share *InputShare, size int, maxWait time.Duration,
) bool {
	from := networkPayers(address)
	if _, ok := a.input.reserve(time.Now(), size, 0, from); ok {
		return true
	}
	for began := time.Now(); size > 0 && ctx.Err() == nil; size -= inputPortion {
		portion := min(size, inputPortion)
		wait, ok := a.input.reserve(time.Now(), portion, max(0, maxWait-time.Since(began)), from)
		if wait == 0 || a.takeShare(share, portion) {
			continue
		}
		if !ok {
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

// takeShare takes size bytes of a session's share, or reports false if the share has fewer left.
func (a *AddressLimits) takeShare(s *InputShare, size int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, price := time.Now(), time.Duration(float64(size)/a.share*float64(time.Second))
	s.saved, s.at = min(s.saved+now.Sub(s.at), maxShare), now
	if s.saved < price {
		return false
	}
	s.saved -= price
	return true
}
