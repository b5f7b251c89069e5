package sshapp

import (
	"net/netip"

	"notakto/sshapp/limit"

	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/render"
	"notakto/sshapp/tui"
)

// The screens use no more of a window than this; a larger one is centred on. So what a session costs does not depend on
// its client.
const (
	maxCanvasColumns = 100
	maxCanvasRows    = 36
)

// programModel is the Bubble Tea program around the screens. It draws by the screen writer, since the program has no
// renderer: after every message, or, after several, once the frame before is on its way.
type programModel struct {
	root        *tui.Root
	writer      *screenWriter
	window      size
	exitMessage string // what stands on the terminal when the game is over
	stopTicker  func()
	turns       *limit.Turns
	network     netip.Prefix // whose turns it takes
	onIdle      func()       // hears when the player has pressed no key for too long
}

// windowMsg is a new size of the client's window.
type windowMsg size

// exitMsg ends the game, with a word on the player's terminal and what becomes of the player's matches.
type exitMsg string

func canvasOf(window size) size {
	return size{min(window.width, maxCanvasColumns), min(window.height, maxCanvasRows)}
}

// writerReady says that the screen writer has time for a frame again.
type writerReady struct{}

// Init stops the program's frame ticker, which would wake a thousand idle sessions a thousand times a second for
// nothing.
func (st *programModel) Init() tea.Cmd {
	stop := func() tea.Msg {
		st.stopTicker()
		return nil
	}
	return tea.Batch(stop, st.root.Init())
}

// Update passes a message on and draws what it changed.
func (st *programModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch event := msg.(type) {
	case exitMsg:
		st.exitMessage = st.root.ExitText(string(event))
		return st, tea.Quit
	case idleMsg:
		return st, st.checkIdle(event)
	case windowMsg:
		st.window = size(event)
		canvas := canvasOf(st.window)
		msg = tea.WindowSizeMsg{Width: canvas.width, Height: canvas.height}
	case writerReady:
		st.draw()
		return st, nil
	case tea.MouseMsg:
		msg = st.onCanvas(event)
	}
	_, cmd := st.root.Update(msg)
	st.draw()
	return st, cmd
}

// View is empty: the screen writer has drawn.
func (st *programModel) View() tea.View { return tea.View{} }

func (st *programModel) draw() {
	if !st.writer.claim() {
		return
	}
	st.turns.Take(st.network)
	defer st.turns.GiveBack()
	grid := st.writer.buffers.grids.take()
	st.root.Render(grid)
	st.writer.show(windowFrame{
		window: st.window,
		Frame:  render.Frame{Grid: grid, Title: st.root.Title(), Bell: st.root.Bell(), Mouse: st.root.Mouse()},
	})
}

// onCanvas counts a mouse's place from the top left of the canvas.
func (st *programModel) onCanvas(msg tea.MouseMsg) tea.Msg {
	canvas := canvasOf(st.window)
	x, y := (st.window.width-canvas.width)/2, (st.window.height-canvas.height)/2
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
