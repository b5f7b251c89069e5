package sshapp

import "sync"

// maxIdle is how many of a draw pool wait for something to draw: few, since most drawing is over before the next
// begins. As many draw at once as there is to draw.
const maxIdle = 3

// drawPool draws for all screen writers. A goroutine that has drawn before has a stack as large as that takes; a new
// one would have it enlarged for every key. Its methods may be called from any goroutine.
type drawPool struct {
	work    chan *screenWriter
	idle    chan struct{} // has a value for each who waits for work
	over    <-chan struct{}
	buffers sync.Pool // what is shown is drawn at once and what is drawn is written at once, so few are in use at a time
}

// newDrawPool is a draw pool that goes home when over is closed; what is to be drawn after that is drawn all the
// same.
func newDrawPool(over <-chan struct{}) *drawPool {
	return &drawPool{work: make(chan *screenWriter), idle: make(chan struct{}, maxIdle), over: over}
}

// draw has a screen writer run, and does not wait for it.
func (c *drawPool) draw(p *screenWriter) {
	select {
	case c.work <- p:
	default:
		go c.drawOn(p)
	}
}

// drawOn runs one screen writer after the other, until enough others wait for the next one.
func (c *drawPool) drawOn(p *screenWriter) {
	for {
		p.run()
		select {
		case c.idle <- struct{}{}:
		default:
			return
		}
		select {
		case p = <-c.work:
			<-c.idle
		case <-c.over:
			return
		}
	}
}

func (c *drawPool) buffer() *[]byte {
	if buffer, ok := c.buffers.Get().(*[]byte); ok {
		return buffer
	}
	return new([]byte)
}

func (c *drawPool) giveBack(buffer *[]byte) { c.buffers.Put(buffer) }
