package manager

import (
	"slices"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// maxMissed is how many matches that ended while a player was away are kept for the player's next login.
const maxMissed = 3

// missed holds the matches that ended while a player was away, by player, until they are shown. It lasts as long as the
// process. The index's lock guards it.
type missed struct {
	limit.Recent[match.PlayerID, []*match.State]
}

// add adds a match that has just ended. Guests are skipped: they are other players at their next login.
func (m *missed) add(s *match.State) {
	for _, seatState := range s.SeatStates() {
		p := seatState.Player
		if !seatState.Taken || seatState.Present || p.IsComputer() || p.Guest {
			continue
		}
		all := append(slices.Clip(m.Get(p.ID)), s.SeenBy(rules.Nobody))
		m.Set(p.ID, all[max(0, len(all)-maxMissed):])
	}
}

// take returns the matches of a player, the latest last, and forgets them.
func (m *missed) take(p match.PlayerID) []*match.State {
	defer m.Remove(p)
	return m.Get(p)
}

// takeMissed returns the matches of a player, the latest last, and forgets them.
func (r *index) takeMissed(p match.PlayerID) []*match.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.missed.take(p)
}
