package terminal

import (
	"cmp"
	"io"
	"slices"
	"sync"
	"time"
)

// MaxWrite is the size of one write by default, in bytes: the SSH library keeps buffers of the largest packet of a
// session for as long as the session lasts.
const MaxWrite = 512

// StallWriter writes in small parts to a client that may have stopped reading. If the client takes no part within the
// time Stall, OnStall is called, which has to end the write that waits. Its methods may be called from any goroutine.
type StallWriter struct {
	Client  io.Writer
	Stall   time.Duration
	OnStall func()
	Part    int // the most bytes of one write; MaxWrite by default

	mu       sync.Mutex
	watchdog *time.Timer // nil before the first write
}

// Write sends p, or the beginning of p that the client takes.
func (s *StallWriter) Write(p []byte) (sent int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for part := range slices.Chunk(p, cmp.Or(s.Part, MaxWrite)) {
		if s.watchdog == nil {
			s.watchdog = time.AfterFunc(s.Stall, s.OnStall)
		} else {
			s.watchdog.Reset(s.Stall)
		}
		n, err := s.Client.Write(part)
		s.watchdog.Stop()
		if sent += n; err != nil {
			return sent, err
		}
	}
	return sent, nil
}
