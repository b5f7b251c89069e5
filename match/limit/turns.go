package limit

import (
	"context"
	"net/netip"
	"sync"
)

// Turns shares the processors among networks. The server draws screens, pictures and puzzles, and reviews matches, only
// during a turn. Waiting networks get turns in rotation. A network that has not waited lately gets its first turns
// before the others. A key press or a login then need not wait for the whole rotation. Turns is safe for concurrent
// use.
//
// Limits of addresses are not enough. The key presses of thirty addresses, each within its limit, can keep all
// processors busy.
type Turns struct {
	mu       sync.Mutex
	free     int
	networks map[netip.Prefix]*sharer // those in rotation
	first    []*sharer                // with turns before the rotation, the next one first
	rotation []*sharer                // the next one first
}

// sharer is a network in the rotation. A network without waiting callers leaves the rotation at its turn.
type sharer struct {
	network   netip.Prefix
	waiting   []chan struct{} // each is closed when its turn comes
	early     int             // turns that are left before the rotation
	isInFirst bool
}

// earlyTurns is enough for the first frame of a login, and for a key.
const earlyTurns = 3

// NewTurns allows atOnce turns at once. With fewer turns than processors, a processor is left to the matches.
func NewTurns(atOnce int) *Turns {
	return &Turns{free: atOnce, networks: map[netip.Prefix]*sharer{}}
}

// Take waits for a turn. During the turn, the caller must not wait. [Turns.GiveBack] ends the turn.
func (t *Turns) Take(network netip.Prefix) {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return
	}
	s := t.networks[network]
	if s == nil {
		s = &sharer{network: network, early: earlyTurns}
		t.networks[network] = s
		t.rotation = append(t.rotation, s)
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	t.preferEarly(s)
	t.mu.Unlock()
	<-turn
}

// preferEarly puts s in first if s waits and has early turns left. The caller holds the lock.
func (t *Turns) preferEarly(s *sharer) {
	if len(s.waiting) > 0 && s.early > 0 && !s.isInFirst {
		s.isInFirst = true
		t.first = append(t.first, s)
	}
}

// Do calls work in a turn of the network, unless ctx has ended by then, because the client has left. work must not
// wait.
func (t *Turns) Do(ctx context.Context, network netip.Prefix, work func()) {
	t.Take(network)
	defer t.GiveBack()
	if ctx.Err() == nil {
		work()
	}
}

// WaitingNetworks returns the number of networks that wait for a turn.
func (t *Turns) WaitingNetworks() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.networks {
		if len(s.waiting) > 0 {
			n++
		}
	}
	return n
}

// GiveBack ends a turn.
func (t *Turns) GiveBack() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.first) > 0 {
		s := t.first[0]
		t.first, s.isInFirst = t.first[1:], false
		if len(s.waiting) > 0 {
			s.early--
			s.next()
			t.preferEarly(s)
			return
		}
	}
	for len(t.rotation) > 0 {
		s := t.rotation[0]
		t.rotation = t.rotation[1:]
		if len(s.waiting) > 0 {
			s.next()
			t.rotation = append(t.rotation, s)
			return
		}
		delete(t.networks, s.network)
	}
	t.free++
}

func (s *sharer) next() {
	close(s.waiting[0])
	s.waiting = s.waiting[1:]
}
