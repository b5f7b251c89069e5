package match

import "slices"

// maxMissed is how many matches that ended while a player was away are kept for the player's next login.
const maxMissed = 3

// missed is the matches that ended while a player of theirs was away, by player, until they are told. What a server knows
// of that ends with its process. The register's lock guards it.
type missed struct {
	newer, older map[PlayerID][]*State
}

func newMissed() missed { return missed{newer: make(map[PlayerID][]*State)} }

// note takes in a match that has just ended. Guests are other players at their next login.
func (m *missed) note(s *State) {
	for _, chair := range s.chairs {
		p := chair.Player
		if !chair.Taken || chair.Present || p.IsComputer() || p.Guest {
			continue
		}
		if len(m.newer) >= rememberMost {
			m.older, m.newer = m.newer, make(map[PlayerID][]*State)
		}
		all := append(slices.Concat(m.older[p.ID], m.newer[p.ID]), s.seenBy(0))
		delete(m.older, p.ID)
		m.newer[p.ID] = all[max(0, len(all)-maxMissed):]
	}
}

// take returns the matches of a player, the latest last, and forgets them.
func (m *missed) take(p PlayerID) []*State {
	all := slices.Concat(m.older[p], m.newer[p])
	delete(m.older, p)
	delete(m.newer, p)
	return all
}

// TakeMissed returns the matches that ended while p was away, the latest last and three at most, once: it is for the start of a
// session, which tells them. A server that has restarted knows of the last few minutes only.
func (m *Manager) TakeMissed(p PlayerID) []*State {
	r := m.register
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.missed.take(p)
}
