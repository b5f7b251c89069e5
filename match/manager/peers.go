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
	heartbeatInterval = 3 * time.Second // between two heartbeats of a node
	nodeKey           = "node."         // prefix of the keys of nodes' entries, which are their heartbeats

	checkInterval = time.Second                          // between two checks whether this node can record
	lateAfter     = checkInterval + 500*time.Millisecond // from the start of a good check to the end of the next
	cutOffAfter   = 2 * heartbeatInterval                // from the last good check until players are told
)

// Server describes a server that shares the database: see [Manager.Servers]. Its JSON form is the text of the node's
// entry.
type Server struct {
	Node     match.Node `json:"-"`
	Version  string     `json:"version"`
	HostKey  string     `json:"host_key"` // the fingerprint
	Since    time.Time  `json:"since"`    // when the server started
	LastSeen time.Time  `json:"-"`        // when it sent its last heartbeat
	IsUp     bool       `json:"-"`
}

// peers tracks which nodes are up, by their heartbeats in the registry, and whether this node can record. All
// times are those of the journal. Its methods may be called from any goroutine.
type peers struct {
	cfg   Config
	self  match.Node
	about []byte // the text of this node's entry
	stats *Stats

	mu        sync.Mutex
	seen      map[match.Node]Server
	last      time.Time // the last heartbeat of this node
	heartbeat uint64    // the revision of this node's entry; 0 if there is none
	started   time.Time
	health    health
	well      time.Time // when the last good check began; at first the start
	outages   outages   // the periods without a good check, and the time before the start
	stable    time.Time // when the last outage since the start ended; zero without one
	beating   time.Time // when the last outage long enough for nodes to miss heartbeats ended; zero without one
}

func newPeers(cfg Config, stats *Stats) *peers {
	m := &peers{
		cfg: cfg, self: cmp.Or(cfg.Node, NewNode("")), stats: stats, seen: make(map[match.Node]Server),
		started: cfg.Journal.Now(),
	}
	m.well = m.started
	m.about, _ = json.Marshal(Server{Version: cfg.Version, HostKey: cfg.HostKey, Since: m.started.UTC()}) // never fails
	return m
}

// apply takes an entry of the registry. It ignores entries that are not of nodes.
func (m *peers) apply(entry match.Entry) {
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
		_ = json.Unmarshal(entry.Text, &server) // fields that another version writes otherwise stay empty
	}
	server.Node, server.LastSeen = node, entry.At
	m.seen[node] = server
}

// isAway reports whether the player's node has sent no heartbeat for [match.EntryTTL] although this node could. After
// an outage of all nodes the time begins again. The player's last arrival counts as a heartbeat.
func (m *peers) isAway(c match.SeatState) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isUnresponsive(c.Node) && m.last.Sub(c.Since) > match.EntryTTL
}

// isDown reports whether a node has sent no heartbeat for [match.EntryTTL] although this node could.
func (m *peers) isDown(node match.Node) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isUnresponsive(node)
}

// isUnresponsive is isDown. The caller holds the lock.
func (m *peers) isUnresponsive(node match.Node) bool {
	return node != m.self && m.last.Sub(latest(m.seen[node].LastSeen, m.beating)) > match.EntryTTL
}

// silentSince returns since when a node has probably failed: since its last heartbeat, or since the last outage if that
// ended later. It is zero if the node's last heartbeat came after before, or is at most two intervals older than that
// of this node.
func (m *peers) silentSince(node match.Node, before time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.seen[node].LastSeen
	if seen.IsZero() || seen.After(before) || m.last.Sub(seen) <= 2*heartbeatInterval {
		return time.Time{}
	}
	return latest(seen, m.beating)
}

// up returns the nodes that are up, in order, with this one. It forgets nodes that were silent for long.
func (m *peers) up() []match.Node {
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

// servers returns the servers that have sent a heartbeat lately, with this one, in the order of their nodes. up forgets
// the others.
func (m *peers) servers() []Server {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.SortedFunc(maps.Values(m.seen), func(a, b Server) int { return cmp.Compare(a.Node, b.Node) })
	for i := range all {
		all[i].IsUp = !m.isUnresponsive(all[i].Node)
	}
	return all
}

// count sets the statistics of the servers that are up, and logs when their host keys begin to differ.
func (m *peers) count() {
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

// stableSince returns the end of the last outage: since then arrivals and departures of players could be recorded. It
// is zero without an outage, and now during one.
func (m *peers) stableSince(now time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isLate(now) {
		return now
	}
	return m.stable
}

// countDowntime counts the time before the start of this node as an outage. It begins with the newest event of a match
// or the newest heartbeat of any node.
func (m *peers) countDowntime(r *index) {
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

// outagesUntil returns the periods until now in which this node could not record. The last one may be going on.
func (m *peers) outagesUntil(now time.Time) []period {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Clone(m.outages)
	if m.isLate(now) {
		all = append(all, period{m.well, now})
	}
	return all
}

// isLate reports whether there is an outage: the last check has failed, or the next good one is overdue. Tables call it
// too, because after a pause of the process they may run before the next check. The caller holds the lock.
func (m *peers) isLate(now time.Time) bool {
	return m.health.trouble != nil || now.Sub(m.well) > lateAfter
}

// lostSince returns since when the player to move has been away, for an event e that records it. If the node of the
// player has failed, that is since its last heartbeat, or since the last outage if that ended later. Otherwise it is
// the time of e, also for a node that removed its entry when it stopped.
func (m *peers) lostSince(s *match.State, e match.Event) time.Time {
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

// health tells whether this node can record, by the latest check.
type health struct {
	trouble error // why events cannot be recorded; nil if they can
	cutOff  bool  // no check was good for cutOffAfter: players are told, and no new match begins here
}

// refuse returns an error if this node is cut off, so that no player waits in vain for a new match to be recorded.
func (m *peers) refuse() error {
	if h := m.status(); h.cutOff {
		return h.trouble
	}
	return nil
}

// beat checks whether this node can record, and if so, sends a heartbeat when one is due. signed reports whether it
// sent one, isNews whether an outage has ended or cutOff has changed. A node that can put entries but not record moves
// sends no heartbeat, because absence must not be measured then.
func (m *peers) beat(ctx context.Context) (signed, isNews bool) {
	begun := m.cfg.Journal.Now()
	inTime, cancel := context.WithTimeout(ctx, min(m.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	err := m.cfg.Journal.Check(inTime)
	if own, isDue := m.nextHeartbeat(m.cfg.Journal.Now()); err == nil && isDue {
		_, err = m.cfg.Journal.Put(inTime, own)
		if errors.Is(err, match.ErrConflict) && own.Revision != 0 { // the entry has expired
			own.Revision = 0
			_, err = m.cfg.Journal.Put(inTime, own)
		}
		signed = err == nil
	}
	if ctx.Err() != nil {
		return signed, false
	}
	return signed, m.log(begun, err)
}

// nextHeartbeat returns the next version of this node's entry, which is its heartbeat, and whether it is due.
func (m *peers) nextHeartbeat(now time.Time) (own match.Entry, isDue bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	isDue = m.health.trouble != nil || now.Sub(m.last) > heartbeatInterval*5/6
	return match.Entry{Key: nodeKey + string(m.self), Text: m.about, Revision: m.heartbeat}, isDue
}

// removeHeartbeat deletes this node's entry, so that the other nodes know at once that this node stops.
func (m *peers) removeHeartbeat() {
	ctx, cancel := context.WithTimeout(context.Background(), min(m.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	own, _ := m.nextHeartbeat(m.cfg.Journal.Now())
	if err := m.cfg.Journal.Delete(ctx, own); err != nil {
		m.cfg.Log.Debug("the other nodes will find out that this one has gone",
			"event", "heartbeat-left", "error", err)
	}
}

// log takes the result of a check and logs a change. It reports whether an outage has ended or cutOff has changed.
func (m *peers) log(begun time.Time, err error) (isNews bool) {
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

// assess sets the health by the result of a check. It returns the health before and after, and the length of the outage
// that the check has ended; 0 if it has ended none.
func (m *peers) assess(begun time.Time, err error) (was, is health, out time.Duration) {
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

// status returns the health by the latest check.
func (m *peers) status() health {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.health
}

// heartbeatLoop checks whether this node can record, and sends heartbeats, until the manager closes. It sends on signs
// after each heartbeat, unless tendLoop is still busy with the one before.
func (m *Manager) heartbeatLoop(signs chan<- struct{}) {
	defer m.tables.peers.removeHeartbeat()
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		signed, isNews := m.tables.peers.beat(m.tables.ctx)
		if isNews {
			m.tables.index.wakeAll()
			m.lobby.SetCutOff(m.tables.peers.status().cutOff)
		}
		if signed {
			m.tables.peers.count()
			select {
			case signs <- struct{}{}:
			default: // tendLoop is busy
			}
		}
		select {
		case <-tick.C:
		case <-m.tables.ctx.Done():
			return
		}
	}
}

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
