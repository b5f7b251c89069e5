package limit

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"notakto/match"
)

// ipv6Share is the part of an IPv6 address that one customer of a provider gets.
const ipv6Share = 64

// IPOf returns the IP of a client's address; the zero value, which no network contains, if it has none.
func IPOf(addr net.Addr) netip.Addr {
	if at, ok := addr.(interface{ AddrPort() netip.AddrPort }); ok { // of the package net
		return at.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// AddressOf returns the address that counts as one source of sessions.
func AddressOf(addr net.Addr) netip.Prefix {
	ip := IPOf(addr)
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6Share
	}
	return netip.PrefixFrom(ip, bits).Masked()
}

// network is a network that an address belongs to, for limits that hold for an address.
type network struct {
	prefix netip.Prefix
	times  int // how many times the limit of one address it has
}

// networksOf returns the networks in which an address counts, the smallest first. An IPv4 address is one of its own.
// Of an IPv6 address they are the /64, the /56 and the /48, since a provider gives a customer any of these, and a /48
// has 65,536 of the first.
func networksOf(address netip.Prefix) []network {
	if address.Addr().Is4() {
		return []network{{address, 1}}
	}
	all := make([]network, 0, 3)
	for i, bits := range [...]int{ipv6Share, 56, 48} {
		all = append(all, network{netip.PrefixFrom(address.Addr(), bits).Masked(), 1 << (2 * i)})
	}
	return all
}

// LargestNetworkOf returns the last of the networks in which an address counts.
func LargestNetworkOf(address netip.Prefix) netip.Prefix {
	all := networksOf(address)
	return all[len(all)-1].prefix
}

// SeatsPerSession is how many seats at matches an address may have for each session that it may have. One player may
// have more of them, but not all who are there.
const SeatsPerSession = 2

// SourceTracker knows where the players are whose sessions are on, for limits that hold for an address whatever its
// players call themselves. Its methods may be called from any goroutine. The zero value is ready.
type SourceTracker struct {
	mu sync.Mutex
	of map[match.PlayerID]netip.Prefix
	// who have gone on as a guest, by the names of their logins, the latest last
	resumedAs  map[match.PlayerID][]match.PlayerID
	guests     map[match.PlayerID][]match.PlayerID // the same, the other way round
	rejections *Rejections                         // of the server whose players they are
}

// Networks returns the networks of a player, as texts, the smallest first, or none without a session. A player at two
// addresses is at the newer one.
func (s *SourceTracker) Networks(p match.PlayerID) []string {
	s.mu.Lock()
	at, known := s.at(p)
	s.mu.Unlock()
	if !known {
		return nil
	}
	all := networksOf(at)
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = n.prefix.String()
	}
	return texts
}

// at is the address of a player, or of the session that has gone on as that player.
func (s *SourceTracker) at(p match.PlayerID) (at netip.Prefix, known bool) {
	if at, known = s.of[p]; known {
		return at, true
	}
	if went := s.resumedAs[p]; len(went) > 0 {
		at, known = s.of[went[len(went)-1]]
	}
	return at, known
}

// AnyOf reports whether a condition holds for a player, or for one of the guests that the player has gone on as.
func (s *SourceTracker) AnyOf(p match.PlayerID, holds func(match.PlayerID) bool) bool {
	s.mu.Lock()
	all := append([]match.PlayerID{p}, s.guests[p]...)
	s.mu.Unlock()
	return slices.ContainsFunc(all, holds)
}

// LimitReached has the server count that a limit of the game's has kept a player from something.
func (s *SourceTracker) LimitReached(p match.PlayerID, why error) {
	s.mu.Lock()
	at, known := s.at(p)
	counts := s.rejections
	s.mu.Unlock()
	limit := GameLimit
	if errors.Is(why, match.ErrNoSuchTable) {
		limit = WrongCode
	}
	if known && counts != nil {
		counts.Reject(limit, at, 0, "player", p, "error", why)
	}
}

// Count has refusals counted by a server.
func (s *SourceTracker) Count(rejections *Rejections) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rejections = rejections
}

func (s *SourceTracker) add(p match.PlayerID, at netip.Prefix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = make(map[match.PlayerID]netip.Prefix)
	}
	s.of[p] = at
}

// GuestResumed has a guest be where a player is who has gone on under the guest's name, unless the guest has a session.
// Without that, a way back would be a way round the limits. A player who had gone on as another guest before is any of
// those who have.
func (s *SourceTracker) GuestResumed(p, guest match.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resumedAs == nil {
		s.resumedAs, s.guests = make(map[match.PlayerID][]match.PlayerID), make(map[match.PlayerID][]match.PlayerID)
	}
	for _, first := range append([]match.PlayerID{p}, s.resumedAs[p]...) {
		if _, known := s.of[first]; known && !slices.Contains(s.resumedAs[guest], first) {
			s.resumedAs[guest] = append(s.resumedAs[guest], first)
			s.guests[first] = append(s.guests[first], guest)
		}
	}
}

func (s *SourceTracker) remove(p match.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, p)
	for _, guest := range s.guests[p] {
		rest := slices.DeleteFunc(s.resumedAs[guest], func(first match.PlayerID) bool { return first == p })
		if s.resumedAs[guest] = rest; len(rest) == 0 {
			delete(s.resumedAs, guest)
		}
	}
	delete(s.guests, p)
}

// maxAddresses is how many addresses are remembered at once, at some 500 bytes each.
const maxAddresses = 10_000

// forgetScan is how many addresses are looked at to find one that can be forgotten.
const forgetScan = 8

// addressLimit holds the rate limiters of one address or network.
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

// isIdle reports whether nothing would change if the address were forgotten.
func (a *addressLimit) isIdle(now time.Time) bool {
	for _, limit := range []*rate.Limiter{a.logins, a.sessions, a.lines, a.input} {
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
func (a *AddressLimits) SetLimits(settings Settings) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.loginRate = rate.Limit(settings.MaxLoginRate)
	// All who may be in the server from one address may come back at once.
	a.loginBurst = settings.MaxSessionsPerAddress
	// An operator who lets an address have more sessions wants more of them to play.
	a.inputRate = settings.MaxInputRate * max(1, settings.MaxSessionsPerAddress/DefaultSettings().MaxSessionsPerAddress)
	for _, one := range a.byNetwork {
		for _, logins := range [...]*rate.Limiter{one.logins, one.sessions} {
			logins.SetLimit(a.loginRate * rate.Limit(one.times))
			logins.SetBurst(a.loginBurst * one.times)
		}
		one.input.SetLimit(rate.Limit(a.inputRate * one.times))
		one.input.SetBurst(max(BudgetTurn, BudgetBurst*a.inputRate*one.times))
	}
}

// addressLimit returns the limiters of an address, new ones if none are remembered.
func (a *AddressLimits) addressLimit(address netip.Prefix) *addressLimit {
	return a.getNetwork(network{address, 1})
}

// reserve takes n turns at a limit of each network that an address counts in, and returns the time until the last of
// them. If that is longer than most it takes none, and reports false.
func (a *AddressLimits) reserve(
	address netip.Prefix, n int, most time.Duration, limit func(*addressLimit) *rate.Limiter,
) (wait time.Duration, ok bool) {
	now := time.Now()
	var turns []*rate.Reservation
	for _, network := range networksOf(address) {
		turn := limit(a.getNetwork(network)).ReserveN(now, n)
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
func (a *AddressLimits) ReserveLogin(address netip.Prefix, most time.Duration) (wait time.Duration, ok bool) {
	return a.reserve(address, 1, most, func(from *addressLimit) *rate.Limiter { return from.logins })
}

// ReserveSession counts one more session that begins, or reports that the address has begun too many.
func (a *AddressLimits) ReserveSession(address netip.Prefix) bool {
	_, ok := a.reserve(address, 1, 0, func(from *addressLimit) *rate.Limiter { return from.sessions })
	return ok
}

// Pay takes a price from the budgets of an address and its networks, and waits until they have it. Sessions that wait
// take turns, so that one that does little hardly waits for those that do much. It returns at once when ctx ends, and
// is false if that takes longer than most: then the rest is not paid.
func (a *AddressLimits) Pay(ctx context.Context, address netip.Prefix, price int, most time.Duration) bool {
	input := func(from *addressLimit) *rate.Limiter { return from.input }
	if _, ok := a.reserve(address, price, 0, input); ok { // no session has to wait
		return true
	}
	for began := time.Now(); price > 0 && ctx.Err() == nil; price -= BudgetTurn {
		wait, ok := a.reserve(address, min(price, BudgetTurn), rate.InfDuration, input)
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

func (a *AddressLimits) getNetwork(n network) *addressLimit {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known, ok := a.byNetwork[n.prefix]; ok {
		return known
	}
	if len(a.byNetwork) >= maxAddresses {
		a.forget(time.Now())
	}
	one := &addressLimit{
		times:    n.times,
		logins:   rate.NewLimiter(a.loginRate*rate.Limit(n.times), a.loginBurst*n.times),
		sessions: rate.NewLimiter(a.loginRate*rate.Limit(n.times), a.loginBurst*n.times),
		lines:    rate.NewLimiter(rate.Every(linesEvery), LinesBurst),
		input:    rate.NewLimiter(rate.Limit(a.inputRate*n.times), max(BudgetTurn, BudgetBurst*a.inputRate*n.times)),
	}
	a.byNetwork[n.prefix] = one
	return one
}

// forget makes room: among a few addresses at random it drops those that would be no different as newcomers, or one in
// any case.
func (a *AddressLimits) forget(now time.Time) {
	var last netip.Prefix
	looked, dropped := 0, 0
	for address, one := range a.byNetwork {
		if last = address; one.isIdle(now) {
			delete(a.byNetwork, address)
			dropped++
		}
		if looked++; looked == forgetScan {
			break
		}
	}
	if dropped == 0 {
		delete(a.byNetwork, last)
	}
}
