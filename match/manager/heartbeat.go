package manager

import (
	"context"
	"slices"
	"time"

	"notakto/match"
)

// heartbeatLoop sends heartbeats and adopts orphaned matches until the manager closes.
func heartbeatLoop(m *Manager) {
	defer m.tables.membership.removeHeartbeat()
	tick := time.NewTicker(heartbeatInterval / 3)
	defer tick.Stop()
	up := []match.Node(nil)
	for {
		signed, cutOffChanged := m.tables.membership.beat(m.tables.ctx)
		if cutOffChanged {
			m.tables.wakeAll()
			m.lobby.SetCutOff(m.tables.membership.now().cutOff)
		}
		if signed {
			match.RecoverPanic(m.cfg.Log, "tending", func() {
				if now := m.tables.membership.up(); !slices.Equal(now, up) {
					up = now
					m.tables.wakeAll() // nodes may have failed, and their players with them
				}
				ctx, cancel := context.WithTimeout(m.tables.ctx, heartbeatInterval) // the next beat must not be late
				defer cancel()
				m.lobby.Renew(ctx)
				m.tables.adoptOrphans(up)
			})
		}
		select {
		case <-tick.C:
		case <-m.tables.ctx.Done():
			return
		}
	}
}

// adoptOrphans opens tables for matches without a live node, or whose player has not connected here, so that their
// deadlines fire, and for those that are late with the second game of a pair. It also archives matches that ended long
// ago.
func (x *tables) adoptOrphans(up []match.Node) {
	if x.isDraining() {
		return
	}
	on, over := x.index.liveAndFinished()
	settled := x.now().Add(-joinTimeout) // players seated later may be about to connect
	for _, s := range on {
		if s.OpenedAt.After(settled) {
			continue
		}
		isMine := ownerOf(s.ID, up) == x.membership.self || x.index.isSurplus(s.ID) // a surplus is known to this node only
		if x.isOrphaned(s) && isMine || x.isAbsentHere(s, settled) {
			_, _ = x.getOrBegin(s.ID, plan{}) // fails only while the server stops
		}
	}
	old := x.now().Add(-x.cfg.Linger - closeDelay - match.EntryTTL)
	for _, s := range over {
		if isBetweenGames(s) {
			if isLate(s, x.now()) && ownerOf(s.ID, up) == x.membership.self {
				_, _ = x.getOrBegin(s.ID, plan{})
			}
			continue
		}
		if s.EndedAt.Before(old) && x.get(s.ID) == nil && !x.archive(s.ID, heartbeatInterval) {
			return // the journal would not accept the others either
		}
	}
}

// isOrphaned reports whether no player of a match is at a node that is up.
func (x *tables) isOrphaned(s *match.State) bool {
	if kept := x.unattendedUntil(s); !kept.IsZero() && x.now().Before(kept) {
		return false
	}
	for _, seatState := range s.SeatStates() {
		if seatState.Taken && seatState.Present && !seatState.Player.IsComputer() && !x.membership.isAway(seatState) {
			return false
		}
	}
	return true
}

// isAbsentHere reports whether the log says that a player has been at this node since a time, for a match without a
// table here.
func (x *tables) isAbsentHere(s *match.State, since time.Time) bool {
	for _, seatState := range s.SeatStates() {
		if seatState.Taken && seatState.Present && seatState.Node == x.membership.self &&
			!seatState.Player.IsComputer() && !seatState.Since.After(since) {
			return x.get(s.ID) == nil
		}
	}
	return false
}
