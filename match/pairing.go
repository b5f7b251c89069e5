package match

import (
	"slices"
	"time"

	"notakto/rules"
)

// pair lays tables for those who have waited longest. A table may take its time: the lobby does not wait for it.
func (l *Lobby) pair(v rules.Variant) {
	for len(l.queues[v]) >= 2 && !l.draining {
		a, b := l.queues[v][0], l.queues[v][1]
		l.queues[v] = slices.Delete(l.queues[v], 0, 2)
		a.pairing, b.pairing = true, true
		l.pairing.Go(func() { l.seat(a, b) })
	}
	if len(l.queues[v]) == 0 {
		delete(l.queues, v)
	}
	l.tell(v)
}

// seat opens a match for two. If that fails both get their places back, and are paired again a little later.
func (l *Lobby) seat(a, b *Seek) {
	m, id, err := l.manager, ID(""), errBroken
	contain(m.cfg.Log, "pairing", func() {
		id, _, err = m.open(m.ctx, opening{variant: a.status.Variant, players: placed(m.dice.side(), a.player, b.player)})
	})
	if err == nil {
		l.deliver(id, a, b)
		return
	}
	m.cfg.Log.Warn("two who waited could not be seated", "one", string(a.player.ID), "other", string(b.player.ID), "error", err)
	l.putBack(a, b)
	pause := time.NewTimer(backOff)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-m.ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pair(a.status.Variant)
}

// deliver tells two seeks their match, which is their end.
func (l *Lobby) deliver(id ID, seeks ...*Seek) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range seeks {
		s.status.Match = id
		s.box.put(s.status)
		l.end(s)
	}
}

// putBack gives two seeks their places in the queue back, unless they are not wanted any more.
func (l *Lobby) putBack(seeks ...*Seek) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range seeks {
		if s.pairing = false; s.cancelled || l.draining {
			l.end(s)
		} else {
			l.enqueue(s)
		}
	}
}

func (l *Lobby) end(s *Seek) {
	s.over = true
	delete(l.places, s.player.ID)
	close(s.box)
}

func (l *Lobby) cancel(s *Seek) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case s.over:
	case s.pairing:
		s.cancelled = true
	default:
		l.leaveQueue(s)
	}
}

// drain cancels the seeks that wait and refuses new ones.
func (l *Lobby) drain() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draining = true
	for _, s := range l.places {
		if !s.pairing {
			l.leaveQueue(s)
		}
	}
}
