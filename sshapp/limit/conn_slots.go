package limit

import "sync"

// ConnSlots counts connections up to a limit that can change. One goroutine acquires slots; any may do the rest.
type ConnSlots struct {
	freed chan struct{} // has a value when there may be a free slot

	mu          sync.Mutex
	used, limit int
}

// NewConnSlots returns a number of free slots.
func NewConnSlots(limit int) *ConnSlots {
	return &ConnSlots{freed: make(chan struct{}, 1), limit: limit}
}

// Acquire waits for a free slot and takes it. It takes none, and reports false, if stopped is closed first.
func (s *ConnSlots) Acquire(stopped <-chan struct{}) bool {
	for !s.take() {
		select {
		case <-s.freed:
		case <-stopped:
			return false
		}
	}
	return true
}

func (s *ConnSlots) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used >= s.limit {
		return false
	}
	s.used++
	return true
}

// Release frees a slot.
func (s *ConnSlots) Release() { s.change(func() { s.used-- }) }

// SetLimit changes the number of slots. It closes no connection.
func (s *ConnSlots) SetLimit(limit int) { s.change(func() { s.limit = limit }) }

// Used returns how many slots are taken.
func (s *ConnSlots) Used() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

func (s *ConnSlots) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	select {
	case s.freed <- struct{}{}:
	default: // the goroutine that waits will look anyway
	}
}
