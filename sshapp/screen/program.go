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

// programModel passes each message to the screens and draws what it changed: at once, or once the frame before is on
// its way.
type programModel struct {
	root        *tui.Root
	writer      *screenWriter
	window      size
	repaints    int          // how often the player has asked for the whole picture again
	pressedAt   atomic.Int64 // when the oldest key came that no frame shows yet, in Unix nanoseconds; 0 for none
	isKeyTaken  bool         // the program has got it
	exitMessage string       // what stands on the terminal when the game is over
	stopTicker  func()
	turns       *limit.Turns
	network     netip.Prefix // whose turns it takes
	onIdle      func()       // is called when the player has pressed no key for too long
}

// writerReady says that the screen writer can take a frame again.
type writerReady struct{}

type windowMsg size

// exitMsg ends the game with a text on the player's terminal.
type exitMsg string

// idleMsg asks what to do about an idle player. The SSH library's idle timeout will not do: the server's writes refresh
// it, so a clock on the screen would keep a dead client for ever.
type idleMsg struct{ timer *idle.Timer }

type size struct{ width, height int }

// The screens use no more of a window than this, so that what a session costs does not depend on its client.
const (
	maxCanvasColumns = 200
	maxCanvasRows    = 60
)

func (s size) canvasOf() size {
	return size{min(s.width, maxCanvasColumns), min(s.height, maxCanvasRows)}
}

// Init stops the program's frame ticker, which would wake a thousand idle sessions a thousand times a second for
// nothing.
func (p *programModel) Init() tea.Cmd {
	stop := func() tea.Msg {
		p.stopTicker()
		return nil
	}
	return tea.Batch(stop, p.root.Init())
}

// Update implements tea.Model.
func (p *programModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch event := msg.(type) {
	case exitMsg:
		p.exitMessage = p.root.ExitText(string(event))
		return p, tea.Quit
	case idleMsg:
		return p, p.checkIdle(event.timer)
	case windowMsg:
		p.window = size(event)
		canvas := p.window.canvasOf()
		msg = tea.WindowSizeMsg{Width: canvas.width, Height: canvas.height}
	case tea.KeyPressMsg:
		p.isKeyTaken = true
		if event.String() == "ctrl+l" { // something else has written on the terminal
			p.repaints++
			p.draw()
			return p, nil
		}
	case writerReady:
		p.draw()
		return p, nil
	case tea.MouseMsg:
		msg = p.onCanvas(event)
	}
	_, cmd := p.root.Update(msg)
	p.draw()
	return p, cmd
}

// View is empty: the screen writer has drawn.
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
	if p.isKeyTaken {
		p.isKeyTaken, pressedAt = false, p.pressedAt.Swap(0)
	}
	p.writer.show(windowFrame{
		pressedAt: pressedAt,
		window:    p.window, repaints: p.repaints,
		Frame: render.Frame{
			Grid: grid, Title: p.root.Title(), Bell: p.root.Bell(), Copy: p.root.Shared(), Mouse: p.root.Mouse(),
		},
	})
}

func (p *programModel) onCanvas(msg tea.MouseMsg) tea.Msg {
	canvas := p.window.canvasOf()
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

// checkIdle warns an idle player, then ends the session. A player who waits for the opponent's move is not idle.
func (p *programModel) checkIdle(timer *idle.Timer) tea.Cmd {
	switch action, left := timer.Check(p.root.AwaitsOpponent()); action {
	case idle.Warn:
		_, cmd := p.root.Update(tui.Notice(fmt.Sprintf("Still there? Any key keeps you here; if not, goodbye in %s.",
			left.Round(time.Second))))
		p.draw()
		return cmd
	case idle.End:
		p.onIdle()
		p.exitMessage = "You were away for a while, so the session has ended. Your matches are kept for as long as " +
			"the rules allow."
		return tea.Quit
	case idle.Nothing:
	}
	return nil
}
