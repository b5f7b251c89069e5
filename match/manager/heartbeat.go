package manager

import (
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
)

// heartbeatLoop gives signs of life and looks after what nobody else does, until the manager closes.
func (m *Manager) heartbeatLoop() {
	defer m.removeHeartbeat()
	tick := time.NewTicker(heartbeatInterval / 3)
	defer tick.Stop()
	up := []match.Node(nil)
	for {
		if m.beat() {
			match.RecoverPanic(m.cfg.Log, "tending", func() {
				if now := m.membership.up(); !slices.Equal(now, up) {
					up = now
					m.index.wake() // somebody's players may be gone
				}
				ctx, cancel := context.WithTimeout(m.ctx, heartbeatInterval) // the next beat must not wait for long
				defer cancel()
				m.lobby.Renew(ctx)
				m.adoptOrphans(up)
			})
		}
		select {
		case <-tick.C:
		case <-m.ctx.Done():
			return
		}
	}
}

// removeHeartbeat tells the other nodes at once that this one goes.
func (m *Manager) removeHeartbeat() {
	ctx, cancel := context.WithTimeout(context.Background(), min(m.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	if err := m.cfg.Registry.Delete(ctx, m.membership.entry()); err != nil {
		m.cfg.Log.Debug("the other nodes will find out that this one has gone", "error", err)
	}
}

// adoptOrphans lays the tables of matches at which nobody is, and those where somebody should be at this node and has
// not come, so that what is due there happens, and puts those away that are over for long.
func (m *Manager) adoptOrphans(up []match.Node) {
	if m.index.isDraining() {
		return
	}
	on, over := m.index.liveAndFinished()
	settled := m.cfg.Journal.Now().Add(-joinTimeout) // whoever sat down since may be on their way
	for _, s := range on {
		if s.OpenedAt.After(settled) {
			continue
		}
		isMine := ownerOf(s.ID, up) == m.membership.self || m.index.isSurplus(s.ID) // other nodes do not know of a surplus
		if m.isOrphaned(s) && isMine || m.isAbsentHere(s, settled) {
			_, _ = m.table(s.ID, plan{}) // refused only when the server stops
		}
	}
	old := m.cfg.Journal.Now().Add(-m.cfg.Linger - closeDelay - match.EntryTTL)
	for _, s := range over {
		if s.EndedAt.Before(old) && !m.index.hasTable(s.ID) && !m.archive(s.ID, heartbeatInterval) {
			return // nor would it take the others
		}
	}
}

// isOrphaned reports whether no player is at a match, on any node that is up.
func (m *Manager) isOrphaned(s *match.State) bool {
	if kept := m.keptUntil(s); !kept.IsZero() && m.Now().Before(kept) {
		return false
	}
	for _, seatState := range s.SeatStates() {
		if seatState.Taken && seatState.Present && !seatState.Player.IsComputer() && !m.membership.isAway(seatState) {
			return false
		}
	}
	return true
}

// isAbsentHere reports whether a player is said to have been at this node since a time, for a match that has no table
// here.
func (m *Manager) isAbsentHere(s *match.State, since time.Time) bool {
	for _, seatState := range s.SeatStates() {
		if seatState.Taken && seatState.Present && seatState.Node == m.membership.self && !seatState.Player.IsComputer() && !seatState.Since.After(since) {
			return !m.index.hasTable(s.ID)
		}
	}
	return false
}

// archive retires a match that is over. It reports whether the journal took it within a time.
func (m *Manager) archive(id match.ID, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(m.ctx, min(within, m.cfg.JournalTimeout))
	defer cancel()
	switch err := m.cfg.Journal.Archive(ctx, id); {
	case err == nil, errors.Is(err, match.ErrNoSuchMatch):
		m.index.drop(id)
		return true
	case m.ctx.Err() == nil:
		m.cfg.Log.Warn("a match that is over could not be put away", "match", string(id), "error", err)
	}
	return false
}
