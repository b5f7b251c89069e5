package sshapp

import (
	"io"
	"sync"
	"time"

	"notakto/sshapp/frame"
)

// picture is what a player should see: a frame and the window it stands in.
type picture struct {
	frame.Frame
	window size
}

type size struct{ width, height int }

// pen is the only one who writes to a player's terminal once the game has begun. It owns a goroutine, which ends with [pen.close] or when
// the client does not read for longer than the stall time; then it hangs up.
type pen struct {
	terminal io.Writer
	screen   *frame.Screen
	window   size
	watchdog *time.Timer
	stall    time.Duration
	pictures chan picture // the newest only
	farewell string       // set before pictures is closed
	done     chan struct{}
}

// buffers serve the pens: what is drawn is written at once, so few are in use at a time.
type buffers struct{ pool sync.Pool }

func (b *buffers) get() *[]byte {
	if buffer, ok := b.pool.Get().(*[]byte); ok {
		return buffer
	}
	return new([]byte)
}

func (b *buffers) put(buffer *[]byte) { b.pool.Put(buffer) }

func newPen(terminal io.Writer, caps frame.Caps, window size, stall time.Duration, hangUp func()) *pen {
	p := &pen{
		terminal: terminal,
		screen:   frame.NewScreen(caps, window.width, window.height),
		window:   window,
		watchdog: time.AfterFunc(stall, hangUp),
		stall:    stall,
		pictures: make(chan picture, 1),
		done:     make(chan struct{}),
	}
	p.watchdog.Stop()
	return p
}

// show gives the pen a picture in the place of one that it has not begun to draw. Only one goroutine may call it.
func (p *pen) show(picture picture) {
	select {
	case <-p.pictures:
	default:
	}
	p.pictures <- picture
}

// run draws until [pen.close]. A client that is gone is not drawn for, but its pictures are taken all the same.
func (p *pen) run(spare *buffers) {
	defer close(p.done)
	gone := false
	for picture := range p.pictures {
		if gone {
			continue
		}
		if picture.window != p.window {
			p.window = picture.window
			p.screen.Resize(p.window.width, p.window.height)
		}
		buffer := spare.get()
		*buffer = p.screen.Draw((*buffer)[:0], picture.Frame)
		gone = !p.write(*buffer)
		spare.put(buffer)
	}
	if !gone {
		p.write(append(p.screen.Restore(nil), p.farewell...))
	}
}

func (p *pen) write(bytes []byte) bool {
	if len(bytes) == 0 {
		return true
	}
	p.watchdog.Reset(p.stall)
	defer p.watchdog.Stop()
	_, err := p.terminal.Write(bytes)
	return err == nil
}

// close restores the terminal, leaves a farewell on it, and waits until that is written or the client has been hung up on. Nothing may be
// shown afterwards.
func (p *pen) close(farewell string) {
	p.farewell = farewell
	close(p.pictures)
	<-p.done
}
