package manager

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"time"

	"notakto/match"
)

// tendLoop renews tickets and adopts orphaned matches after each heartbeat, until the manager closes. It has a
// goroutine of its own because its work may take long, and a late check in heartbeatLoop would count as an outage.
func (m *Manager) tendLoop(signs <-chan struct{}) {
	up := []match.Node(nil)
	for {
		select {
		case <-signs:
		case <-m.tables.ctx.Done():
			return
		}
		match.RecoverPanic(m.cfg.Log, "tending", func() {
			if now := m.tables.peers.up(); !slices.Equal(now, up) {
				up = now
				m.tables.index.wakeAll() // nodes may have failed, and their players with them
			}
			ctx, cancel := context.WithTimeout(m.tables.ctx, heartbeatInterval)
			defer cancel()
			m.lobby.Renew(ctx)
			m.tables.adoptOrphans(up)
		})
	}
}

// adoptOrphans opens tables, so that deadlines fire: for matches that no live node serves, and for matches without a
// table here whose player is connected to this node according to the log. It also opens second games of pairs that are
// late, and archives matches that ended long ago.
func (t *tables) adoptOrphans(up []match.Node) {
	if t.index.isAtLeast(knownTables) {
		return
	}
	on, over := t.index.liveAndFinished()
	settled := t.now().Add(-joinTimeout) // players seated later may be about to connect
	for _, s := range on {
		if s.OpenedAt.After(settled) {
			continue
		}
		isMine := ownerOf(s.ID, up) == t.peers.self || t.index.isSurplus(s.ID) // a surplus is known to this node only
		if t.isOrphaned(s) && isMine || t.isAbsentHere(s, settled) {
			_, _ = t.getOrBegin(s.ID, plan{}) // fails only while the server stops
		}
	}
	old := t.now().Add(-t.cfg.Linger - closeDelay - match.EntryTTL)
	for _, s := range over {
		if isBetweenGames(s) {
			isLate := t.now().After(s.SecondGameAt().Add(joinTimeout)) // the table that had to open it has failed
			if isLate && ownerOf(s.ID, up) == t.peers.self {
				_, _ = t.getOrBegin(s.ID, plan{})
			}
			continue
		}
		if s.EndedAt.Before(old) && t.index.table(s.ID) == nil && !t.archive(s.ID, heartbeatInterval) {
			return // the journal would not accept the others either
		}
	}
}

// ownerOf returns the node that adopts an orphaned match. All nodes choose the same one, without a message.
func ownerOf(id match.ID, among []match.Node) match.Node {
	return slices.MaxFunc(among, func(a, b match.Node) int {
		return cmp.Compare(rendezvousScore(id, a), rendezvousScore(id, b))
	})
}

func rendezvousScore(id match.ID, n match.Node) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(string(n) + " " + string(id))) // never fails
	return hash.Sum64()
}

// isOrphaned reports whether no player of a match is at a node that is up.
func (t *tables) isOrphaned(s *match.State) bool {
	if kept := t.unattendedUntil(s); !kept.IsZero() && t.now().Before(kept) {
		return false
	}
	for _, seatState := range s.SeatStates() {
		if seatState.Taken && seatState.Present && !seatState.Player.IsComputer() && !t.peers.isAway(seatState) {
			return false
		}
	}
	return true
}

// isAbsentHere reports whether a match has no table here although the log has shown one of its players at this node
// since the given time, or longer.
func (t *tables) isAbsentHere(s *match.State, since time.Time) bool {
	for _, seatState := range s.SeatStates() {
		if seatState.Taken && seatState.Present && seatState.Node == t.peers.self &&
			!seatState.Player.IsComputer() && !seatState.Since.After(since) {
			return t.index.table(s.ID) == nil
		}
	}
	return false
}
