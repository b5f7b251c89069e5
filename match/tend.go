package match

import (
	"context"
	"errors"
	"slices"
	"time"
)

// live gives signs of life and looks after what nobody else does, until the manager closes.
func (m *Manager) live() {
	sign := Note{Key: nodeKey + string(m.nodes.self), Text: []byte("up")}
	defer func() { m.resign(sign) }()
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	up := []Node(nil)
	for {
		sign = m.signOfLife(sign)
		contain(m.cfg.Log, "tending", func() {
			if now := m.nodes.up(); !slices.Equal(now, up) {
				up = now
				m.register.nudge() // somebody's players may be gone
			}
			m.lobby.renew()
			m.tend(up)
		})
		select {
		case <-tick.C:
		case <-m.ctx.Done():
			return
		}
	}
}

// signOfLife pins this node's note again, and returns it as it stands.
func (m *Manager) signOfLife(sign Note) Note {
	ctx, cancel := context.WithTimeout(m.ctx, m.cfg.Patience)
	defer cancel()
	pinned, err := m.cfg.Board.Pin(ctx, sign)
	if errors.Is(err, ErrConflict) && sign.Revision != 0 { // it fell down
		pinned, err = m.cfg.Board.Pin(ctx, Note{Key: sign.Key, Text: sign.Text})
	}
	if err == nil {
		return pinned
	}
	if m.ctx.Err() == nil {
		m.cfg.Log.Warn("no sign of life could be given", "error", err)
	}
	return sign
}

// resign tells the other nodes at once that this one goes.
func (m *Manager) resign(sign Note) {
	ctx, cancel := context.WithTimeout(context.Background(), min(m.cfg.Patience, pulse))
	defer cancel()
	if err := m.cfg.Board.Unpin(ctx, sign); err != nil {
		m.cfg.Log.Debug("the other nodes will find out that this one has gone", "error", err)
	}
}

// tend lays the tables of matches at which nobody is, and those where somebody should be at this node and has not come, so that what is due
// there happens, and puts those away that are over for long.
func (m *Manager) tend(up []Node) {
	if m.register.isDraining() {
		return
	}
	on, over := m.register.busy()
	settled := m.cfg.Journal.Now().Add(-arrival) // whoever sat down since may be on their way
	for _, s := range on {
		if s.OpenedAt.After(settled) {
			continue
		}
		if m.isForsaken(s) && keeperOf(s.ID, up) == m.nodes.self || m.isMissed(s, settled) {
			_, _ = m.table(s.ID, plan{}) // refused only when the server stops
		}
	}
	old := m.cfg.Journal.Now().Add(-m.cfg.Linger - parting - NoteLife)
	for _, s := range over {
		if s.EndedAt.Before(old) && !m.register.hasTable(s.ID) {
			m.putAway(s.ID)
		}
	}
}

// isForsaken reports whether no player is at a match, on any node that is up.
func (m *Manager) isForsaken(s *State) bool {
	for _, chair := range s.chairs {
		if chair.Taken && chair.Present && !chair.Player.IsComputer() && !m.nodes.isAway(chair) {
			return false
		}
	}
	return true
}

// isMissed reports whether a player is said to have been at this node since a time, for a match that has no table here.
func (m *Manager) isMissed(s *State, since time.Time) bool {
	for _, chair := range s.chairs {
		if chair.Taken && chair.Present && chair.Node == m.nodes.self && !chair.Player.IsComputer() && !chair.Since.After(since) {
			return !m.register.hasTable(s.ID)
		}
	}
	return false
}

// putAway retires a match that is over.
func (m *Manager) putAway(id ID) {
	ctx, cancel := context.WithTimeout(m.ctx, m.cfg.Patience)
	defer cancel()
	switch err := m.cfg.Journal.Retire(ctx, id); {
	case err == nil, errors.Is(err, ErrNoSuchMatch):
		m.register.drop(id)
	case m.ctx.Err() == nil:
		m.cfg.Log.Warn("a match that is over could not be put away", "match", string(id), "error", err)
	}
}
