package sshapp

import (
	"net/netip"
	"slices"
	"sync"

	"notakto/match"
)

// SeatsPerSession is how many seats at matches an address may have for each session that it may have. One player may have more of them, but
// not all who are there.
const SeatsPerSession = 2

// Addresses knows where the players are whose sessions are on, for limits that hold for an address whatever its players call themselves.
// Its methods may be called from any goroutine. The zero value is ready.
type Addresses struct {
	mu       sync.Mutex
	of       map[match.PlayerID]netip.Prefix
	guests   map[match.PlayerID][]match.PlayerID // as whom a player has gone on, until the last session of that player has ended
	refusals *refusals                           // of the server whose players they are
}

// Of is the address of a player, as a text, or "" without a session. An IPv6 /64 is one address; a player at two is at the newer one.
func (a *Addresses) Of(p match.PlayerID) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if at, ok := a.of[p]; ok {
		return at.String()
	}
	return ""
}

// Refused has the server count that a limit of the game's has kept a player from something.
func (a *Addresses) Refused(p match.PlayerID, why error) {
	a.mu.Lock()
	at, known := a.of[p]
	counts := a.refusals
	a.mu.Unlock()
	if known && counts != nil {
		counts.note(gameLimit, at, "player", p, "because", why)
	}
}

// count has refusals counted by a server.
func (a *Addresses) count(refusals *refusals) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refusals = refusals
}

func (a *Addresses) arrive(p match.PlayerID, at netip.Prefix) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of == nil {
		a.of = make(map[match.PlayerID]netip.Prefix)
	}
	a.of[p] = at
}

func (a *Addresses) depart(p match.PlayerID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(p)
}

// Adopted has a guest be where a player is who has gone on under the guest's name. Without that, a way back would be a way round the limits.
func (a *Addresses) Adopted(p, guest match.PlayerID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, known := a.of[p]
	if !known || slices.Contains(a.guests[p], guest) {
		return
	}
	if a.guests == nil {
		a.guests = make(map[match.PlayerID][]match.PlayerID)
	}
	a.of[guest] = at
	a.guests[p] = append(a.guests[p], guest)
}

// forget drops a player, and whom the player went on as.
func (a *Addresses) forget(p match.PlayerID) {
	guests := a.guests[p]
	delete(a.of, p)
	delete(a.guests, p)
	for _, guest := range guests {
		a.forget(guest)
	}
}
