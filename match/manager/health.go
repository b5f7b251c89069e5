package manager

import (
	"context"
	"errors"
	"slices"
	"time"

	"notakto/match"
)

// cutOffAfter is how long a node may fail to record before it notifies its players and refuses new matches. The
// election of a leader usually takes less.
const cutOffAfter = 2 * heartbeatInterval

// health is whether this node can record, by the latest check.
type health struct {
	trouble error     // why nothing can be recorded; nil if events can be recorded
	well    time.Time // time of the last heartbeat before the trouble
	cutOff  bool      // the trouble has lasted for cutOffAfter
}

// refuse returns an error if this node is cut off, so that no player waits in vain for a new match to be recorded.
func (n *membership) refuse() error {
	if h := n.now(); h.cutOff {
		return h.trouble
	}
	return nil
}

// beat checks whether this node can record, and sends a heartbeat if it can and one is due. It reports whether it sent
// one, and whether the node's being cut off has changed. A node that can put entries but not record moves sends none:
// that time must not count for absence.
func (n *membership) beat(ctx context.Context) (signed, cutOffChanged bool) {
	inTime, cancel := context.WithTimeout(ctx, min(n.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	err := n.cfg.Journal.Check(inTime)
	if err == nil && n.isHeartbeatDue(n.cfg.Journal.Now()) {
		err = n.putHeartbeat(inTime)
		signed = err == nil
	}
	if ctx.Err() != nil {
		return signed, false
	}
	return signed, n.log(err)
}

// putHeartbeat puts this node's entry again.
func (n *membership) putHeartbeat(ctx context.Context) error {
	note := n.entry()
	_, err := n.cfg.Registry.Put(ctx, note)
	if errors.Is(err, match.ErrConflict) && note.Revision != 0 { // the entry has expired
		note.Revision = 0
		_, err = n.cfg.Registry.Put(ctx, note)
	}
	return err
}

// removeHeartbeat notifies the other nodes at once that this node stops.
func (n *membership) removeHeartbeat() {
	ctx, cancel := context.WithTimeout(context.Background(), min(n.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	if err := n.cfg.Registry.Delete(ctx, n.entry()); err != nil {
		n.cfg.Log.Debug("the other nodes will find out that this one has gone",
			"event", "heartbeat-left", "error", err)
	}
}

// log stores the result of a check, logs a change, and reports whether the node's being cut off has changed.
func (n *membership) log(err error) (cutOffChanged bool) {
	trouble := err
	if err != nil && !errors.Is(err, match.ErrUnavailable) {
		trouble = match.ErrUnavailable // the rest of err is not for players
	}
	now := n.cfg.Journal.Now()
	was, is := n.assess(trouble, now)
	n.stats.Troubled.Store(is.trouble != nil)
	switch lasted := now.Sub(was.well).Round(time.Millisecond); {
	case err != nil && was.trouble == nil:
		n.cfg.Log.Warn("this server cannot record anything: it is not ready until it can",
			"event", "recording-stopped", "error", err)
	case err == nil && was.trouble != nil && lasted > cutOffAfter:
		n.cfg.Log.Info("this server can record again; the time in which it could not is charged to no player",
			"event", "recording-resumed",
			"not_charged_ms", lasted.Milliseconds())
	case err == nil && was.trouble != nil:
		n.cfg.Log.Info("this server can record again", "event", "recording-resumed", "duration_ms", lasted.Milliseconds())
	}
	return was.cutOff != is.cutOff
}

// assess returns the health before and after a check.
func (n *membership) assess(err error, now time.Time) (was, is health) {
	n.mu.Lock()
	defer n.mu.Unlock()
	was = n.health
	switch {
	case err == nil:
		n.health = health{}
	case was.trouble == nil:
		n.health = health{trouble: err, well: latest(n.last, n.started)}
	default:
		n.health.trouble = err
	}
	n.health.cutOff = err != nil && now.Sub(n.health.well) > cutOffAfter
	return was, n.health
}

// now returns the latest health.
func (n *membership) now() health {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.health
}

// isHeartbeatDue reports whether it is time for the next heartbeat.
func (n *membership) isHeartbeatDue(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.health.trouble != nil || now.Sub(n.last) > heartbeatInterval*5/6
}

// entry returns the next version of this node's entry.
func (n *membership) entry() match.Entry {
	n.mu.Lock()
	defer n.mu.Unlock()
	return match.Entry{Key: nodeKey + string(n.self), Text: []byte("up"), Revision: n.heartbeat}
}

// heartbeatLoop sends heartbeats and adopts orphaned matches until the manager closes.
func (m *Manager) heartbeatLoop() {
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
	if x.isAtLeast(knownTables) {
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
