package manager

import (
	"context"
	"errors"
	"time"

	"notakto/match"
)

// cutOffAfter is how long a node may be unable to record before it tells its players and refuses new matches. An
// election of a leader is over by then, as a rule.
const cutOffAfter = 2 * heartbeatInterval

// health is whether this node can record, as it found out last.
type health struct {
	trouble error     // why nothing can be recorded; nil if it can
	well    time.Time // when the last sign of life was given before the trouble began
	cutOff  bool      // the trouble has lasted for cutOffAfter
}

// Ready returns nil if this node can record and takes new matches. The text of an error says why it does not:
// [ErrDraining], [ErrUnavailable]. It does not wait.
func (m *Manager) Ready() error {
	if m.index.isDraining() {
		return match.ErrDraining
	}
	return m.membership.now().trouble
}

// refuse returns why no new match can begin at a node that is cut off. Without it a player would wait for the journal
// in vain.
func (m *Manager) refuse() error {
	if h := m.membership.now(); h.cutOff {
		return h.trouble
	}
	return nil
}

// beat looks whether this node can record, and gives a sign of life if it can and the last one is long enough ago. It
// reports whether it gave one. A node that can pin notes and cannot record moves gives none: what happens then must not
// be charged to a player.
func (m *Manager) beat() (signed bool) {
	ctx, cancel := context.WithTimeout(m.ctx, min(m.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	err := m.cfg.Journal.Check(ctx)
	if err == nil && m.membership.isHeartbeatDue(m.Now()) {
		err = m.putHeartbeat(ctx)
		signed = err == nil
	}
	if m.ctx.Err() == nil {
		m.assess(err)
	}
	return signed
}

// putHeartbeat pins this node's note again.
func (m *Manager) putHeartbeat(ctx context.Context) error {
	note := m.membership.entry()
	_, err := m.cfg.Registry.Put(ctx, note)
	if errors.Is(err, match.ErrConflict) && note.Revision != 0 { // the entry was dropped
		note.Revision = 0
		_, err = m.cfg.Registry.Put(ctx, note)
	}
	return err
}

// assess takes in what the last look has found, logs when that changes, and tells the players of this node.
func (m *Manager) assess(err error) {
	trouble := err
	if err != nil && !errors.Is(err, match.ErrUnavailable) {
		trouble = match.ErrUnavailable // what else is in err is not for players
	}
	was, is := m.membership.assess(trouble, m.Now())
	switch lasted := m.Now().Sub(was.well).Round(time.Millisecond); {
	case err != nil && was.trouble == nil:
		m.cfg.Log.Warn("this server cannot record anything: it is not ready until it can", "error", err)
	case err == nil && was.trouble != nil && lasted > cutOffAfter:
		m.cfg.Log.Info("this server can record again; the time in which it could not is charged to no player", "not-charged", lasted)
	case err == nil && was.trouble != nil:
		m.cfg.Log.Info("this server can record again", "after", lasted)
	}
	if was.cutOff != is.cutOff {
		m.index.wake()
		m.lobby.SetCutOff(is.cutOff)
	}
}

// assess returns what was known before, and what is known now.
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

// now is what was found out last.
func (n *membership) now() health {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.health
}

// isHeartbeatDue reports whether it is time for the next sign of life.
func (n *membership) isHeartbeatDue(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.health.trouble != nil || now.Sub(n.last) > heartbeatInterval*5/6
}

// entry is this node's note as it is to be pinned next.
func (n *membership) entry() match.Entry {
	n.mu.Lock()
	defer n.mu.Unlock()
	return match.Entry{Key: nodeKey + string(n.self), Text: []byte("up"), Revision: n.heartbeat}
}
