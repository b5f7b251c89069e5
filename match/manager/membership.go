package manager

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"notakto/match"
)

const (
	heartbeatInterval = 3 * time.Second // between two signs of life
	nodeKey           = "node."         // of the entries that say that a node is up

	checkInterval = time.Second                          // between two checks whether this node can record
	lateAfter     = checkInterval + 500*time.Millisecond // from a check that succeeds to the end of the next
	cutOffAfter   = 2 * heartbeatInterval                // of trouble until players are told
)

// Server is a server that shares the database, as [Manager.Servers] tells it. As JSON it is the text of the node's
// entry.
type Server struct {
	Node     match.Node `json:"-"`
	Version  string     `json:"version"`
	HostKey  string     `json:"host_key"` // its fingerprint
	Since    time.Time  `json:"since"`    // the start
	LastSeen time.Time  `json:"-"`        // the last heartbeat
	IsUp     bool       `json:"-"`
}

// membership knows which nodes are up, by their heartbeats in the registry, and whether this one can record. All times
// are the journal's.
type membership struct {
	cfg   Config
	self  match.Node
	about []byte // the text of this node's entry
	stats *Stats

	mu        sync.Mutex
	seen      map[match.Node]Server
	last      time.Time // when this node's own entry was put
	heartbeat uint64    // the revision of that entry, 0 if it was taken down
	started   time.Time
	health    health
	well      time.Time // when the last check that succeeded began; at first the start
	outages   outages   // times in which no check has succeeded, and the time before the start
	stable    time.Time // the end of the last outage since the start; zero without one
	beating   time.Time // likewise of the last outage in which nodes may have missed heartbeats
}

func newMembership(cfg Config, stats *Stats) *membership {
	m := &membership{
		cfg: cfg, self: cmp.Or(cfg.Node, NewNode("")), stats: stats, seen: make(map[match.Node]Server),
		started: cfg.Journal.Now(),
	}
	m.well = m.started
	m.about, _ = json.Marshal(Server{Version: cfg.Version, HostKey: cfg.HostKey, Since: m.started.UTC()}) // never fails
	return m
}

// apply takes in an entry of the registry.
func (m *membership) apply(entry match.Entry) {
	name, isNode := strings.CutPrefix(entry.Key, nodeKey)
	if !isNode {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	node := match.Node(name)
	switch {
	case entry.Text == nil:
		delete(m.seen, node)
		if node == m.self {
			m.heartbeat = 0
		}
		return
	case node == m.self:
		m.heartbeat, m.last = entry.Revision, entry.At
	}
	server := m.seen[node]
	if server.LastSeen.IsZero() {
		_ = json.Unmarshal(entry.Text, &server) // what another version says otherwise is not known
	}
	server.Node, server.LastSeen = node, entry.At
	m.seen[node] = server
}

// isAway reports whether the player's node has sent no heartbeat for [match.EntryTTL] although this node could. After
// an outage of all nodes the time begins again. The player's last arrival counts as a heartbeat.
func (m *membership) isAway(c match.SeatState) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isUnresponsive(c.Node) && m.last.Sub(c.Since) > match.EntryTTL
}

// isDown reports whether a node has sent no heartbeat for [match.EntryTTL] although this node could.
func (m *membership) isDown(node match.Node) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isUnresponsive(node)
}

func (m *membership) isUnresponsive(node match.Node) bool {
	return node != m.self && m.last.Sub(latest(m.seen[node].LastSeen, m.beating)) > match.EntryTTL
}

// silentSince returns when a node sent its last heartbeat, if that was before a time and this node has sent some since:
// the node has probably failed. Else it is zero.
func (m *membership) silentSince(node match.Node, before time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.seen[node].LastSeen
	if seen.IsZero() || seen.After(before) || m.last.Sub(seen) <= 2*heartbeatInterval {
		return time.Time{}
	}
	return latest(seen, m.beating)
}

// up is the nodes that are up, this one among them, in order.
func (m *membership) up() []match.Node {
	m.mu.Lock()
	defer m.mu.Unlock()
	up := []match.Node{m.self}
	for node, server := range m.seen {
		switch {
		case node == m.self:
		case m.last.Sub(server.LastSeen) > 4*match.EntryTTL:
			delete(m.seen, node)
		case !m.isUnresponsive(node):
			up = append(up, node)
		}
	}
	slices.Sort(up)
	return up
}

// servers returns this server, and the others that have sent a heartbeat lately, in order.
func (m *membership) servers() []Server {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.SortedFunc(maps.Values(m.seen), func(a, b Server) int { return cmp.Compare(a.Node, b.Node) })
	for i := range all {
		all[i].IsUp = !m.isUnresponsive(all[i].Node)
	}
	return all
}

// count sets what monitors read of the servers that are up, and logs once that their host keys differ.
func (m *membership) count() {
	up, keys := 0, map[string]bool{}
	for _, s := range m.servers() {
		if s.IsUp {
			up++
			keys[s.HostKey] = true
		}
	}
	m.stats.Servers.Store(int64(up))
	if before := m.stats.HostKeys.Swap(int64(len(keys))); before <= 1 && len(keys) > 1 {
		m.cfg.Log.Warn("the servers of this database have different host keys, of which players' clients warn: start "+
			"all with the same --host-key", "event", "host-keys-differ", "own", m.cfg.HostKey, "keys", len(keys))
	}
}

// stableSince is the time from which on everyone has been able to record their coming and going; now if they cannot.
func (m *membership) stableSince(now time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isLate(now) {
		return now
	}
	return m.stable
}

// countDowntime counts the time before the start of this node as an outage, from the last sign of any node: the newest
// event, or a heartbeat.
func (m *membership) countDowntime(r *index) {
	r.mu.Lock()
	newest := r.newest
	r.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, server := range m.seen {
		newest = latest(newest, server.LastSeen)
	}
	m.outages.add(newest, m.started)
}

// outagesUntil returns the times up to now in which this node could record nothing, the last of which may go on.
func (m *membership) outagesUntil(now time.Time) []period {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Clone(m.outages)
	if m.isLate(now) {
		all = append(all, period{m.well, now})
	}
	return all
}

// isLate reports whether an outage goes on: the next check should have succeeded. Tables ask as well, because a process
// that stood still may let them run first. The caller holds the lock.
func (m *membership) isLate(now time.Time) bool {
	return m.health.trouble != nil || now.Sub(m.well) > lateAfter
}

// lostSince returns since when the node of the player to move has been down, if e records that the player is away
// because it is; else the time of e. A node that stops says so, and is missed at once.
func (m *membership) lostSince(s *match.State, e match.Event) time.Time {
	node := s.SeatState(e.Seat).Node
	if e.Kind != match.Left || e.Seat != s.Turn() || node == m.self {
		return e.At
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen[node].LastSeen.IsZero() {
		return e.At
	}
	return latest(m.seen[node].LastSeen, m.beating)
}

// health is whether this node can record, by the latest check.
type health struct {
	trouble error // why nothing can be recorded; nil if events can be recorded
	cutOff  bool  // the trouble has lasted for cutOffAfter: players are told, and no new matches begin here
}

// refuse returns an error if this node is cut off, so that no player waits in vain for a new match to be recorded.
func (m *membership) refuse() error {
	if h := m.status(); h.cutOff {
		return h.trouble
	}
	return nil
}

// beat checks whether this node can record, and sends a heartbeat if it can and one is due. It reports whether it sent
// one, and whether an outage has ended or is to be told. A node that can put entries but not record moves sends none:
// that time must not count for absence.
func (m *membership) beat(ctx context.Context) (signed, isNews bool) {
	begun := m.cfg.Journal.Now()
	inTime, cancel := context.WithTimeout(ctx, min(m.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	err := m.cfg.Journal.Check(inTime)
	if err == nil && m.isHeartbeatDue(m.cfg.Journal.Now()) {
		err = m.putHeartbeat(inTime)
		signed = err == nil
	}
	if ctx.Err() != nil {
		return signed, false
	}
	return signed, m.log(begun, err)
}

// putHeartbeat puts this node's entry again.
func (m *membership) putHeartbeat(ctx context.Context) error {
	own := m.entry()
	_, err := m.cfg.Registry.Put(ctx, own)
	if errors.Is(err, match.ErrConflict) && own.Revision != 0 { // the entry has expired
		own.Revision = 0
		_, err = m.cfg.Registry.Put(ctx, own)
	}
	return err
}

// removeHeartbeat notifies the other nodes at once that this node stops.
func (m *membership) removeHeartbeat() {
	ctx, cancel := context.WithTimeout(context.Background(), min(m.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	if err := m.cfg.Registry.Delete(ctx, m.entry()); err != nil {
		m.cfg.Log.Debug("the other nodes will find out that this one has gone",
			"event", "heartbeat-left", "error", err)
	}
}

// log stores the result of a check, logs a change, and reports whether an outage has ended or is to be told.
func (m *membership) log(begun time.Time, err error) (isNews bool) {
	trouble := err
	if err != nil && !errors.Is(err, match.ErrUnavailable) {
		trouble = match.ErrUnavailable // the rest of err is not for players
	}
	was, is, out := m.assess(begun, trouble)
	m.stats.Troubled.Store(is.trouble != nil)
	switch {
	case err != nil && was.trouble == nil:
		m.cfg.Log.Warn("this server cannot record anything: it is not ready until it can",
			"event", "recording-stopped", "error", err)
	case err == nil && was.trouble != nil:
		m.cfg.Log.Info("this server can record again; the time in which it could not is charged to no player",
			"event", "recording-resumed", "not_charged_ms", out.Milliseconds())
	case out > 0:
		m.cfg.Log.Info("the database did not answer in time; that time is charged to no player",
			"event", "recording-late", "not_charged_ms", out.Milliseconds())
	}
	return was.cutOff != is.cutOff || out > 0
}

// assess returns the health before and after a check, and the length of the outage that has ended with it.
func (m *membership) assess(begun time.Time, err error) (was, is health, out time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was = m.health
	now := m.cfg.Journal.Now()
	if err != nil {
		m.health = health{err, now.Sub(m.well) > cutOffAfter}
		return was, m.health, 0
	}
	if m.isLate(now) {
		out, m.stable = now.Sub(m.well), now
		m.outages.add(m.well, now)
		if out > 2*heartbeatInterval {
			m.beating = now
		}
	}
	m.well, m.health = begun, health{}
	return was, m.health, out
}

// status returns the latest health.
func (m *membership) status() health {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.health
}

// isHeartbeatDue reports whether it is time for the next heartbeat.
func (m *membership) isHeartbeatDue(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.health.trouble != nil || now.Sub(m.last) > heartbeatInterval*5/6
}

// entry returns the next version of this node's entry.
func (m *membership) entry() match.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return match.Entry{Key: nodeKey + string(m.self), Text: m.about, Revision: m.heartbeat}
}

// heartbeatLoop checks whether events can be recorded, and sends heartbeats, until the manager closes. signs receives a
// value after each heartbeat.
func (m *Manager) heartbeatLoop(signs chan<- struct{}) {
	defer m.tables.membership.removeHeartbeat()
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		signed, isNews := m.tables.membership.beat(m.tables.ctx)
		if isNews {
			m.tables.wakeAll()
			m.lobby.SetCutOff(m.tables.membership.status().cutOff)
		}
		if signed {
			m.tables.membership.count()
			select {
			case signs <- struct{}{}:
			default: // the last round goes on
			}
		}
		select {
		case <-tick.C:
		case <-m.tables.ctx.Done():
			return
		}
	}
}

// tendLoop renews tickets and adopts orphaned matches after each heartbeat, until the manager closes. This may take
// long, and a late check counts as an outage, so it has a goroutine of its own.
func (m *Manager) tendLoop(signs <-chan struct{}) {
	up := []match.Node(nil)
	for {
		select {
		case <-signs:
		case <-m.tables.ctx.Done():
			return
		}
		match.RecoverPanic(m.cfg.Log, "tending", func() {
			if now := m.tables.membership.up(); !slices.Equal(now, up) {
				up = now
				m.tables.wakeAll() // nodes may have failed, and their players with them
			}
			ctx, cancel := context.WithTimeout(m.tables.ctx, heartbeatInterval)
			defer cancel()
			m.lobby.Renew(ctx)
			m.tables.adoptOrphans(up)
		})
	}
}
