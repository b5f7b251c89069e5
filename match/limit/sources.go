package limit

import (
	"errors"
	"net/netip"
	"slices"
	"sync"

	"notakto/match"
)

// SeatsPerSession is the number of seats at matches that the players of an address may have for each session of
// MaxSessionsPerAddress. cmd/notakto computes manager.Config.MaxSeats from it at the start.
const SeatsPerSession = 2

// SourceTracker knows the addresses of players with a session. Limits use it to count the players of an address
// together, under any name. The zero value is ready. SourceTracker is safe for concurrent use.
type SourceTracker struct {
	mu        sync.Mutex
	addresses map[match.PlayerID]netip.Prefix
	// resumedBy maps a guest to the players with a session that continue as the guest, the latest last. guests maps a
	// player to these guests.
	resumedBy  map[match.PlayerID][]match.PlayerID
	guests     map[match.PlayerID][]match.PlayerID
	rejections *Rejections // may be nil
}

// Networks returns the names of a player's networks, smallest first, or nil for a player without a session. A player
// with sessions at two addresses is at the address of the latest one.
func (s *SourceTracker) Networks(p match.PlayerID) []string {
	s.mu.Lock()
	address, known := s.address(p)
	s.mu.Unlock()
	if !known {
		return nil
	}
	return networkNames(address)
}

// address returns the address of a player, or of the latest player that continues as p. The caller holds the lock.
func (s *SourceTracker) address(p match.PlayerID) (address netip.Prefix, known bool) {
	if address, known = s.addresses[p]; known {
		return address, true
	}
	if players := s.resumedBy[p]; len(players) > 0 {
		address, known = s.addresses[players[len(players)-1]]
	}
	return address, known
}

// HoldsForAny reports whether holds is true for p or for a guest that p continues as.
func (s *SourceTracker) HoldsForAny(p match.PlayerID, holds func(match.PlayerID) bool) bool {
	s.mu.Lock()
	identities := append([]match.PlayerID{p}, s.guests[p]...)
	s.mu.Unlock()
	return slices.ContainsFunc(identities, holds)
}

// CountRejection counts a rejection of p by a limit of the game. why is the error that p got.
func (s *SourceTracker) CountRejection(p match.PlayerID, why error) {
	s.mu.Lock()
	address, known := s.address(p)
	rejections := s.rejections
	s.mu.Unlock()
	reason := GameLimit
	if errors.Is(why, match.ErrNoSuchTable) {
		reason = WrongCode
	}
	if known && rejections != nil {
		rejections.Reject(reason, address, 0, "player", p, "error", why)
	}
}

// SetRejections makes CountRejection count in rejections.
func (s *SourceTracker) SetRejections(rejections *Rejections) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rejections = rejections
}

func (s *SourceTracker) set(p match.PlayerID, address netip.Prefix) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.addresses == nil {
		s.addresses = make(map[match.PlayerID]netip.Prefix)
	}
	s.addresses[p] = address
}

// GuestResumed records that p continues as guest. While guest has no session, [SourceTracker.Networks] then returns the
// networks of p for guest. Otherwise a player could circumvent limits by returning as a guest. If p is a guest too,
// GuestResumed records guest for the players that continue as p.
func (s *SourceTracker) GuestResumed(p, guest match.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resumedBy == nil {
		s.resumedBy, s.guests = make(map[match.PlayerID][]match.PlayerID), make(map[match.PlayerID][]match.PlayerID)
	}
	for _, player := range append([]match.PlayerID{p}, s.resumedBy[p]...) {
		if _, known := s.addresses[player]; known && !slices.Contains(s.resumedBy[guest], player) {
			s.resumedBy[guest] = append(s.resumedBy[guest], player)
			s.guests[player] = append(s.guests[player], guest)
		}
	}
}

// remove forgets the address of p, and the guests that p continues as.
func (s *SourceTracker) remove(p match.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.addresses, p)
	for _, guest := range s.guests[p] {
		rest := slices.DeleteFunc(s.resumedBy[guest], func(player match.PlayerID) bool { return player == p })
		if s.resumedBy[guest] = rest; len(rest) == 0 {
			delete(s.resumedBy, guest)
		}
	}
	delete(s.guests, p)
}
