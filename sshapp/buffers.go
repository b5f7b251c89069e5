package sshapp

import (
	"sync"

	"notakto/sshapp/render"
)

// buffers keeps buffers for the next frame. What is shown is drawn at once and what is drawn is written at once, so few
// are in use at a time. The zero value is ready; its methods may be called from any goroutine.
type buffers struct {
	grids  pool[render.Grid]
	output pool[[]byte]
}

// pool keeps values that are not in use.
type pool[T any] struct{ values sync.Pool }

func (p *pool[T]) take() *T {
	if value, ok := p.values.Get().(*T); ok {
		return value
	}
	return new(T)
}

func (p *pool[T]) giveBack(value *T) { p.values.Put(value) }
