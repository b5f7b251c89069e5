package manager

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"

	"notakto/match"
)

const (
	heartbeatInterval = 3 * time.Second // between two signs of life
	nodeKey           = "node."         // of the entries that say that a node is up
)

// membership is which nodes of the cluster are up, by the entries that they pin on the registry. All times are the
// journal's.
type membership struct {
	cfg   Config
	self  match.Node
	stats *Stats

	mu        sync.Mutex
	seen      map[match.Node]time.Time // when its entry was put
	last      time.Time                // when this node's own entry was put
	heartbeat uint64                   // the revision of that entry, 0 if it was taken down
	stable    time.Time                // since when that has been done without a gap; zero if always
	outages   outages                  // gaps in them, and the time before the start
	started   time.Time
	health    health
}

func newMembership(cfg Config) *membership {
	self := cmp.Or(cfg.node, drawNode())
	return &membership{
		cfg: cfg, self: self, stats: new(Stats), seen: make(map[match.Node]time.Time), started: cfg.Journal.Now(),
	}
}

// apply takes in an entry of the registry.
func (n *membership) apply(entry match.Entry) {
	name, isNode := strings.CutPrefix(entry.Key, nodeKey)
	if !isNode {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	node := match.Node(name)
	switch {
	case entry.Text == nil:
		delete(n.seen, node)
		if node == n.self {
			n.heartbeat = 0
		}
		return
	case node == n.self:
		n.heartbeat = entry.Revision
		if !n.last.IsZero() && entry.At.Sub(n.last) > 2*heartbeatInterval {
			n.stable = entry.At
			n.outages.add(n.last, entry.At)
		}
		n.last = entry.At
	}
	n.seen[node] = entry.At
}

// isAway reports whether the node at which a player should be has given no sign of life for [NoteLife] while this one
// could: after a time in which no node could, all have that long again. The player's coming was a sign, too.
func (n *membership) isAway(c match.SeatState) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.isUnresponsive(c.Node) && n.last.Sub(c.Since) > match.EntryTTL
}

// isDown reports whether a node has given no sign of life for [NoteLife] while this one could.
func (n *membership) isDown(node match.Node) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.isUnresponsive(node)
}

func (n *membership) isUnresponsive(node match.Node) bool {
	return node != n.self && n.last.Sub(latest(n.seen[node], n.stable)) > match.EntryTTL
}

// up is the nodes that are up, this one among them, in order.
func (n *membership) up() []match.Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	up := []match.Node{n.self}
	for node, at := range n.seen {
		switch {
		case node == n.self:
		case n.last.Sub(at) > 4*match.EntryTTL:
			delete(n.seen, node)
		case !n.isUnresponsive(node):
			up = append(up, node)
		}
	}
	slices.Sort(up)
	return up
}

// stableSince is the time from which on everyone has been able to record their coming and going; now if they cannot.
func (n *membership) stableSince(now time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if now.Sub(n.last) > 2*heartbeatInterval {
		return now
	}
	return n.stable
}

// ownerOf is the node that adopts an orphaned match: all nodes choose the same.
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

// countDowntime counts the time before the start of this node as an outage, from the last sign of any node: the newest
// event, or a heartbeat.
func (n *membership) countDowntime(r *index) {
	r.mu.Lock()
	newest := r.newest
	r.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, at := range n.seen {
		newest = latest(newest, at)
	}
	n.outages.add(newest, n.started)
}

// outagesUntil returns the times up to now in which this node could record nothing, the last of which may go on.
func (n *membership) outagesUntil(now time.Time) []period {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := n.outages.until(now)
	if begun := latest(n.last, n.started); now.Sub(begun) > 2*heartbeatInterval {
		all = append(all, period{begun, now})
	}
	return all
}

// lostSince returns since when the node of the player to move has been down, if e records that the player is away
// because it is; else the time of e. A node that stops says so, and is missed at once.
func (n *membership) lostSince(s *match.State, e match.Event) time.Time {
	node := s.SeatState(e.Seat).Node
	if e.Kind != match.Left || e.Seat != s.Turn() || node == n.self {
		return e.At
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen[node].IsZero() {
		return e.At
	}
	return latest(n.seen[node], n.stable)
}
