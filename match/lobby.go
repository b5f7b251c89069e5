package match

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"notakto/rules"
)

// Lobby is where players wait for an opponent: one queue for each variant, the longest waiting first, one place for each identity over all
// queues. Its methods may be called from any goroutine.
type Lobby struct {
	manager *Manager
	pairing sync.WaitGroup // goroutines that lay tables

	mu       sync.Mutex
	queues   map[rules.Variant][]*Seek
	places   map[PlayerID]*Seek
	tickets  uint64
	draining bool
}

func newLobby(m *Manager) *Lobby {
	return &Lobby{manager: m, queues: make(map[rules.Variant][]*Seek), places: make(map[PlayerID]*Seek)}
}

// Seek takes a place in the queue of a variant. [ErrAlreadySeeking], [ErrTooMany], [ErrDraining].
func (l *Lobby) Seek(p Player, v rules.Variant) (*Seek, error) {
	if !v.Valid() {
		return nil, rules.ErrBadVariant
	}
	if err := l.manager.register.welcome(p.ID); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.draining:
		return nil, ErrDraining
	case l.places[p.ID] != nil:
		return nil, ErrAlreadySeeking
	}
	l.tickets++
	s := &Seek{
		lobby: l, player: p, ticket: l.tickets, box: newMailbox[SeekStatus](),
		status: SeekStatus{Variant: v, Since: time.Now()},
	}
	l.places[p.ID] = s
	l.enqueue(s)
	l.pair(v)
	return s, nil
}

// Waiting is how many wait for a variant.
func (l *Lobby) Waiting(v rules.Variant) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queues[v])
}

// enqueue puts a seek where its ticket belongs.
func (l *Lobby) enqueue(s *Seek) {
	v := s.status.Variant
	l.queues[v] = append(l.queues[v], s)
	slices.SortFunc(l.queues[v], func(a, b *Seek) int { return cmp.Compare(a.ticket, b.ticket) })
	l.tell(v)
}

// tell says to everyone who waits for a variant how many they are.
func (l *Lobby) tell(v rules.Variant) {
	for _, s := range l.queues[v] {
		s.status.Waiting = len(l.queues[v])
		s.box.put(s.status)
	}
}

// leaveQueue ends a seek that waits.
func (l *Lobby) leaveQueue(s *Seek) {
	v := s.status.Variant
	l.queues[v] = slices.DeleteFunc(l.queues[v], func(other *Seek) bool { return other == s })
	if len(l.queues[v]) == 0 {
		delete(l.queues, v)
	}
	l.end(s)
	l.tell(v)
}
