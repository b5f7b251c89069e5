package sshapp

import (
	"bytes"
	"io"
	"sync"
)

// maxBacklog is how much of a session's input waits for its door. A backlog that has held no more than smallBacklog keeps its memory.
const (
	maxBacklog   = 16 << 10
	smallBacklog = 1 << 10
)

// backlog reads a session's input as it comes, for a door that reads when it likes, or never. The SSH library would keep two megabytes of
// data for such a door, and for each byte of that a whole packet, if the client sends them one by one. While a backlog is full the
// connection's allowance does not grow.
type backlog struct {
	allowance *allowance

	mu      sync.Mutex
	changed *sync.Cond
	kept    bytes.Buffer
	err     error // of the input
	over    bool  // the session is
}

// newBacklog begins to read. Its goroutine ends with the input, and while it is full also with [backlog.close].
func newBacklog(input io.Reader, allowance *allowance) *backlog {
	b := &backlog{allowance: allowance}
	b.changed = sync.NewCond(&b.mu)
	go b.fill(input)
	return b
}

func (b *backlog) fill(input io.Reader) {
	piece := make([]byte, readBuffer)
	for {
		n, err := input.Read(piece)
		if !b.keep(piece[:n], err) {
			return
		}
	}
}

// keep takes in a piece of the input, and waits while the backlog is full. It is false when there is no need to read on.
func (b *backlog) keep(piece []byte, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return false
	}
	b.kept.Write(piece)
	b.err = err
	b.changed.Broadcast()
	if err == nil && b.full() {
		b.allowance.hold()
		defer b.allowance.release()
	}
	for err == nil && b.full() {
		b.changed.Wait()
	}
	return err == nil && !b.over
}

func (b *backlog) full() bool { return b.kept.Len() >= maxBacklog && !b.over }

// Read waits for input, if there is none.
func (b *backlog) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.kept.Len() == 0 && b.err == nil && !b.over {
		b.changed.Wait()
	}
	switch {
	case b.over:
		return 0, io.EOF
	case b.kept.Len() == 0:
		return 0, b.err
	}
	n, _ := b.kept.Read(p)
	if b.kept.Len() == 0 && b.kept.Cap() > smallBacklog {
		b.kept = bytes.Buffer{}
	}
	b.changed.Broadcast()
	return n, nil
}

// close ends the input for whoever still reads: the session is over.
func (b *backlog) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.kept = bytes.Buffer{}
	b.changed.Broadcast()
}
