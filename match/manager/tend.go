package manager

import (
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
)

// live gives signs of life and looks after what nobody else does, until the manager closes.
func (m *Manager) live() {
	defer m.resign()
	tick := time.NewTicker(pulse / 3)
	defer tick.Stop()
	up := []match.Node(nil)
	for {
		if m.beat() {
			match.RecoverPanic(m.cfg.Log, "tending", func() {
				if now := m.nodes.up(); !slices.Equal(now, up) {
					up = now
					m.register.nudge() // somebody's players may be gone
				}
				ctx, cancel := context.WithTimeout(m.ctx, pulse) // the next beat must not wait for long
				defer cancel()
				m.lobby.Renew(ctx)
				m.tend(up)
			})
		}
		select {
		case <-tick.C:
		case <-m.ctx.Done():
			return
		}
	}
}

// resign tells the other nodes at once that this one goes.
func (m *Manager) resign() {
	ctx, cancel := context.WithTimeout(context.Background(), min(m.cfg.Patience, pulse))
	defer cancel()
	if err := m.cfg.Board.Unpin(ctx, m.nodes.note()); err != nil {
		m.cfg.Log.Debug("the other nodes will find out that this one has gone", "error", err)
	}
}

// tend lays the tables of matches at which nobody is, and those where somebody should be at this node and has not come, so that what is due
// there happens, and puts those away that are over for long.
func (m *Manager) tend(up []match.Node) {
	if m.register.isDraining() {
		return
	}
	on, over := m.register.busy()
	settled := m.cfg.Journal.Now().Add(-arrival) // whoever sat down since may be on their way
	for _, s := range on {
		if s.OpenedAt.After(settled) {
			continue
		}
		isMine := keeperOf(s.ID, up) == m.nodes.self || m.register.isSurplus(s.ID) // other nodes do not know of a surplus
		if m.isForsaken(s) && isMine || m.isMissed(s, settled) {
			_, _ = m.table(s.ID, plan{}) // refused only when the server stops
		}
	}
	old := m.cfg.Journal.Now().Add(-m.cfg.Linger - parting - match.NoteLife)
	for _, s := range over {
		if s.EndedAt.Before(old) && !m.register.hasTable(s.ID) && !m.putAway(s.ID, pulse) {
			return // nor would it take the others
		}
	}
}

// keptUntil is when a match against the computer is lost whose player is to move and away; zero for every other.
func (m *Manager) keptUntil(s *match.State) time.Time {
	chair := s.Chair(s.Turn())
	switch {
	case !s.IsAgainstComputer() || !chair.Taken || chair.Present || chair.Player.IsComputer():
		return time.Time{}
	case m.register.isSurplus(s.ID):
		return s.TurnSince
	default:
		return latest(chair.Since, s.TurnSince).Add(ComputerKept)
	}
}

// isForsaken reports whether no player is at a match, on any node that is up.
func (m *Manager) isForsaken(s *match.State) bool {
	if kept := m.keptUntil(s); !kept.IsZero() && m.Now().Before(kept) {
		return false
	}
	for _, chair := range s.Chairs() {
		if chair.Taken && chair.Present && !chair.Player.IsComputer() && !m.nodes.isAway(chair) {
			return false
		}
	}
	return true
}

// isMissed reports whether a player is said to have been at this node since a time, for a match that has no table here.
func (m *Manager) isMissed(s *match.State, since time.Time) bool {
	for _, chair := range s.Chairs() {
		if chair.Taken && chair.Present && chair.Node == m.nodes.self && !chair.Player.IsComputer() && !chair.Since.After(since) {
			return !m.register.hasTable(s.ID)
		}
	}
	return false
}

// putAway retires a match that is over. It reports whether the journal took it within a time.
func (m *Manager) putAway(id match.ID, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(m.ctx, min(within, m.cfg.Patience))
	defer cancel()
	switch err := m.cfg.Journal.Retire(ctx, id); {
	case err == nil, errors.Is(err, match.ErrNoSuchMatch):
		m.register.drop(id)
		return true
	case m.ctx.Err() == nil:
		m.cfg.Log.Warn("a match that is over could not be put away", "match", string(id), "error", err)
	}
	return false
}
