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
	pressedAt int64 // when the key came that led to the frame, in Unix nanoseconds; 0 for none
	repaints  int   // if the number differs from that of the frame before, the whole frame is written
}

// screenWriter alone writes to a player's terminal while the game runs. Its goroutine runs only while there is
// something to draw.
type screenWriter struct {
	terminal *terminal.StallWriter
	caps     render.Caps
	buffers  *Buffers
	latency  *stats.Histogram
	onPanic  func(any) // is called with the value of a panic, on the panicking goroutine
	freed    func()    // is called when a frame may be claimed again; may block until the program takes it

	done chan struct{} // closed once the terminal is restored, or once the client is gone

	mu    sync.Mutex
	state writerState
	next  windowFrame // the frame to draw; its Grid is nil if there is none
	exit  *string     // the text left on the terminal after the last frame; nil before close
	drawn drawn       // only for the goroutine of run
}

type writerState uint8

const (
	writerIdle    writerState = iota
	writerDrawing             // the goroutine runs
	writerWanted              // the goroutine runs, and claim has refused a frame
)

// drawn is the state of the terminal.
type drawn struct {
	screen   *render.Screen // nil before the first frame
	window   size
	repaints int
	gone     bool // the client is gone: nothing more is written
}

// claim reports whether show may be called now. While a frame is being written it reports false, and freed is called
// later.
func (s *screenWriter) claim() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != writerIdle {
		s.state = writerWanted
	}
	return s.state == writerIdle
}

// show draws a frame after a successful claim. It does not block.
func (s *screenWriter) show(shown windowFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = shown
	s.start()
}

// close restores the terminal, writes an exit message, and waits until the message is written or the client is
// disconnected. show must not be called afterwards.
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

// run draws until there is nothing to draw. A panic ends only this session.
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

// Buffers keeps buffers for later frames. Few are in use at a time. The zero value is ready. Any goroutine may use a
// Buffers.
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
