package screen

import (
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"notakto/match/stats"
	"notakto/sshapp/render"
	"notakto/sshapp/terminal"
)

// windowFrame is what a player should see: a frame and the window it stands in. The frame's grid is one of the screen
// writer's [Buffers].
type windowFrame struct {
	render.Frame
	window    size
	pressedAt int64 // when the key came that led to it, in Unix nanoseconds; 0 for none
	repaints  int   // with another number than the frame before, all of it is written anew
}

type size struct{ width, height int }

// screenWriter is the only one who writes to a player's terminal once the game has begun. It has a goroutine while
// there is something to draw, so that a still screen costs none.
type screenWriter struct {
	terminal *terminal.StallWriter
	caps     render.Caps
	buffers  *Buffers
	latency  *stats.Histogram
	onPanic  func(any) // is called with the value of a panic, while it goes on
	freed    func()    // is called when a frame may be claimed again; it may wait for the program

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
	screen   *render.Screen // nil before the first frame
	window   size
	repaints int
	gone     bool // the client is: nothing more is written
}

// ready makes a screen writer of what it is given: the fields above the first blank line.
func (w *screenWriter) ready() *screenWriter {
	w.done = make(chan struct{})
	return w
}

// claim reports whether a frame may be shown now, so that none is made while another is on its way to the player. If
// not, freed is called when it may.
func (w *screenWriter) claim() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state != writerIdle {
		w.state = writerWanted
	}
	return w.state == writerIdle
}

// show has a frame drawn that was claimed. It does not wait.
func (w *screenWriter) show(shown windowFrame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next = shown
	w.start()
}

// close restores the terminal, leaves a farewell on it, and waits until that is written or the client has been hung up
// on. Nothing may be shown afterwards.
func (w *screenWriter) close(exitMessage string) {
	w.mu.Lock()
	w.exit = &exitMessage
	w.start()
	w.mu.Unlock()
	<-w.done
}

func (w *screenWriter) start() {
	if w.state == writerIdle {
		w.state = writerDrawing
		go w.run()
	}
}

// run draws until there is nothing more to draw. A panic while it draws ends the session, and nothing else.
func (w *screenWriter) run() {
	defer func() {
		if fault := recover(); fault != nil {
			w.onPanic(fault)
			w.drop()
		}
	}()
	for {
		w.mu.Lock()
		next, exit := w.next, w.exit
		w.next = windowFrame{}
		switch {
		case next.Grid != nil:
			w.mu.Unlock()
			w.draw(next)
			w.buffers.grids.giveBack(next.Grid)
		case exit != nil:
			w.exit = nil
			w.mu.Unlock()
			w.restore(*exit)
			return
		default:
			isWanted := w.state == writerWanted
			w.state = writerIdle
			w.mu.Unlock()
			if isWanted {
				w.freed()
			}
			return
		}
	}
}

// drop gives the client up after a fault.
func (w *screenWriter) drop() {
	w.terminal.OnStall()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drawn.gone, w.state = true, writerIdle
	if w.exit != nil {
		w.start()
	}
}

func (w *screenWriter) draw(shown windowFrame) {
	switch {
	case w.drawn.gone:
		return
	case w.drawn.screen == nil:
		w.drawn.screen = render.NewScreen(w.caps, shown.window.width, shown.window.height)
	case shown.window != w.drawn.window || shown.repaints != w.drawn.repaints:
		w.drawn.screen.Resize(shown.window.width, shown.window.height)
	}
	w.drawn.window, w.drawn.repaints = shown.window, shown.repaints
	buffer := w.buffers.output.take()
	defer w.buffers.output.giveBack(buffer)
	*buffer = w.drawn.screen.Draw((*buffer)[:0], shown.Frame)
	w.write(*buffer)
	if shown.pressedAt != 0 {
		w.latency.Observe(time.Since(time.Unix(0, shown.pressedAt)))
	}
}

func (w *screenWriter) restore(exitMessage string) {
	defer close(w.done)
	if w.drawn.gone {
		return
	}
	var last []byte
	if w.drawn.screen != nil { // something has been drawn
		last = w.drawn.screen.Restore(nil)
	}
	exitMessage = ansi.Wordwrap(exitMessage, w.drawn.window.width, "")
	if last = append(last, strings.ReplaceAll(exitMessage, "\n", "\r\n")...); len(last) > 0 {
		w.write(last)
	}
}

func (w *screenWriter) write(bytes []byte) {
	_, err := w.terminal.Write(bytes)
	w.drawn.gone = err != nil
}

// Buffers keeps buffers for the next frame. What is shown is drawn at once and what is drawn is written at once, so few
// are in use at a time. The zero value is ready; its methods may be called from any goroutine.
type Buffers struct {
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
