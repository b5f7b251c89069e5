package screen

import (
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match/limit"
	"notakto/sshapp/idle"
	"notakto/sshapp/render"
	"notakto/sshapp/tui"
)

// programModel passes each message to the screens and then draws them. While the writer is still writing a frame,
// programModel waits for writerReady to draw.
type programModel struct {
	root        *tui.Root
	writer      *screenWriter
	window      size
	repaints    int          // presses of Ctrl-L
	pressedAt   atomic.Int64 // when the oldest key without a frame came, in Unix nanoseconds, or 0
	hasSeenKey  bool         // Update has seen the key of pressedAt
	exitMessage string       // left on the terminal after the game
	stopTicker  func()
	start       func(tea.Cmd) // runs a command
	turns       *limit.Turns
	network     netip.Prefix // charged for turns
	onIdle      func()
}

type writerReady struct{}

type windowMsg size

// exitMsg ends the game and leaves a text on the player's terminal.
type exitMsg string

// idleMsg has programModel check an idle player. The SSH library's idle timeout would keep a dead client forever,
// because the server's own writes, such as a ticking clock, reset it.
type idleMsg struct{ timer *idle.Timer }

type size struct{ width, height int }

// Size of the largest canvas. The limit keeps the cost of a session independent of its client's window.
const (
	maxCanvasColumns = 200
	maxCanvasRows    = 60
)

func (s size) canvas() size {
	return size{min(s.width, maxCanvasColumns), min(s.height, maxCanvasRows)}
}

// Init stops Bubble Tea's frame ticker. The ticker would wake every idle session once a second for no purpose.
func (p *programModel) Init() tea.Cmd {
	p.start(func() tea.Msg {
		p.stopTicker()
		return nil
	})
	p.start(p.root.Init())
	return nil
}

// Update implements tea.Model. The result is no command but that to quit.
func (p *programModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch event := msg.(type) {
	case exitMsg:
		p.exitMessage = p.root.ExitText(string(event))
		return p, tea.Quit
	case idleMsg:
		return p, p.checkIdle(event.timer)
	case windowMsg:
		p.window = size(event)
		canvas := p.window.canvas()
		msg = tea.WindowSizeMsg{Width: canvas.width, Height: canvas.height}
	case tea.KeyPressMsg:
		p.hasSeenKey = true
		if event.Code == 'l' && event.Mod == tea.ModCtrl { // another program has written on the terminal
			p.repaints++
			p.draw()
			return p, nil
		}
	case writerReady:
		p.draw()
		return p, nil
	case tea.MouseMsg:
		msg = p.toCanvas(event)
	}
	_, cmd := p.root.Update(msg)
	p.draw()
	p.start(cmd)
	return p, nil
}

// View returns an empty view, because the screen writer draws.
func (p *programModel) View() tea.View { return tea.View{} }

func (p *programModel) draw() {
	if !p.writer.claim() {
		return
	}
	p.turns.Take(p.network)
	defer p.turns.GiveBack()
	grid := p.writer.buffers.grids.take()
	p.root.Render(grid)
	pressedAt := int64(0)
	if p.hasSeenKey {
		p.hasSeenKey, pressedAt = false, p.pressedAt.Swap(0)
	}
	p.writer.show(windowFrame{
		pressedAt: pressedAt,
		window:    p.window, repaints: p.repaints,
		Frame: render.Frame{
			Grid: grid, Title: p.root.Title(), Bell: p.root.Bell(), Copy: p.root.Shared(), Mouse: p.root.Mouse(),
			Alert: p.root.Alert(), Status: p.root.Status(),
		},
	})
}

func (p *programModel) toCanvas(msg tea.MouseMsg) tea.Msg {
	canvas := p.window.canvas()
	x, y := (p.window.width-canvas.width)/2, (p.window.height-canvas.height)/2
	switch event := msg.(type) {
	case tea.MouseClickMsg:
		event.X, event.Y = event.X-x, event.Y-y
		return event
	case tea.MouseWheelMsg:
		event.X, event.Y = event.X-x, event.Y-y
		return event
	}
	return nil
}

// checkIdle warns an idle player, and later ends the session. A player waiting for the opponent's move is not idle.
func (p *programModel) checkIdle(timer *idle.Timer) tea.Cmd {
	switch action, left := timer.Check(p.root.AwaitsOpponent()); action {
	case idle.Warn:
		_, cmd := p.root.Update(tui.Notice(fmt.Sprintf("Still there? Any key keeps you here; if not, goodbye in %s.",
			left.Round(time.Second))))
		p.draw()
		p.start(cmd)
	case idle.End:
		p.onIdle()
		p.exitMessage = "You were away for a while, so the session has ended. Your matches are kept for as long as " +
			"the rules allow."
		return tea.Quit
	case idle.Nothing:
	}
	return nil
}
