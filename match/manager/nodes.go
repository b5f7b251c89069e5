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
	pulse   = 3 * time.Second // between two signs of life
	nodeKey = "node."         // of the notes that say that a node is up
)

// nodes is which nodes of the house are up, by the notes that they pin on the board. All times are the journal's.
type nodes struct {
	self match.Node

	mu     sync.Mutex
	seen   map[match.Node]time.Time // when its note was pinned
	last   time.Time                // when this node's own note was pinned
	sign   uint64                   // the revision of that note, 0 if it was taken down
	steady time.Time                // since when that has been done without a gap; zero if always
	begun  time.Time
	health health
}

func newNodes(self match.Node, now time.Time) *nodes {
	return &nodes{self: self, seen: make(map[match.Node]time.Time), begun: now}
}

// look takes in a note of the board.
func (n *nodes) look(note match.Note) {
	name, isNode := strings.CutPrefix(note.Key, nodeKey)
	if !isNode {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	node := match.Node(name)
	switch {
	case note.Text == nil:
		delete(n.seen, node)
		if node == n.self {
			n.sign = 0
		}
		return
	case node == n.self:
		n.sign = note.Revision
		if !n.last.IsZero() && note.At.Sub(n.last) > 2*pulse {
			n.steady = note.At
		}
		n.last = note.At
	}
	n.seen[node] = note.At
}

// isAway reports whether the node at which a player should be has given no sign of life for [NoteLife] while this one could: after a time
// in which nobody could, all have that long again. The player's coming was a sign, too.
func (n *nodes) isAway(c match.Chair) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.silent(c.Node) && n.last.Sub(c.Since) > match.NoteLife
}

// isDown reports whether a node has given no sign of life for [NoteLife] while this one could.
func (n *nodes) isDown(node match.Node) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.silent(node)
}

func (n *nodes) silent(node match.Node) bool {
	return node != n.self && n.last.Sub(latest(n.seen[node], n.steady)) > match.NoteLife
}

// up is the nodes that are up, this one among them, in order.
func (n *nodes) up() []match.Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	up := []match.Node{n.self}
	for node, at := range n.seen {
		switch {
		case node == n.self:
		case n.last.Sub(at) > 4*match.NoteLife:
			delete(n.seen, node)
		case !n.silent(node):
			up = append(up, node)
		}
	}
	slices.Sort(up)
	return up
}

// steadySince is the time from which on everyone has been able to record their coming and going; now if they cannot.
func (n *nodes) steadySince(now time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if now.Sub(n.last) > 2*pulse {
		return now
	}
	return n.steady
}

// keeperOf is the one of several nodes that looks after a match at which nobody is: all choose the same.
func keeperOf(id match.ID, among []match.Node) match.Node {
	return slices.MaxFunc(among, func(a, b match.Node) int { return cmp.Compare(lotOf(id, a), lotOf(id, b)) })
}

func lotOf(id match.ID, n match.Node) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(string(n) + " " + string(id))) // never fails
	return hash.Sum64()
}
