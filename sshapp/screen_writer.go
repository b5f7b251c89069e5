package sshapp

import (
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"notakto/sshapp/render"
	"notakto/sshapp/terminal"
)

// windowFrame is what a player should see: a frame and the window it stands in. The frame's grid is one of the screen
// writer's [buffers].
type windowFrame struct {
	render.Frame
	window size
}

type size struct{ width, height int }

// screenWriter is the only one who writes to a player's terminal once the game has begun. It has a goroutine while
// there is something to draw, so that a still screen costs none.
type screenWriter struct {
	terminal *terminal.StallWriter
	caps     render.Caps
	buffers  *buffers
	fault    func(any) // hears of a panic
	freed    func()    // hears that the screen writer, which had no time, has drawn; it may wait for the game's program

	done chan struct{} // closed when the terminal has been restored, or never will be

	mu    sync.Mutex
	state writerState
	next  windowFrame // to be drawn; without a grid if there is none
	exit  *string     // what stands on the terminal once it is restored, when nothing more is to be drawn; nil until then
	drawn drawn       // the goroutine's own
}

// writerState is what a screen writer is doing.
type writerState uint8

const (
	writerIdle    writerState = iota
	writerDrawing             // its goroutine runs
	writerWanted              // and a frame was not claimed because of that
)

// drawn is what stands on the terminal.
type drawn struct {
	screen *render.Screen // nil before the first frame
	window size
	gone   bool // the client is: nothing more is written
}

// ready makes a screen writer of what it is given: the fields above the first blank line.
func (p *screenWriter) ready() *screenWriter {
	p.done = make(chan struct{})
	return p
}

// claim reports whether a frame may be shown now, so that none is made while another is on its way to the player. If
// not, freed hears when it may.
func (p *screenWriter) claim() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != writerIdle {
		p.state = writerWanted
	}
	return p.state == writerIdle
}

// show has a frame drawn that was claimed. It does not wait.
func (p *screenWriter) show(shown windowFrame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = shown
	p.start()
}

// close restores the terminal, leaves a farewell on it, and waits until that is written or the client has been hung up
// on. Nothing may be shown afterwards.
func (p *screenWriter) close(exitMessage string) {
	p.mu.Lock()
	p.exit = &exitMessage
	p.start()
	p.mu.Unlock()
	<-p.done
}

func (p *screenWriter) start() {
	if p.state == writerIdle {
		p.state = writerDrawing
		go p.run()
	}
}

// run draws until there is nothing more to draw. A panic while it draws ends the session, and nothing else.
func (p *screenWriter) run() {
	defer func() {
		if fault := recover(); fault != nil {
			p.fault(fault)
			p.drop()
		}
	}()
	for {
		p.mu.Lock()
		next, exit := p.next, p.exit
		p.next = windowFrame{}
		switch {
		case next.Grid != nil:
			p.mu.Unlock()
			p.draw(next)
			p.buffers.grids.giveBack(next.Grid)
		case exit != nil:
			p.exit = nil
			p.mu.Unlock()
			p.restore(*exit)
			return
		default:
			isWanted := p.state == writerWanted
			p.state = writerIdle
			p.mu.Unlock()
			if isWanted {
				p.freed()
			}
			return
		}
	}
}

// drop gives the client up after a fault.
func (p *screenWriter) drop() {
	p.terminal.OnStall()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drawn.gone, p.state = true, writerIdle
	if p.exit != nil {
		p.start()
	}
}

func (p *screenWriter) draw(shown windowFrame) {
	switch {
	case p.drawn.gone:
		return
	case p.drawn.screen == nil:
		p.drawn.screen = render.NewScreen(p.caps, shown.window.width, shown.window.height)
	case shown.window != p.drawn.window:
		p.drawn.screen.Resize(shown.window.width, shown.window.height)
	}
	p.drawn.window = shown.window
	buffer := p.buffers.output.take()
	defer p.buffers.output.giveBack(buffer)
	*buffer = p.drawn.screen.Draw((*buffer)[:0], shown.Frame)
	p.write(*buffer)
}

func (p *screenWriter) restore(exitMessage string) {
	defer close(p.done)
	if p.drawn.gone {
		return
	}
	var last []byte
	if p.drawn.screen != nil { // something has been drawn
		last = p.drawn.screen.Restore(nil)
	}
	exitMessage = ansi.Wordwrap(exitMessage, p.drawn.window.width, "")
	if last = append(last, strings.ReplaceAll(exitMessage, "\n", "\r\n")...); len(last) > 0 {
		p.write(last)
	}
}

func (p *screenWriter) write(bytes []byte) {
	_, err := p.terminal.Write(bytes)
	p.drawn.gone = err != nil
}

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
