package sshapp

import (
	"io"
	"slices"
	"sync"
	"time"
)

// maxWrite bounds one write: the SSH library keeps buffers as large as the largest packet of a session for as long as
// it lasts.
const maxWrite = 512

// stallWriter writes to a client who may have stopped reading, in small parts. Who takes none of them for as long as
// the stall time is hung up on, which ends the write that waits. It may be used by several goroutines.
type stallWriter struct {
	client  io.Writer
	stall   time.Duration
	onStall func()

	mu       sync.Mutex
	watchdog *time.Timer // nil before the first write
}

// Write sends p, or as much of it as the client takes.
func (w *stallWriter) Write(p []byte) (sent int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for part := range slices.Chunk(p, maxWrite) {
		w.watch()
		n, err := w.client.Write(part)
		w.watchdog.Stop()
		if sent += n; err != nil {
			return sent, err
		}
	}
	return sent, nil
}

func (w *stallWriter) watch() {
	if w.watchdog == nil {
		w.watchdog = time.AfterFunc(w.stall, w.onStall)
	} else {
		w.watchdog.Reset(w.stall)
	}
}
