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
func (w *StallWriter) Write(p []byte) (sent int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for part := range slices.Chunk(p, cmp.Or(w.Part, MaxWrite)) {
		w.watch()
		n, err := w.Client.Write(part)
		w.watchdog.Stop()
		if sent += n; err != nil {
			return sent, err
		}
	}
	return sent, nil
}

func (w *StallWriter) watch() {
	if w.watchdog == nil {
		w.watchdog = time.AfterFunc(w.Stall, w.OnStall)
	} else {
		w.watchdog.Reset(w.Stall)
	}
}
