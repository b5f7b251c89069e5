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

// refuse returns why no new match can begin at a node that is cut off. Without it a player would wait for the journal
// in vain.
func (n *membership) refuse() error {
	if h := n.now(); h.cutOff {
		return h.trouble
	}
	return nil
}

// beat looks whether this node can record, and gives a sign of life if it can and the last one is long enough ago. It
// reports whether it gave one, and whether the node has been cut off, or is no longer. A node that can pin notes and
// cannot record moves gives none: what happens then must not be charged to a player.
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

// putHeartbeat pins this node's note again.
func (n *membership) putHeartbeat(ctx context.Context) error {
	note := n.entry()
	_, err := n.cfg.Registry.Put(ctx, note)
	if errors.Is(err, match.ErrConflict) && note.Revision != 0 { // the entry was dropped
		note.Revision = 0
		_, err = n.cfg.Registry.Put(ctx, note)
	}
	return err
}

// removeHeartbeat tells the other nodes at once that this one goes.
func (n *membership) removeHeartbeat() {
	ctx, cancel := context.WithTimeout(context.Background(), min(n.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	if err := n.cfg.Registry.Delete(ctx, n.entry()); err != nil {
		n.cfg.Log.Debug("the other nodes will find out that this one has gone", "error", err)
	}
}

// log takes in what the last look has found, logs when that changes, and reports whether the node has been cut off, or
// is no longer.
func (n *membership) log(err error) (cutOffChanged bool) {
	trouble := err
	if err != nil && !errors.Is(err, match.ErrUnavailable) {
		trouble = match.ErrUnavailable // what else is in err is not for players
	}
	now := n.cfg.Journal.Now()
	was, is := n.assess(trouble, now)
	switch lasted := now.Sub(was.well).Round(time.Millisecond); {
	case err != nil && was.trouble == nil:
		n.cfg.Log.Warn("this server cannot record anything: it is not ready until it can", "error", err)
	case err == nil && was.trouble != nil && lasted > cutOffAfter:
		n.cfg.Log.Info("this server can record again; the time in which it could not is charged to no player", "not-charged", lasted)
	case err == nil && was.trouble != nil:
		n.cfg.Log.Info("this server can record again", "after", lasted)
	}
	return was.cutOff != is.cutOff
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

// entry is this node's entry of the registry as it is put next.
func (n *membership) entry() match.Entry {
	n.mu.Lock()
	defer n.mu.Unlock()
	return match.Entry{Key: nodeKey + string(n.self), Text: []byte("up"), Revision: n.heartbeat}
}
