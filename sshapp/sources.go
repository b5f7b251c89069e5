package sshapp

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxSources is how many addresses are remembered at once, at some 500 bytes each.
const maxSources = 10_000

// forgetLook is how many addresses are looked at to find one that can be forgotten.
const forgetLook = 8

// source is what is remembered of an address.
type source struct {
	logins   *rate.Limiter // key exchanges
	sessions *rate.Limiter // that are begun, but for the first one of a connection
	lines    *rate.Limiter // of the log
	input    *rate.Limiter // that its sessions read, in bytes; see [sources.pay]
}

// rested reports whether nothing would change if the source were forgotten.
func (s *source) rested(now time.Time) bool {
	for _, limit := range []*rate.Limiter{s.logins, s.sessions, s.lines, s.input} {
		if limit.TokensAt(now) < float64(limit.Burst()) {
			return false
		}
	}
	return true
}

// sources remembers addresses that were here lately. It may be used from any goroutine.
type sources struct {
	loginRate  rate.Limit
	loginBurst int
	inputRate  int // bytes a second

	mu  sync.Mutex
	all map[netip.Prefix]*source
}

func newSources(settings Settings) *sources {
	return &sources{
		loginRate: rate.Limit(settings.MaxLoginRate),
		// All who may be in the house from one address may come back at once.
		loginBurst: settings.MaxSessionsPerAddress,
		// An operator who lets an address have more sessions wants more of them to play.
		inputRate: settings.MaxInputRate * max(1, settings.MaxSessionsPerAddress/DefaultSettings().MaxSessionsPerAddress),
		all:       map[netip.Prefix]*source{},
	}
}

// of is the source of an address.
func (s *sources) of(address netip.Prefix) *source { return s.ofNetwork(network{address, 1}) }

// reserve takes n turns at a limit of each network that an address counts in, and returns the time until the last of
// them. If that is longer than most it takes none, and reports false.
func (s *sources) reserve(address netip.Prefix, n int, most time.Duration, limit func(*source) *rate.Limiter) (
	wait time.Duration, ok bool,
) {
	now := time.Now()
	var turns []*rate.Reservation
	for _, network := range networksOf(address) {
		turn := limit(s.ofNetwork(network)).ReserveN(now, n)
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

func (s *sources) ofNetwork(n network) *source {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.all[n.prefix]; ok {
		return known
	}
	if len(s.all) >= maxSources {
		s.forget(time.Now())
	}
	one := &source{
		logins:   rate.NewLimiter(s.loginRate*rate.Limit(n.times), s.loginBurst*n.times),
		sessions: rate.NewLimiter(s.loginRate*rate.Limit(n.times), s.loginBurst*n.times),
		lines:    rate.NewLimiter(rate.Every(linesEvery), linesBurst),
		input:    rate.NewLimiter(rate.Limit(s.inputRate*n.times), max(budgetTurn, budgetBurst*s.inputRate*n.times)),
	}
	s.all[n.prefix] = one
	return one
}

// forget makes room: among a few addresses at random it drops those that would be no different as newcomers, or one in any case.
func (s *sources) forget(now time.Time) {
	var last netip.Prefix
	looked, dropped := 0, 0
	for address, one := range s.all {
		if last = address; one.rested(now) {
			delete(s.all, address)
			dropped++
		}
		if looked++; looked == forgetLook {
			break
		}
	}
	if dropped == 0 {
		delete(s.all, last)
	}
}
