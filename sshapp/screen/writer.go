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
	pressedAt int64 // when the key of the frame came, in Unix nanoseconds, or 0
	repaints  int   // screenWriter repaints the whole screen when the number has changed
}

// screenWriter alone writes to a player's terminal while the game runs. Its goroutine runs only while there is a
// frame to write.
type screenWriter struct {
	terminal *terminal.StallWriter
	caps     render.Caps
	buffers  *Buffers
	latency  *stats.Histogram
	onPanic  func(any) // called with the value of a panic, on the panicking goroutine
	onFree   func()    // called when claim would succeed again, may block until the program has received the message

	done chan struct{} // closed once the terminal is restored or the client is gone

	mu    sync.Mutex
	state writerState
	next  windowFrame // to draw, unless its Grid is nil
	exit  *string     // the text left on the terminal after the last frame, nil before close
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
	isGone   bool // a write has failed, and no other follows
}

// claim reports whether show may be called now. If a frame is being written, the result is false, and onFree is
// called later.
func (s *screenWriter) claim() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != writerIdle {
		s.state = writerWanted
	}
	return s.state == writerIdle
}

// show draws a frame after a successful claim, without blocking.
func (s *screenWriter) show(frame windowFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = frame
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

// run draws until no frame waits. A panic ends only this session.
func (s *screenWriter) run() {
	defer func() {
		if fault := recover(); fault != nil {
			s.onPanic(fault)
			s.terminal.OnStall()
			s.mu.Lock()
			defer s.mu.Unlock()
			s.drawn.isGone, s.state = true, writerIdle
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
				s.onFree()
			}
			return
		}
	}
}

func (s *screenWriter) draw(frame windowFrame) {
	switch {
	case s.drawn.isGone:
		return
	case s.drawn.screen == nil:
		s.drawn.screen = render.NewScreen(s.caps, frame.window.width, frame.window.height)
	case frame.window != s.drawn.window || frame.repaints != s.drawn.repaints:
		s.drawn.screen.Resize(frame.window.width, frame.window.height)
	}
	s.drawn.window, s.drawn.repaints = frame.window, frame.repaints
	buffer := s.buffers.output.take()
	defer s.buffers.output.giveBack(buffer)
	*buffer = s.drawn.screen.Draw((*buffer)[:0], frame.Frame)
	s.write(*buffer)
	if frame.pressedAt != 0 {
		s.latency.Observe(time.Since(time.Unix(0, frame.pressedAt)))
	}
}

func (s *screenWriter) restore(exitMessage string) {
	defer close(s.done)
	if s.drawn.isGone {
		return
	}
	var last []byte
	if s.drawn.screen != nil {
		last = s.drawn.screen.Restore(nil)
	}
	lines := strings.Split(exitMessage, "\n")
	for i, line := range lines {
		// A wrapped line would put a line break into the copied command. The terminal breaks the line without one.
		if !strings.HasPrefix(line, "ssh ") {
			lines[i] = strings.ReplaceAll(ansi.Wordwrap(line, s.drawn.window.width, ""), "\n", "\r\n")
		}
	}
	if last = append(last, strings.Join(lines, "\r\n")...); len(last) > 0 {
		s.write(last)
	}
}

func (s *screenWriter) write(bytes []byte) {
	_, err := s.terminal.Write(bytes)
	s.drawn.isGone = err != nil
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
