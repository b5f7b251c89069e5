package terminal

import (
	"cmp"
	"io"
	"slices"
	"sync"
	"time"
)

// MaxWrite is the default size of one write, in bytes. MaxWrite is small because the SSH library keeps buffers of the
// size of a session's largest packet until the session ends.
const MaxWrite = 512

// StallWriter writes in small parts to a client that may have stopped reading. If the client does not take a part
// within Stall, StallWriter calls OnStall on another goroutine. OnStall must end the waiting write. StallWriter is
// safe for concurrent use.
type StallWriter struct {
	Client  io.Writer
	Stall   time.Duration
	OnStall func()
	Part    int // longest write in bytes, zero for MaxWrite

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
