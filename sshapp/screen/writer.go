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

type windowFrame struct {
	render.Frame
	window    size
	pressedAt int64 // when the key came that led to it, in Unix nanoseconds; 0 for none
	repaints  int   // with another number than the frame before, all of it is written anew
}

// screenWriter is the only one that writes to a player's terminal once the game has begun. It has a goroutine only
// while there is something to draw.
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

// claim reports whether a frame may be shown now, so that none is made while another is on its way. If not, freed is
// called later.
func (s *screenWriter) claim() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != writerIdle {
		s.state = writerWanted
	}
	return s.state == writerIdle
}

// show draws a frame that was claimed. It does not wait.
func (s *screenWriter) show(shown windowFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = shown
	s.start()
}

// close restores the terminal, writes an exit message, and waits until that is written or the client has been hung up
// on. Nothing may be shown afterwards.
func (s *screenWriter) close(exitMessage string) {
	s.mu.Lock()
	s.exit = &exitMessage
	s.start()
	s.mu.Unlock()
	<-s.done
}

func (s *screenWriter) start() {
	if s.state == writerIdle {
		s.state = writerDrawing
		go s.run()
	}
}

// run draws until nothing is left. A panic ends the session, and nothing else.
func (s *screenWriter) run() {
	defer func() {
		if fault := recover(); fault != nil {
			s.onPanic(fault)
			s.terminal.OnStall()
			s.mu.Lock()
			defer s.mu.Unlock()
			s.drawn.gone, s.state = true, writerIdle
			if s.exit != nil {
				s.start()
			}
		}
	}()
	for {
		s.mu.Lock()
		next, exit := s.next, s.exit
		s.next = windowFrame{}
		switch {
		case next.Grid != nil:
			s.mu.Unlock()
			s.draw(next)
			s.buffers.grids.giveBack(next.Grid)
		case exit != nil:
			s.exit = nil
			s.mu.Unlock()
			s.restore(*exit)
			return
		default:
			isWanted := s.state == writerWanted
			s.state = writerIdle
			s.mu.Unlock()
			if isWanted {
				s.freed()
			}
			return
		}
	}
}

func (s *screenWriter) draw(shown windowFrame) {
	switch {
	case s.drawn.gone:
		return
	case s.drawn.screen == nil:
		s.drawn.screen = render.NewScreen(s.caps, shown.window.width, shown.window.height)
	case shown.window != s.drawn.window || shown.repaints != s.drawn.repaints:
		s.drawn.screen.Resize(shown.window.width, shown.window.height)
	}
	s.drawn.window, s.drawn.repaints = shown.window, shown.repaints
	buffer := s.buffers.output.take()
	defer s.buffers.output.giveBack(buffer)
	*buffer = s.drawn.screen.Draw((*buffer)[:0], shown.Frame)
	s.write(*buffer)
	if shown.pressedAt != 0 {
		s.latency.Observe(time.Since(time.Unix(0, shown.pressedAt)))
	}
}

func (s *screenWriter) restore(exitMessage string) {
	defer close(s.done)
	if s.drawn.gone {
		return
	}
	var last []byte
	if s.drawn.screen != nil { // something has been drawn
		last = s.drawn.screen.Restore(nil)
	}
	lines := strings.Split(exitMessage, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "ssh ") { // a command is copied whole only if the terminal breaks it
			lines[i] = strings.ReplaceAll(ansi.Wordwrap(line, s.drawn.window.width, ""), "\n", "\r\n")
		}
	}
	if last = append(last, strings.Join(lines, "\r\n")...); len(last) > 0 {
		s.write(last)
	}
}

func (s *screenWriter) write(bytes []byte) {
	_, err := s.terminal.Write(bytes)
	s.drawn.gone = err != nil
}

// Buffers keeps buffers for the next frame. Few are in use at a time. The zero value is ready. Any goroutine may use
// it.
type Buffers struct {
	grids  pool[render.Grid]
	output pool[[]byte]
}

type pool[T any] struct{ values sync.Pool }

func (p *pool[T]) take() *T {
	if value, ok := p.values.Get().(*T); ok {
		return value
	}
	return new(T)
}

func (p *pool[T]) giveBack(value *T) { p.values.Put(value) }
