package limit

import (
	"context"
	"net/netip"
	"sync"
)

// Turns shares the processors fairly among networks. A limit of each address is not enough: thirty addresses, each
// within its limit, can keep all processors busy with their key presses. The server draws screens and pictures and
// reviews matches only during a turn. It allows one turn less than it has processors, and leaves one processor to the
// matches. Waiting networks get turns in rotation. Turns is safe for concurrent use.
type Turns struct {
	mu      sync.Mutex
	free    int
	waiting map[netip.Prefix][]chan struct{} // each is closed when its turn comes
	next    []netip.Prefix                   // waiting networks in the order of their turns
}

// NewTurns allows atOnce turns at once.
func NewTurns(atOnce int) *Turns {
	return &Turns{free: atOnce, waiting: map[netip.Prefix][]chan struct{}{}}
}

// Take waits for a turn. The caller must not wait for anything during the turn, and ends it with [Turns.GiveBack].
func (t *Turns) Take(network netip.Prefix) {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return
	}
	turn := make(chan struct{})
	if len(t.waiting[network]) == 0 {
		t.next = append(t.next, network)
	}
	t.waiting[network] = append(t.waiting[network], turn)
	t.mu.Unlock()
	<-turn
}

// Do calls do in a turn of the network. It does not call do if ctx has ended by then, because the client has left.
// do must not wait.
func (t *Turns) Do(ctx context.Context, network netip.Prefix, do func()) {
	t.Take(network)
	defer t.GiveBack()
	if ctx.Err() == nil {
		do()
	}
}

// Waiters returns the number of waiting networks.
func (t *Turns) Waiters() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.next)
}

// GiveBack ends a turn.
func (t *Turns) GiveBack() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.next) == 0 {
		t.free++
		return
	}
	network := t.next[0]
	t.next = t.next[1:]
	all := t.waiting[network]
	close(all[0])
	if t.waiting[network] = all[1:]; len(all) > 1 {
		t.next = append(t.next, network)
	} else {
		delete(t.waiting, network)
	}
}
