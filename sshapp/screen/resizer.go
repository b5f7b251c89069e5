package screen

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
)

// resizePause is the least time between two sizes that a program receives.
const resizePause = 100 * time.Millisecond

// resizer sends a program the sizes of its window: the newest, and not too often. No goroutine waits in it.
type resizer struct {
	windows  <-chan ssh.Window
	onResize func(tea.Msg) // may wait; returns at once when the program has ended

	mu    sync.Mutex
	timer *time.Timer // nil until the size changes
	due   bool

	stopped bool
	last    time.Time
}

func newResizer(windows <-chan ssh.Window, send func(tea.Msg)) *resizer {
	return &resizer{windows: windows, onResize: send}
}

// wake has the newest size sent as soon as the pause after the one before is over.
func (r *resizer) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch wait := max(0, resizePause-time.Since(r.last)); {
	case r.due || r.stopped:
		return
	case r.timer == nil:
		r.timer = time.AfterFunc(wait, r.send)
	default:
		r.timer.Reset(wait)
	}
	r.due = true
}

func (r *resizer) send() {
	r.mu.Lock()
	r.due, r.last = false, time.Now()
	r.mu.Unlock()
	select {
	case window, open := <-r.windows:
		if open {
			r.onResize(windowMsg{window.Width, window.Height})
		}
	default:
	}
}

func (r *resizer) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped = true; r.timer != nil {
		r.timer.Stop()
	}
}
