package tui

import (
	"slices"
	"sync"

	"notakto/match/lobby"
)

// closer is a handle on a table or a place in a queue.
type closer interface{ Close() }

// queued makes a seek a closer.
type queued struct{ *lobby.Seek }

// Close gives the place in the queue up.
func (q queued) Close() { q.Cancel() }

// handles is everything that this session holds open. Commands open handles on goroutines of their own, perhaps while
// the session ends: one that comes too late is closed at once, so that no player stays at a table without a session.
type handles struct {
	mu     sync.Mutex
	closed bool
	open   []closer
}

// keep takes charge of c. False means that the session has ended, and that c is closed.
func (h *handles) keep(c closer) bool {
	h.mu.Lock()
	shut := h.closed
	if !shut {
		h.open = append(h.open, c)
	}
	h.mu.Unlock()
	if shut {
		c.Close()
	}
	return !shut
}

// drop closes c and forgets it.
func (h *handles) drop(c closer) {
	h.mu.Lock()
	h.open = slices.DeleteFunc(h.open, func(other closer) bool { return other == c })
	h.mu.Unlock()
	c.Close()
}

// close closes everything, now and from now on.
func (h *handles) close() {
	h.mu.Lock()
	open := h.open
	h.open, h.closed = nil, true
	h.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
}
