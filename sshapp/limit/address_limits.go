package limit

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxAddresses is how many addresses are remembered at once, at some 500 bytes each.
const maxAddresses = 10_000

// forgetScan is how many addresses are looked at to find one that can be forgotten.
const forgetScan = 8

// addressLimit is what is remembered of an address.
type addressLimit struct {
	times    int           // how many times the limit of one address it has
	logins   *rate.Limiter // key exchanges
	sessions *rate.Limiter // that are begun, but for the first one of a connection
	lines    *rate.Limiter // of the log
	input    *rate.Limiter // that its sessions read, in bytes; see [AddressLimits.Pay]
}

// The budget of input that all sessions of an address share.
const (
	BudgetTurn  = 64 // bytes that a session pays before the next of its address has a turn
	BudgetBurst = 2  // seconds of the budget that may be used at once
)

// isIdle reports whether nothing would change if the source were forgotten.
func (s *addressLimit) isIdle(now time.Time) bool {
	for _, limit := range []*rate.Limiter{s.logins, s.sessions, s.lines, s.input} {
		if limit.TokensAt(now) < float64(limit.Burst()) {
			return false
		}
	}
	return true
}

// AddressLimits remembers addresses that were here lately. It may be used from any goroutine.
type AddressLimits struct {
	mu         sync.Mutex
	loginRate  rate.Limit
	loginBurst int
	inputRate  int // bytes a second
	byNetwork  map[netip.Prefix]*addressLimit
}

// NewAddressLimits remembers no address yet.
func NewAddressLimits(settings Settings) *AddressLimits {
	s := &AddressLimits{byNetwork: map[netip.Prefix]*addressLimit{}}
	s.SetLimits(settings)
	return s
}

// SetLimits changes the rates of all addresses. What they have used stays used.
func (s *AddressLimits) SetLimits(settings Settings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loginRate = rate.Limit(settings.MaxLoginRate)
	// All who may be in the server from one address may come back at once.
	s.loginBurst = settings.MaxSessionsPerAddress
	// An operator who lets an address have more sessions wants more of them to play.
	s.inputRate = settings.MaxInputRate * max(1, settings.MaxSessionsPerAddress/DefaultSettings().MaxSessionsPerAddress)
	for _, one := range s.byNetwork {
		s.setRates(one)
	}
}

// setRates gives the limiters of an address the present rates; s is locked.
func (s *AddressLimits) setRates(one *addressLimit) {
	for _, logins := range [...]*rate.Limiter{one.logins, one.sessions} {
		logins.SetLimit(s.loginRate * rate.Limit(one.times))
		logins.SetBurst(s.loginBurst * one.times)
	}
	one.input.SetLimit(rate.Limit(s.inputRate * one.times))
	one.input.SetBurst(max(BudgetTurn, BudgetBurst*s.inputRate*one.times))
}

// addressLimit is the source of an address.
func (s *AddressLimits) addressLimit(address netip.Prefix) *addressLimit {
	return s.getNetwork(network{address, 1})
}

// reserve takes n turns at a limit of each network that an address counts in, and returns the time until the last of
// them. If that is longer than most it takes none, and reports false.
func (s *AddressLimits) reserve(address netip.Prefix, n int, most time.Duration,
	limit func(*addressLimit) *rate.Limiter) (
	wait time.Duration, ok bool,
) {
	now := time.Now()
	var turns []*rate.Reservation
	for _, network := range networksOf(address) {
		turn := limit(s.getNetwork(network)).ReserveN(now, n)
		turns = append(turns, turn)
		if wait = max(wait, turn.DelayFrom(now)); wait > most {
			for _, turn := range turns {
				turn.Cancel()
			}
			return wait, false
		}
	}
	return wait, true
}

// ReserveLogin takes a turn to exchange keys, for which an address may have to wait, but no longer than most: then it
// takes none, and reports false.
func (s *AddressLimits) ReserveLogin(address netip.Prefix, most time.Duration) (wait time.Duration, ok bool) {
	return s.reserve(address, 1, most, func(from *addressLimit) *rate.Limiter { return from.logins })
}

// ReserveSession counts one more session that begins, or reports that the address has begun too many.
func (s *AddressLimits) ReserveSession(address netip.Prefix) bool {
	_, ok := s.reserve(address, 1, 0, func(from *addressLimit) *rate.Limiter { return from.sessions })
	return ok
}

// Pay takes a price from the budgets of an address and its networks, and waits until they have it. Sessions that wait
// take turns, so that one that does little hardly waits for those that do much. It returns at once when ctx ends, and
// is false if that takes longer than most: then the rest is not paid.
func (s *AddressLimits) Pay(ctx context.Context, address netip.Prefix, price int, most time.Duration) bool {
	input := func(from *addressLimit) *rate.Limiter { return from.input }
	if _, ok := s.reserve(address, price, 0, input); ok { // no session has to wait
		return true
	}
	for began := time.Now(); price > 0 && ctx.Err() == nil; price -= BudgetTurn {
		wait, ok := s.reserve(address, min(price, BudgetTurn), rate.InfDuration, input)
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

func (s *AddressLimits) getNetwork(n network) *addressLimit {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.byNetwork[n.prefix]; ok {
		return known
	}
	if len(s.byNetwork) >= maxAddresses {
		s.forget(time.Now())
	}
	one := &addressLimit{
		times:    n.times,
		logins:   rate.NewLimiter(s.loginRate*rate.Limit(n.times), s.loginBurst*n.times),
		sessions: rate.NewLimiter(s.loginRate*rate.Limit(n.times), s.loginBurst*n.times),
		lines:    rate.NewLimiter(rate.Every(linesEvery), LinesBurst),
		input:    rate.NewLimiter(rate.Limit(s.inputRate*n.times), max(BudgetTurn, BudgetBurst*s.inputRate*n.times)),
	}
	s.byNetwork[n.prefix] = one
	return one
}

// forget makes room: among a few addresses at random it drops those that would be no different as newcomers, or one in
// any case.
func (s *AddressLimits) forget(now time.Time) {
	var last netip.Prefix
	looked, dropped := 0, 0
	for address, one := range s.byNetwork {
		if last = address; one.isIdle(now) {
			delete(s.byNetwork, address)
			dropped++
		}
		if looked++; looked == forgetScan {
			break
		}
	}
	if dropped == 0 {
		delete(s.byNetwork, last)
	}
}
