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

// peers knows which nodes are up, by their heartbeats in the registry, and whether this node can record, by its own
// checks. All times are those of the journal. Methods may be called from any goroutine. Only heartbeatLoop calls beat.
type peers struct {
	cfg     Config
	self    match.Node
	about   []byte // the text of this node's entry
	stats   *Stats
	started time.Time

	mu       sync.Mutex
	seen     map[match.Node]Server
	last     time.Time // the last heartbeat of this node, as the registry delivered it
	revision uint64    // of this node's entry; 0 if there is none
	trouble  error     // why nothing can be recorded, by the latest check; nil if events can be
	cutOff   bool      // no check was good for cutOffAfter: players are told, and no new match begins here
	well     time.Time // when the last good check began; at first the start
	outages  outages   // the periods without a good check, and the time before the start
	stable   time.Time // the end of the last outage since the start; zero without one
	beating  time.Time // the end of the last outage in which nodes may have missed heartbeats; zero without one
}

func newPeers(cfg Config, stats *Stats) *peers {
	started := cfg.Journal.Now()
	about, _ := json.Marshal(Server{Version: cfg.Version, HostKey: cfg.HostKey, Since: started.UTC()}) // never fails
	return &peers{
		cfg: cfg, self: cmp.Or(cfg.Node, NewNode("")), about: about, stats: stats, started: started,
		seen: make(map[match.Node]Server), well: started,
	}
}

// apply follows an entry of the registry. It ignores entries that are not of nodes.
func (p *peers) apply(entry match.Entry) {
	name, isNode := strings.CutPrefix(entry.Key, nodeKey)
	if !isNode {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	node := match.Node(name)
	switch {
	case entry.Text == nil:
		delete(p.seen, node)
		if node == p.self {
			p.revision = 0
		}
		return
	case node == p.self:
		p.revision, p.last = entry.Revision, entry.At
	}
	server := p.seen[node]
	if server.LastSeen.IsZero() {
		_ = json.Unmarshal(entry.Text, &server) // fields that another version writes otherwise stay empty
	}
	server.Node, server.LastSeen = node, entry.At
	p.seen[node] = server
}

// isAway reports whether the player's node has sent no heartbeat for [match.EntryTTL] although this node could. After
// an outage of all nodes the time begins again. The player's last arrival counts as a heartbeat.
func (p *peers) isAway(c match.SeatState) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isUnresponsive(c.Node) && p.last.Sub(c.Since) > match.EntryTTL
}

// isDown reports whether a node has sent no heartbeat for [match.EntryTTL] although this node could.
func (p *peers) isDown(node match.Node) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isUnresponsive(node)
}

// isUnresponsive is isDown. The caller holds the lock.
func (p *peers) isUnresponsive(node match.Node) bool {
	return node != p.self && p.last.Sub(latest(p.seen[node].LastSeen, p.beating)) > match.EntryTTL
}

// silentSince returns the time since which a node has probably failed: its last heartbeat, or the end of the last
// outage if that is later. It returns zero if no heartbeat of the node is known, if the last one is later than the
// given time, or if it is at most two intervals older than the last heartbeat of this node.
func (p *peers) silentSince(node match.Node, before time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := p.seen[node].LastSeen
	if seen.IsZero() || seen.After(before) || p.last.Sub(seen) <= 2*heartbeatInterval {
		return time.Time{}
	}
	return latest(seen, p.beating)
}

// up returns the nodes that are up, in order, with this one. It forgets nodes that were silent for long.
func (p *peers) up() []match.Node {
	p.mu.Lock()
	defer p.mu.Unlock()
	up := []match.Node{p.self}
	for node, server := range p.seen {
		switch {
		case node == p.self:
		case p.last.Sub(server.LastSeen) > 4*match.EntryTTL:
			delete(p.seen, node)
		case !p.isUnresponsive(node):
			up = append(up, node)
		}
	}
	slices.Sort(up)
	return up
}

// servers returns the servers that have sent a heartbeat lately, with this one, in the order of their nodes. Method up
// forgets servers that were silent for long.
func (p *peers) servers() []Server {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.SortedFunc(maps.Values(p.seen), func(a, b Server) int { return cmp.Compare(a.Node, b.Node) })
	for i := range all {
		all[i].IsUp = !p.isUnresponsive(all[i].Node)
	}
	return all
}

// count sets the statistics of the servers that are up, and logs when their host keys begin to differ.
func (p *peers) count() {
	up, keys := 0, map[string]bool{}
	for _, s := range p.servers() {
		if s.IsUp {
			up++
			keys[s.HostKey] = true
		}
	}
	p.stats.Servers.Store(int64(up))
	if before := p.stats.HostKeys.Swap(int64(len(keys))); before <= 1 && len(keys) > 1 {
		p.cfg.Log.Warn("the servers of this database have different host keys, of which players' clients warn: start "+
			"all with the same --host-key", "event", "host-keys-differ", "own", p.cfg.HostKey, "keys", len(keys))
	}
}

// stableSince returns the end of the last outage. Arrivals and departures of players could be recorded since then. It
// returns zero if there was no outage, and now during an outage.
func (p *peers) stableSince(now time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isLate(now) {
		return now
	}
	return p.stable
}

// countDowntime counts the time before the start of this node as an outage. It begins with the newest event of a match
// or the newest heartbeat of any node.
func (p *peers) countDowntime(r *index) {
	r.mu.Lock()
	newest := r.newest
	r.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, server := range p.seen {
		newest = latest(newest, server.LastSeen)
	}
	p.outages.add(newest, p.started)
}

// outagesUntil returns the periods until now in which this node could not record. The last one may be going on.
func (p *peers) outagesUntil(now time.Time) []period {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.Clone(p.outages)
	if p.isLate(now) {
		all = append(all, period{p.well, now})
	}
	return all
}

// isLate reports whether there is an outage: the last check has failed, or the next good one is overdue. Tables rely
// on the second case, because after a pause of the process they may run before the next check. The caller holds the
// lock.
func (p *peers) isLate(now time.Time) bool {
	return p.trouble != nil || now.Sub(p.well) > lateAfter
}

// lostSince returns when the connection of the player to move was lost, for an event e that records the player's
// departure from a node that failed. It is the time of the node's last heartbeat, or the end of the last outage if that
// is later. For every other e it returns the time of e, also if the node removed its entry when it stopped.
func (p *peers) lostSince(s *match.State, e match.Event) time.Time {
	node := s.SeatState(e.Seat).Node
	if e.Kind != match.Left || e.Seat != s.Turn() || node == p.self {
		return e.At
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen[node].LastSeen.IsZero() {
		return e.At
	}
	return latest(p.seen[node].LastSeen, p.beating)
}

// refuse returns an error if this node is cut off, so that no player waits in vain for a new match to be recorded.
func (p *peers) refuse() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cutOff {
		return p.trouble
	}
	return nil
}

func (p *peers) isCutOff() bool { return p.refuse() != nil }

// beat checks whether this node can record, and if so, sends a heartbeat when one is due. signed reports whether it
// sent one, isNews whether an outage has ended or cutOff has changed. A node that can put entries but not record moves
// sends no heartbeat, because absence must not be measured then.
func (p *peers) beat(ctx context.Context) (signed, isNews bool) {
	begun := p.cfg.Journal.Now()
	inTime, cancel := context.WithTimeout(ctx, min(p.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	err := p.cfg.Journal.Check(inTime)
	if own, isDue := p.ownEntry(); err == nil && isDue {
		_, err = p.cfg.Journal.Put(inTime, own)
		if errors.Is(err, match.ErrConflict) && own.Revision != 0 { // the entry has expired
			own.Revision = 0
			_, err = p.cfg.Journal.Put(inTime, own)
		}
		signed = err == nil
	}
	if ctx.Err() != nil {
		return signed, false
	}

	p.mu.Lock()
	wasTroubled, wasCutOff, now, out := p.trouble != nil, p.cutOff, p.cfg.Journal.Now(), time.Duration(0)
	if err != nil {
		p.trouble, p.cutOff = err, now.Sub(p.well) > cutOffAfter
		if !errors.Is(err, match.ErrUnavailable) {
			p.trouble = match.ErrUnavailable // the rest of err is not for players
		}
	} else {
		if p.isLate(now) {
			out, p.stable = now.Sub(p.well), now
			p.outages.add(p.well, now)
			if out > 2*heartbeatInterval {
				p.beating = now
			}
		}
		p.well, p.trouble, p.cutOff = begun, nil, false
	}
	isNews = p.cutOff != wasCutOff || out > 0
	p.mu.Unlock()

	p.stats.Troubled.Store(err != nil)
	switch {
	case err != nil && !wasTroubled:
		p.cfg.Log.Warn("this server cannot record anything: it is not ready until it can",
			"event", "recording-stopped", "error", err)
	case err == nil && wasTroubled:
		p.cfg.Log.Info("this server can record again; the time in which it could not is charged to no player",
			"event", "recording-resumed", "not_charged_ms", out.Milliseconds())
	case out > 0:
		p.cfg.Log.Info("the database did not answer in time; that time is charged to no player",
			"event", "recording-late", "not_charged_ms", out.Milliseconds())
	}
	return signed, isNews
}

// ownEntry returns the next version of this node's entry, which is its heartbeat, and whether it is due.
func (p *peers) ownEntry() (own match.Entry, isDue bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	isDue = p.trouble != nil || p.cfg.Journal.Now().Sub(p.last) > heartbeatInterval*5/6
	return match.Entry{Key: nodeKey + string(p.self), Text: p.about, Revision: p.revision}, isDue
}

// leave deletes this node's entry, so that the other nodes know at once that this node stops. A heartbeat that was
// under way when the manager closed may still be stored, which makes the first attempt fail with a conflict.
func (p *peers) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), min(p.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	own, _ := p.ownEntry()
	err := p.cfg.Journal.Delete(ctx, own)
	if errors.Is(err, match.ErrConflict) {
		own, _ = p.ownEntry()
		err = p.cfg.Journal.Delete(ctx, own)
	}
	if err != nil {
		p.cfg.Log.Debug("the other nodes will find out that this one has gone",
			"event", "heartbeat-left", "error", err)
	}
}

// heartbeatLoop checks whether this node can record, and sends heartbeats, until the manager closes. It sends on signs
// after each heartbeat, unless tendLoop is still busy with the one before.
func (m *Manager) heartbeatLoop(signs chan<- struct{}) {
	defer m.tables.peers.leave()
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		signed, isNews := m.tables.peers.beat(m.tables.ctx)
		if isNews {
			m.tables.index.wakeAll()
			m.lobby.SetCutOff(m.tables.peers.isCutOff())
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
