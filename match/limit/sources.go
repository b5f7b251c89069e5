package limit

import (
	"errors"
	"net/netip"
	"slices"
	"sync"

	"notakto/match"
)

// SeatsPerSession is the number of seats at matches that an address may have for each session that it may have.
// All players of the address share these seats.
const SeatsPerSession = 2

// SourceTracker knows the addresses of players with a session. Limits use it to count the players of an address
// together, under any name. The zero value is ready. It is safe for concurrent use.
type SourceTracker struct {
	mu        sync.Mutex
	addresses map[match.PlayerID]netip.Prefix // the address of each player with a session
	// resumedAs maps a guest to the players who continue as that guest, the latest last. guests maps such a player to
	// the guests.
	resumedAs  map[match.PlayerID][]match.PlayerID
	guests     map[match.PlayerID][]match.PlayerID
	rejections *Rejections // may be nil
}

// Networks returns the names of a player's networks, smallest first, or none without a session. A player at two
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

// at returns the address of a player, or of the session that continues as that player. The caller holds the lock.
func (s *SourceTracker) at(p match.PlayerID) (at netip.Prefix, known bool) {
	if at, known = s.addresses[p]; known {
		return at, true
	}
	if players := s.resumedAs[p]; len(players) > 0 {
		at, known = s.addresses[players[len(players)-1]]
	}
	return at, known
}

// AnyOf reports whether holds is true for p or for a guest that p continues as.
func (s *SourceTracker) AnyOf(p match.PlayerID, holds func(match.PlayerID) bool) bool {
	s.mu.Lock()
	all := append([]match.PlayerID{p}, s.guests[p]...)
	s.mu.Unlock()
	return slices.ContainsFunc(all, holds)
}

// LimitReached counts a rejection of p by a limit of the game. why is the error that p got.
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

// Count makes LimitReached count in rejections.
func (s *SourceTracker) Count(rejections *Rejections) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rejections = rejections
}

func (s *SourceTracker) add(p match.PlayerID, at netip.Prefix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.addresses == nil {
		s.addresses = make(map[match.PlayerID]netip.Prefix)
	}
	s.addresses[p] = at
}

// GuestResumed puts a guest without a session at the address of p, who continues as that guest. Otherwise a player
// could circumvent limits by returning as a guest. If p is itself a guest that other players continue as,
// GuestResumed also puts the guest at the address of those players.
func (s *SourceTracker) GuestResumed(p, guest match.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resumedAs == nil {
		s.resumedAs, s.guests = make(map[match.PlayerID][]match.PlayerID), make(map[match.PlayerID][]match.PlayerID)
	}
	for _, first := range append([]match.PlayerID{p}, s.resumedAs[p]...) {
		if _, known := s.addresses[first]; known && !slices.Contains(s.resumedAs[guest], first) {
			s.resumedAs[guest] = append(s.resumedAs[guest], first)
			s.guests[first] = append(s.guests[first], guest)
		}
	}
}

func (s *SourceTracker) remove(p match.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.addresses, p)
	for _, guest := range s.guests[p] {
		rest := slices.DeleteFunc(s.resumedAs[guest], func(first match.PlayerID) bool { return first == p })
		if s.resumedAs[guest] = rest; len(rest) == 0 {
			delete(s.resumedAs, guest)
		}
	}
	delete(s.guests, p)
}
