package sshapp

import (
	"net/netip"
	"runtime"
	"sync"
)

// turns shares the processors among the screens of all networks. Budgets bound what one address does, but the keys of
// thirty addresses, each within its own, keep all processors busy. So a screen is rendered only when it has a turn.
// There are fewer turns at once than processors, which leaves one to the matches, and networks that wait get them one
// after the other. Its methods may be called from any goroutine.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting map[netip.Prefix][]chan struct{} // closed when it is their turn
	next    []netip.Prefix                   // of those that wait, the one that is next comes first
}

func newTurns() *turns {
	return &turns{free: max(1, runtime.GOMAXPROCS(0)-1), waiting: map[netip.Prefix][]chan struct{}{}}
}

// take waits for a turn, which has to be given back. A goroutine that has one must not wait for anything.
func (t *turns) take(network netip.Prefix) {
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

// giveBack ends a turn.
func (t *turns) giveBack() {
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
