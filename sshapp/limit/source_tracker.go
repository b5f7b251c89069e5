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
func (a *SourceTracker) Networks(p match.PlayerID) []string {
	a.mu.Lock()
	at, known := a.at(p)
	a.mu.Unlock()
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
func (a *SourceTracker) at(p match.PlayerID) (at netip.Prefix, known bool) {
	if at, known = a.of[p]; known {
		return at, true
	}
	if went := a.resumedAs[p]; len(went) > 0 {
		at, known = a.of[went[len(went)-1]]
	}
	return at, known
}

// AnyOf reports whether a condition holds for a player, or for one of the guests that the player has gone on as.
func (a *SourceTracker) AnyOf(p match.PlayerID, holds func(match.PlayerID) bool) bool {
	a.mu.Lock()
	all := append([]match.PlayerID{p}, a.guests[p]...)
	a.mu.Unlock()
	return slices.ContainsFunc(all, holds)
}

// LimitReached has the server count that a limit of the game's has kept a player from something.
func (a *SourceTracker) LimitReached(p match.PlayerID, why error) {
	a.mu.Lock()
	at, known := a.at(p)
	counts := a.rejections
	a.mu.Unlock()
	limit := GameLimit
	if errors.Is(why, match.ErrNoSuchTable) {
		limit = WrongCode
	}
	if known && counts != nil {
		counts.Reject(limit, at, 0, "player", p, "error", why)
	}
}

// Count has refusals counted by a server.
func (a *SourceTracker) Count(rejections *Rejections) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rejections = rejections
}

func (a *SourceTracker) add(p match.PlayerID, at netip.Prefix) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of == nil {
		a.of = make(map[match.PlayerID]netip.Prefix)
	}
	a.of[p] = at
}

// GuestResumed has a guest be where a player is who has gone on under the guest's name, unless the guest has a session.
// Without that, a way back would be a way round the limits. A player who had gone on as another guest before is any of
// those who have.
func (a *SourceTracker) GuestResumed(p, guest match.PlayerID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.resumedAs == nil {
		a.resumedAs, a.guests = make(map[match.PlayerID][]match.PlayerID), make(map[match.PlayerID][]match.PlayerID)
	}
	for _, first := range append([]match.PlayerID{p}, a.resumedAs[p]...) {
		if _, known := a.of[first]; known && !slices.Contains(a.resumedAs[guest], first) {
			a.resumedAs[guest] = append(a.resumedAs[guest], first)
			a.guests[first] = append(a.guests[first], guest)
		}
	}
}

func (a *SourceTracker) remove(p match.PlayerID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.of, p)
	for _, guest := range a.guests[p] {
		rest := slices.DeleteFunc(a.resumedAs[guest], func(first match.PlayerID) bool { return first == p })
		if a.resumedAs[guest] = rest; len(rest) == 0 {
			delete(a.resumedAs, guest)
		}
	}
	delete(a.guests, p)
}
