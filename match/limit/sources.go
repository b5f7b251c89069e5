package limit

import (
	"errors"
	"net/netip"
	"slices"
	"sync"

	"notakto/match"
)

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
	return networkNames(at)
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
