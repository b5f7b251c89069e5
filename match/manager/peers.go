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
	nodeKey           = "node."         // prefix of the keys of heartbeats in the registry

	checkInterval = time.Second                          // between two checks whether this node can record
	lateAfter     = checkInterval + 500*time.Millisecond // from the start of a good check to the end of the next
	cutOffAfter   = 2 * heartbeatInterval                // from the last good check until players are told
	longOutage    = 2 * heartbeatInterval                // a longer outage may have delayed heartbeats of all nodes
)

// Server describes a server that shares the database ([Manager.Servers]). The JSON form is the text of a heartbeat.
type Server struct {
	Node     match.Node `json:"-"`
	Version  string     `json:"version"`
	HostKey  string     `json:"host_key"` // the fingerprint
	Since    time.Time  `json:"since"`    // when the server started
	LastSeen time.Time  `json:"-"`        // when the server sent its last heartbeat
	IsUp     bool       `json:"-"`
}

// peers finds the nodes that are up by their heartbeats in the registry. Method beat checks whether this node can
// record. If a check fails or is later than lateAfter, an outage lasts from the start of the last good check to the end
// of the next good check.
//
// Silence of a node counts only up to the last heartbeat of this node. While this node cannot send heartbeats,
// isDown therefore finds no further node.
//
// Times come from the journal. beat is for heartbeatLoop only. The methods except beat are safe for concurrent use.
type peers struct {
	cfg   Config
	self  match.Node
	about []byte // the text of this node's heartbeat
	stats *Stats

	mu            sync.Mutex
	seen          map[match.Node]Server
	lastBeat      time.Time // time of this node's last heartbeat, as delivered by the registry
	revision      uint64    // of this node's entry, 0 without one
	trouble       error     // why the latest check failed, or nil
	cutOff        bool      // no good check for cutOffAfter (players are told, and no match begins here)
	lastGood      time.Time // start of the last good check, or of the node before the first good check
	outages       outages   // of this node since its start
	outageEnd     time.Time // end of the last outage since the start, or zero
	longOutageEnd time.Time // end of the last outage above longOutage, or zero
}

func newPeers(cfg Config, stats *Stats) *peers {
	started := cfg.Journal.Now()
	about, _ := json.Marshal(Server{Version: cfg.Version, HostKey: cfg.HostKey, Since: started.UTC()})
	return &peers{
		cfg: cfg, self: cmp.Or(cfg.Node, NewNode("")), about: about, stats: stats,
		seen: make(map[match.Node]Server), lastGood: started,
	}
}

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
		p.revision, p.lastBeat = entry.Revision, entry.At
	}
	server := p.seen[node]
	if server.LastSeen.IsZero() {
		_ = json.Unmarshal(entry.Text, &server) // fields that another version writes otherwise stay empty
	}
	server.Node, server.LastSeen = node, entry.At
	p.seen[node] = server
}

// isLost reports whether the player of a seat is at a node that is down. The player's arrival at the node counts as a
// heartbeat of the node.
func (p *peers) isLost(seat match.Seat) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isDownLocked(seat.Node) && p.lastBeat.Sub(seat.Since) > match.EntryTTL
}

// isDown reports whether another node was silent for [match.EntryTTL] at this node's last heartbeat. After a long
// outage, the silence begins at the end of the outage.
func (p *peers) isDown(node match.Node) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isDownLocked(node)
}

// isDownLocked is isDown. The caller holds the lock.
func (p *peers) isDownLocked(node match.Node) bool {
	return node != p.self && p.lastBeat.Sub(p.silentSince(node)) > match.EntryTTL
}

// silentSince returns the time of a node's last heartbeat, or the end of the last long outage if that is later. The
// caller holds the lock.
func (p *peers) silentSince(node match.Node) time.Time {
	return latest(p.seen[node].LastSeen, p.longOutageEnd)
}

// failureTime returns the probable time of a node's failure, or zero if no failure before the given time is known. Two
// intervals without a heartbeat are a failure here, although isDown waits for [match.EntryTTL].
func (p *peers) failureTime(node match.Node, before time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := p.seen[node].LastSeen
	if seen.IsZero() || seen.After(before) || p.lastBeat.Sub(seen) <= 2*heartbeatInterval {
		return time.Time{}
	}
	return p.silentSince(node)
}

// up returns the nodes that are up, this one included, in the order of their names. Nodes that have been silent for
// much longer than EntryTTL are forgotten.
func (p *peers) up() []match.Node {
	p.mu.Lock()
	defer p.mu.Unlock()
	up := []match.Node{p.self}
	for node, server := range p.seen {
		switch {
		case node == p.self:
		case p.lastBeat.Sub(server.LastSeen) > 4*match.EntryTTL:
			delete(p.seen, node)
		case !p.isDownLocked(node):
			up = append(up, node)
		}
	}
	slices.Sort(up)
	return up
}

func (p *peers) servers() []Server {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.SortedFunc(maps.Values(p.seen), func(a, b Server) int { return cmp.Compare(a.Node, b.Node) })
	for i := range all {
		all[i].IsUp = !p.isDownLocked(all[i].Node)
	}
	return all
}

func (p *peers) countServers() {
	up, keys := 0, map[string]bool{}
	for _, s := range p.servers() {
		if s.IsUp {
			up++
			keys[s.HostKey] = true
		}
	}
	p.stats.Servers.Store(int64(up))
	if before := p.stats.HostKeys.Swap(int64(len(keys))); before <= 1 && len(keys) > 1 {
		p.cfg.Log.Warn("the servers of this database have different host keys, so players' clients warn of them: start "+
			"all with the same --host-key", "event", "host-keys-differ", "own", p.cfg.HostKey, "keys", len(keys))
	}
}

// stableSince returns the time since which arrivals and departures of players could be recorded. The result is the end
// of the last outage, now during an outage, or zero without an outage.
func (p *peers) stableSince(now time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isLate(now) {
		return now
	}
	return p.outageEnd
}

// outagesUntil returns the outages of this node until now, and those before its start. An outage that goes on ends at
// now in the result.
func (p *peers) outagesUntil(now time.Time) []match.Period {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.Concat(p.cfg.Journal.Outages(), p.outages)
	if p.isLate(now) {
		all = append(all, match.Period{From: p.lastGood, To: now})
	}
	return all
}

// isLate reports whether an outage is going on. Either the last check has failed, or the next check is overdue. After a
// pause of the process, a table may run before the next check. The caller holds the lock.
func (p *peers) isLate(now time.Time) bool {
	return p.trouble != nil || now.Sub(p.lastGood) > lateAfter
}

// outageStart returns the start of the time that no clock charges while e is being recorded. The start is e.At, unless
// e records that the player to move has left with a failed node. The start is then the beginning of the node's silence.
// A node that deleted its entry when it stopped has not failed.
func (p *peers) outageStart(s *match.State, e match.Event) time.Time {
	node := s.Seat(e.Seat).Node
	if e.Kind != match.Left || e.Seat != s.Turn() || node == p.self {
		return e.At
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen[node].LastSeen.IsZero() {
		return e.At
	}
	return p.silentSince(node)
}

// refuse returns an error if this node is cut off, to spare players a wait for a match that cannot be recorded.
func (p *peers) refuse() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cutOff {
		return p.trouble
	}
	return nil
}

func (p *peers) isCutOff() bool { return p.refuse() != nil }

// beat checks whether this node can record. If so, beat sends a heartbeat when one is due. A node that cannot record
// sends no heartbeat. Other nodes then count the node as down, and record that its players are away. isNews reports
// whether an outage has ended or cutOff has changed.
func (p *peers) beat(ctx context.Context) (sent, isNews bool) {
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
		sent = err == nil
	}
	if ctx.Err() != nil {
		return sent, false
	}

	p.mu.Lock()
	wasTroubled, wasCutOff, now, out := p.trouble != nil, p.cutOff, p.cfg.Journal.Now(), time.Duration(0)
	if err != nil {
		p.trouble, p.cutOff = err, now.Sub(p.lastGood) > cutOffAfter
		if !errors.Is(err, match.ErrUnavailable) {
			p.trouble = match.ErrUnavailable // the rest of err is not for players
		}
	} else {
		if p.isLate(now) {
			out, p.outageEnd = now.Sub(p.lastGood), now
			p.outages.add(p.lastGood, now)
			if out > longOutage {
				p.longOutageEnd = now
			}
		}
		p.lastGood, p.trouble, p.cutOff = begun, nil, false
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
	return sent, isNews
}

func (p *peers) ownEntry() (own match.Entry, isDue bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// Checks come once a second. With the whole interval, a heartbeat could be a second late.
	isDue = p.trouble != nil || p.cfg.Journal.Now().Sub(p.lastBeat) > heartbeatInterval*5/6
	return match.Entry{Key: nodeKey + string(p.self), Text: p.about, Revision: p.revision}, isDue
}

// leave deletes this node's entry, to tell the cluster at once that this node stops.
func (p *peers) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), min(p.cfg.JournalTimeout, heartbeatInterval))
	defer cancel()
	own, _ := p.ownEntry()
	err := p.cfg.Journal.Delete(ctx, own)
	// A heartbeat under way when the manager closed may be stored between ownEntry and Delete.
	if errors.Is(err, match.ErrConflict) {
		own, _ = p.ownEntry()
		err = p.cfg.Journal.Delete(ctx, own)
	}
	if err != nil {
		p.cfg.Log.Debug("cannot tell the other nodes that this one stops; they will notice",
			"event", "heartbeat-left", "error", err)
	}
}

// heartbeatLoop checks whether this node can record, and sends heartbeats, until the manager closes. A value on
// beats follows each heartbeat.
func (m *Manager) heartbeatLoop(beats chan<- struct{}) {
	defer m.tables.peers.leave()
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	for {
		sent, isNews := m.tables.peers.beat(m.tables.ctx)
		if isNews {
			m.tables.index.wakeAll()
			m.lobby.SetCutOff(m.tables.peers.isCutOff())
		}
		if sent {
			m.tables.peers.countServers()
			select {
			case beats <- struct{}{}:
			default:
			}
		}
		select {
		case <-tick.C:
		case <-m.tables.ctx.Done():
			return
		}
	}
}
