package journal

import (
	"context"
	"sync"
)

// condition is a [sync.Cond] whose waiters can give up.
type condition struct {
	mu      *sync.Mutex
	changed chan struct{} // closed at the next change; nil without waiters
}

// broadcast wakes all waiters. The lock is held.
func (c *condition) broadcast() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// wait waits until holds is true. It calls holds under the lock.
func (c *condition) wait(ctx context.Context, holds func() bool) error {
	for {
		c.mu.Lock()
		if holds() {
			c.mu.Unlock()
			return nil
		}
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
