package sshapp

import "sync"

// buffers keeps buffers for the next frame. What is shown is drawn at once and what is drawn is written at once, so few
// are in use at a time. The zero value is ready; its methods may be called from any goroutine.
type buffers struct{ pool sync.Pool }

func (b *buffers) take() *[]byte {
	if buffer, ok := b.pool.Get().(*[]byte); ok {
		return buffer
	}
	return new([]byte)
}

func (b *buffers) giveBack(buffer *[]byte) { b.pool.Put(buffer) }
