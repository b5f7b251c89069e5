package limit

import (
	"context"
	"net/netip"
	"sync"
)

// Turns shares the processors among the screens, pictures and reviews of all networks. Budgets bound what one address
// does, but the keys of thirty addresses, each within its own, keep all processors busy. So a screen is rendered only
// when it has a turn, and a match is drawn or analysed in the same way.
// There are fewer turns at once than processors, which leaves one to the matches, and networks that wait get them one
// after the other. Its methods may be called from any goroutine.
type Turns struct {
	mu      sync.Mutex
	free    int
	waiting map[netip.Prefix][]chan struct{} // closed when it is their turn
	next    []netip.Prefix                   // of those that wait, the one that is next comes first
}

// NewTurns shares out so many turns at once.
func NewTurns(atOnce int) *Turns {
	return &Turns{free: atOnce, waiting: map[netip.Prefix][]chan struct{}{}}
}

// Take waits for a turn, which has to be given back. A goroutine that has one must not wait for anything.
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

// Do does work that takes long when it is the network's turn, unless ctx has ended by then: a client that is gone has
// others wait for nothing. do must not wait.
func (t *Turns) Do(ctx context.Context, network netip.Prefix, do func()) {
	t.Take(network)
	defer t.GiveBack()
	if ctx.Err() == nil {
		do()
	}
}

// Waiters returns how many networks wait for a turn.
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
