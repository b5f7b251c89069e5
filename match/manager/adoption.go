package manager

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"time"

	"notakto/match"
)

// tendLoop renews tickets and adopts orphaned matches after each heartbeat, until the manager closes. The work may
// take long, and has a goroutine of its own because a late check in heartbeatLoop would count as an outage.
func (m *Manager) tendLoop(beats <-chan struct{}) {
	up := []match.Node(nil)
	for {
		select {
		case <-beats:
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

// adoptOrphans opens tables to let deadlines fire. A match needs a table
//   - if no player is at a node that is up, from the time unattendedUntil on
//   - if the log shows a player at this node, and this node has no table
//   - if the second game of its pair is late
//
// adoptOrphans also archives matches that ended long ago.
func (t *tables) adoptOrphans(up []match.Node) {
	if t.index.isAtLeast(stageDraining) {
		return
	}
	live, finished := t.index.liveAndFinished()
	settled := t.now().Add(-joinTimeout) // players seated later may be about to connect
	for _, s := range live {
		if s.OpenedAt.After(settled) {
			continue
		}
		isMine := ownerOf(s.ID, up) == t.peers.self || t.index.isSurplus(s.ID) // only this node knows a surplus
		if t.isOrphaned(s) && isMine || t.lacksTableHere(s, settled) {
			_, _ = t.getOrBegin(s.ID, plan{}) // fails only while the server stops
		}
	}
	old := t.now().Add(-t.cfg.Linger - closeDelay - match.EntryTTL)
	for _, s := range finished {
		if isBetweenGames(s) {
			isLate := t.now().After(s.SecondGameAt().Add(joinTimeout)) // the table that had to open the game has failed
			if isLate && ownerOf(s.ID, up) == t.peers.self {
				_, _ = t.getOrBegin(s.ID, plan{})
			}
			continue
		}
		isDone := s.EndedAt.Before(old) && t.index.table(s.ID) == nil && !t.index.isNeeded(s)
		if isDone && !t.archive(s.ID, heartbeatInterval) {
			return // the journal would refuse the next ones as well
		}
	}
}

// ownerOf returns the node that adopts an orphaned match. The result is equal on all nodes, without a message.
func ownerOf(id match.ID, among []match.Node) match.Node {
	return slices.MaxFunc(among, func(a, b match.Node) int {
		return cmp.Compare(rendezvousScore(id, a), rendezvousScore(id, b))
	})
}

func rendezvousScore(id match.ID, n match.Node) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(string(n) + " " + string(id)))
	return hash.Sum64()
}

func (t *tables) isOrphaned(s *match.State) bool {
	if kept := t.unattendedUntil(s); !kept.IsZero() && t.now().Before(kept) {
		return false
	}
	for _, seatState := range s.Seats() {
		if seatState.Taken && seatState.Present && !seatState.Player.IsComputer() && !t.peers.isLost(seatState) {
			return false
		}
	}
	return true
}

// lacksTableHere reports whether s has no table here although the log has shown a player at this node since the given
// time.
func (t *tables) lacksTableHere(s *match.State, since time.Time) bool {
	for _, seatState := range s.Seats() {
		if seatState.Taken && seatState.Present && seatState.Node == t.peers.self &&
			!seatState.Player.IsComputer() && !seatState.Since.After(since) {
			return t.index.table(s.ID) == nil
		}
	}
	return false
}
