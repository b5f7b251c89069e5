package screen

import (
	"net/netip"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/limit"
	"notakto/sshapp/render"
	"notakto/sshapp/tui"
)

// The screens use no more of a window than this; a larger one is centred on. So what a session costs does not depend on
// its client.
const (
	maxCanvasColumns = 200
	maxCanvasRows    = 60
)

// programModel is the Bubble Tea program around the screens. It draws by the screen writer, since the program has no
// renderer: after every message, or, after several, once the frame before is on its way.
type programModel struct {
	root        *tui.Root
	writer      *screenWriter
	window      size
	repaints    int          // how often the player has asked for the whole picture again
	pressedAt   atomic.Int64 // when the oldest key came that no frame shows yet, in Unix nanoseconds; 0 for none
	isKeyed     bool         // the program has got it
	exitMessage string       // what stands on the terminal when the game is over
	stopTicker  func()
	turns       *limit.Turns
	network     netip.Prefix // whose turns it takes
	onIdle      func()       // is called when the player has pressed no key for too long
}

// windowMsg is a new size of the client's window.
type windowMsg size

// exitMsg ends the game, with a word on the player's terminal and what becomes of the player's matches.
type exitMsg string

func (window size) canvasOf() size {
	return size{min(window.width, maxCanvasColumns), min(window.height, maxCanvasRows)}
}

// writerReady says that the screen writer has time for a frame again.
type writerReady struct{}

// Init stops the program's frame ticker, which would wake a thousand idle sessions a thousand times a second for
// nothing.
func (m *programModel) Init() tea.Cmd {
	stop := func() tea.Msg {
		m.stopTicker()
		return nil
	}
	return tea.Batch(stop, m.root.Init())
}

// Update passes a message on and draws what it changed.
func (m *programModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch event := msg.(type) {
	case exitMsg:
		m.exitMessage = m.root.ExitText(string(event))
		return m, tea.Quit
	case idleMsg:
		return m, m.checkIdle(event.timer)
	case windowMsg:
		m.window = size(event)
		canvas := m.window.canvasOf()
		msg = tea.WindowSizeMsg{Width: canvas.width, Height: canvas.height}
	case tea.KeyPressMsg:
		m.isKeyed = true
		if event.String() == "ctrl+l" { // something else has written on the terminal
			m.repaints++
			m.draw()
			return m, nil
		}
	case writerReady:
		m.draw()
		return m, nil
	case tea.MouseMsg:
		msg = m.onCanvas(event)
	}
	_, cmd := m.root.Update(msg)
	m.draw()
	return m, cmd
}

// View is empty: the screen writer has drawn.
func (m *programModel) View() tea.View { return tea.View{} }

func (m *programModel) draw() {
	if !m.writer.claim() {
		return
	}
	m.turns.Take(m.network)
	defer m.turns.GiveBack()
	grid := m.writer.buffers.grids.take()
	m.root.Render(grid)
	pressedAt := int64(0)
	if m.isKeyed {
		m.isKeyed, pressedAt = false, m.pressedAt.Swap(0)
	}
	m.writer.show(windowFrame{
		pressedAt: pressedAt,
		window:    m.window, repaints: m.repaints,
		Frame: render.Frame{
			Grid: grid, Title: m.root.Title(), Bell: m.root.Bell(), Copy: m.root.Shared(), Mouse: m.root.Mouse(),
		},
	})
}

// onCanvas counts a mouse's place from the top left of the canvas.
func (m *programModel) onCanvas(msg tea.MouseMsg) tea.Msg {
	canvas := m.window.canvasOf()
	x, y := (m.window.width-canvas.width)/2, (m.window.height-canvas.height)/2
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
