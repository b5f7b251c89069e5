package limit

import (
	"strings"
	"sync/atomic"

	"notakto/match"
)

// SessionStats is what monitors read of an [Admission].
type SessionStats struct {
	Waiting, Limit         atomic.Int64
	PlayersWithKey, Guests atomic.Int64 // who have sessions
}

// guestPrefix begins the identity of a guest: see package names.
const guestPrefix = "guest:"

// kindOf returns the number that counts a player.
func (s *SessionStats) kindOf(p match.PlayerID) *atomic.Int64 {
	if strings.HasPrefix(string(p), guestPrefix) {
		return &s.Guests
	}
	return &s.PlayersWithKey
}
