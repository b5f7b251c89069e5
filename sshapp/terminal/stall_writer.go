package terminal

import (
	"cmp"
	"io"
	"slices"
	"sync"
	"time"
)

// MaxWrite bounds one write by default: the SSH library keeps buffers as large as the largest packet of a session for
// as long as it lasts.
const MaxWrite = 512

// StallWriter writes to a client who may have stopped reading, in small parts. Who takes none of them for as long as
// the stall time is hung up on, which ends the write that waits. It may be used by several goroutines.
type StallWriter struct {
	Client  io.Writer
	Stall   time.Duration
	OnStall func()
	Part    int // the most bytes of one write; MaxWrite by default

	mu       sync.Mutex
	watchdog *time.Timer // nil before the first write
}

// Write sends p, or as much of it as the client takes.
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
