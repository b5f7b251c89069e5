package sshapp

import "sync"

// maxResting is how many of a crew wait for something to draw: few, since most drawing is over before the next begins. As many draw at once
// as there is to draw.
const maxResting = 3

// crew draws for all pens. A goroutine that has drawn before has a stack as large as that takes; a new one would have it enlarged for every
// key. Its methods may be called from any goroutine.
type crew struct {
	work    chan *pen
	resting chan struct{} // has a value for each who waits for work
	over    <-chan struct{}
	buffers sync.Pool // what is shown is drawn at once and what is drawn is written at once, so few are in use at a time
}

// newCrew is a crew that goes home when over is closed; what is to be drawn after that is drawn all the same.
func newCrew(over <-chan struct{}) *crew {
	return &crew{work: make(chan *pen), resting: make(chan struct{}, maxResting), over: over}
}

// draw has a pen run, and does not wait for it.
func (c *crew) draw(p *pen) {
	select {
	case c.work <- p:
	default:
		go c.drawOn(p)
	}
}

// drawOn runs one pen after the other, until enough others wait for the next one.
func (c *crew) drawOn(p *pen) {
	for {
		p.run()
		select {
		case c.resting <- struct{}{}:
		default:
			return
		}
		select {
		case p = <-c.work:
			<-c.resting
		case <-c.over:
			return
		}
	}
}

func (c *crew) buffer() *[]byte {
	if buffer, ok := c.buffers.Get().(*[]byte); ok {
		return buffer
	}
	return new([]byte)
}

func (c *crew) giveBack(buffer *[]byte) { c.buffers.Put(buffer) }
