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

// programModel passes each message to the screens and then draws them. If the writer is still writing a frame, it draws
// when the writer is ready.
type programModel struct {
	root        *tui.Root
	writer      *screenWriter
	window      size
	repaints    int          // how often the player has pressed Ctrl-L
	pressedAt   atomic.Int64 // when the oldest key not shown by a frame came, in Unix nanoseconds; 0 for none
	isKeyTaken  bool         // the program has handled the key of pressedAt
	exitMessage string       // the text left on the terminal after the game
	stopTicker  func()
	turns       *limit.Turns
	network     netip.Prefix // the network to which turns are charged
	onIdle      func()       // is called when an idle session ends
}

// writerReady reports that the screen writer can take a frame again.
type writerReady struct{}

type windowMsg size

// exitMsg ends the game and leaves a text on the player's terminal.
type exitMsg string

// idleMsg has programModel check an idle player. The SSH library's idle timeout is no use here: the server's writes
// reset it, so a ticking clock would keep a dead client forever.
type idleMsg struct{ timer *idle.Timer }

type size struct{ width, height int }

// The largest canvas. The limit keeps the cost of a session independent of its client's window.
const (
	maxCanvasColumns = 200
	maxCanvasRows    = 60
)

func (s size) canvasOf() size {
	return size{min(s.width, maxCanvasColumns), min(s.height, maxCanvasRows)}
}

// Init stops Bubble Tea's frame ticker. The ticker would wake every idle session once a second for no purpose.
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

// checkIdle warns an idle player, and later ends the session. A player who waits for the opponent's move is not idle.
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
