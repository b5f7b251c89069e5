package sshapp

import (
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"notakto/sshapp/frame"
)

// picture is what a player should see: a frame and the window it stands in. The frame's content is one of the crew's buffers.
type picture struct {
	frame.Frame
	content *[]byte
	window  size
}

type size struct{ width, height int }

// pen is the only one who writes to a player's terminal once the game has begun. It has a goroutine of the crew while there is something to
// draw, so that a still screen costs none.
type pen struct {
	terminal *patient
	caps     frame.Caps
	crew     *crew
	fault    func(any) // hears of a panic
	freed    func()    // hears that the pen, which had no time, has drawn; it may wait for the game's program

	done chan struct{} // closed when the terminal has been restored, or never will be

	mu       sync.Mutex
	next     picture
	fresh    bool // it is not drawn yet
	wanted   bool // a picture was not claimed because another was being drawn
	leaving  bool // restore the terminal when there is nothing more to draw
	drawing  bool // the goroutine runs, and owns what follows
	screen   *frame.Screen
	window   size
	gone     bool   // the client is: nothing more is written
	farewell string // what stands on the restored terminal
}

// ready makes a pen of what it is given: the fields above the first blank line.
func (p *pen) ready() *pen {
	p.done = make(chan struct{})
	return p
}

// claim reports whether a picture may be shown now, so that none is made while another is on its way to the player. If
// not, freed hears when it may.
func (p *pen) claim() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted = p.drawing
	return !p.drawing
}

// show has a picture drawn that was claimed. It does not wait.
func (p *pen) show(picture picture) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next, p.fresh = picture, true
	p.start()
}

// close restores the terminal, leaves a farewell on it, and waits until that is written or the client has been hung up on. Nothing may be
// shown afterwards.
func (p *pen) close(farewell string) {
	p.mu.Lock()
	p.leaving, p.farewell = true, farewell
	p.start()
	p.mu.Unlock()
	<-p.done
}

func (p *pen) start() {
	if !p.drawing {
		p.drawing = true
		p.crew.draw(p)
	}
}

// run draws until there is nothing more to draw. A panic while it draws ends the session, and nothing else.
func (p *pen) run() {
	defer func() {
		if fault := recover(); fault != nil {
			p.fault(fault)
			p.drop()
		}
	}()
	for {
		p.mu.Lock()
		next, fresh, leaving := p.next, p.fresh, p.leaving
		p.next, p.fresh = picture{}, false
		if !fresh {
			p.leaving = false
		}
		if p.drawing = fresh || leaving; !p.drawing {
			wanted := p.wanted
			p.wanted = false
			p.mu.Unlock()
			if wanted {
				p.freed()
			}
			return
		}
		p.mu.Unlock()
		switch {
		case fresh:
			p.draw(next)
			p.crew.giveBack(next.content)
		default:
			p.restore()
			return
		}
	}
}

// drop gives the client up after a fault.
func (p *pen) drop() {
	p.terminal.hangUp()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone, p.drawing = true, false
	if p.leaving {
		p.start()
	}
}

func (p *pen) draw(picture picture) {
	switch {
	case p.gone:
		return
	case p.screen == nil:
		p.screen = frame.NewScreen(p.caps, picture.window.width, picture.window.height)
	case picture.window != p.window:
		p.screen.Resize(picture.window.width, picture.window.height)
	}
	p.window = picture.window
	buffer := p.crew.buffer()
	defer p.crew.giveBack(buffer)
	picture.Content = *picture.content
	*buffer = p.screen.Draw((*buffer)[:0], picture.Frame)
	p.write(*buffer)
}

func (p *pen) restore() {
	defer close(p.done)
	if p.gone {
		return
	}
	var last []byte
	if p.screen != nil { // something has been drawn
		last = p.screen.Restore(nil)
	}
	farewell := ansi.Wordwrap(p.farewell, p.window.width, "")
	if last = append(last, strings.ReplaceAll(farewell, "\n", "\r\n")...); len(last) > 0 {
		p.write(last)
	}
}

func (p *pen) write(bytes []byte) {
	_, err := p.terminal.Write(bytes)
	p.gone = err != nil
}
