package sshapp

import (
	"bytes"
	"io"
	"sync"
)

// maxInputBuffer is how much of a session's input waits for its front end. An input buffer that has held no more than
// smallInputBuffer keeps its memory.
const (
	maxInputBuffer   = 16 << 10
	smallInputBuffer = 1 << 10
	inputPiece       = 256 // that is read at once
)

// inputBuffer reads a session's input as it comes, for a front end that reads when it likes, or never. The SSH
// library would keep two megabytes of data for such a front end, and for each byte of that a whole packet, if the
// client sends them one by one. While an input buffer is full the connection's allowance does not grow.
type inputBuffer struct {
	budget *byteBudget

	mu      sync.Mutex
	changed *sync.Cond
	kept    bytes.Buffer
	err     error // of the input
	over    bool  // the session is
}

// newInputBuffer begins to read. Its goroutine ends with the input, and while it is full also with [inputBuffer.close].
func newInputBuffer(input io.Reader, budget *byteBudget) *inputBuffer {
	b := &inputBuffer{budget: budget}
	b.changed = sync.NewCond(&b.mu)
	go b.fill(input)
	return b
}

func (b *inputBuffer) fill(input io.Reader) {
	piece := make([]byte, inputPiece)
	for {
		n, err := input.Read(piece)
		if !b.keep(piece[:n], err) {
			return
		}
	}
}

// keep takes in a piece of the input, and waits while the input buffer is full. It is false when there is no need to
// read on.
func (b *inputBuffer) keep(piece []byte, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return false
	}
	b.kept.Write(piece)
	b.err = err
	b.changed.Broadcast()
	if err == nil && b.full() {
		b.budget.hold()
		defer b.budget.release()
	}
	for err == nil && b.full() {
		b.changed.Wait()
	}
	return err == nil && !b.over
}

func (b *inputBuffer) full() bool { return b.kept.Len() >= maxInputBuffer && !b.over }

// Read waits for input, if there is none.
func (b *inputBuffer) Read(p []byte) (int, error) {
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
	if b.kept.Len() == 0 && b.kept.Cap() > smallInputBuffer {
		b.kept = bytes.Buffer{}
	}
	b.changed.Broadcast()
	return n, nil
}

// close ends the input for a goroutine that still reads: the session is over.
func (b *inputBuffer) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.kept = bytes.Buffer{}
	b.changed.Broadcast()
}
