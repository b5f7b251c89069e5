package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// howToScreen tells the rules, with a board to try them on that belongs to no match.
type howToScreen struct {
	session *session
	board   rules.Position
	cursor  pointer
	last    rules.Cell
	status  string
}

func newHowTo(s *session) *howToScreen {
	h := &howToScreen{session: s}
	h.clear()
	return h
}

func (h *howToScreen) clear() {
	h.board, h.cursor, h.last, h.status = variants()[0].Start(), pointer{0, 5}, 0, ""
}

func (h *howToScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if m, onCell := h.arrangement(h.session.width, h.session.height).Hit(msg.X, msg.Y); onCell {
			h.place(m.Cell)
		}
	case tea.KeyPressMsg:
		return h.press(msg)
	}
	return nil, nil
}

func (h *howToScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys := h.session.keys
	switch {
	case key.Matches(press, keys.clearBoard):
		h.clear()
	case key.Matches(press, keys.back):
		return toLobby{}, nil
	case key.Matches(press, keys.digit):
		h.place(h.session.choices.digits.Cell(press.String()[0]))
	case key.Matches(press, keys.place):
		h.place(h.cursor.cell)
	case key.Matches(press, keys.up):
		h.step(direction{0, -1})
	case key.Matches(press, keys.down):
		h.step(direction{0, 1})
	case key.Matches(press, keys.left):
		h.step(direction{-1, 0})
	case key.Matches(press, keys.right):
		h.step(direction{1, 0})
	}
	return nil, nil
}

func (h *howToScreen) step(d direction) {
	h.cursor = h.cursor.step(d, h.arrangement(h.session.width, h.session.height), h.board)
}

// place tries a mark. Nobody plays here, so nothing has to be recorded.
func (h *howToScreen) place(c rules.Cell) {
	h.cursor.cell = c
	next, err := h.board.Play(rules.Move{Cell: c})
	if err != nil {
		h.status = wording.ShortError(err)
		if h.board.Dead(0) {
			h.status = "This board is dead: c clears it."
		}
		return
	}
	h.board, h.last, h.status = next, c, ""
}

func (h *howToScreen) words() string {
	switch {
	case h.status != "":
		return h.status
	case h.board.Dead(0):
		return "Dead! On the last board, that loses."
	case h.board.Plies() == 0:
		return "Try it: Enter or a digit places an X."
	default:
		return "Still alive. Every mark is an X."
	}
}

func (h *howToScreen) notice() (string, draw.Role) { return h.words(), draw.Notice }

func (h *howToScreen) title() string { return "How to play" }

// ShortHelp is part of help.KeyMap.
func (h *howToScreen) ShortHelp() []key.Binding {
	k := h.session.keys
	return []key.Binding{renamed(k.digit, "place"), k.clearBoard, renamed(k.leave, "back"), k.move, k.place, k.help}
}

// FullHelp is part of help.KeyMap.
func (h *howToScreen) FullHelp() [][]key.Binding {
	k := h.session.keys
	return [][]key.Binding{{k.move, k.place, renamed(k.digit, "place"), k.clearBoard, renamed(k.leave, "back")}, k.settings()}
}

// arrangement is where the board stands: at the right, or below the text if the window is narrow.
func (h *howToScreen) arrangement(width, height int) draw.Arrangement {
	if width < 72 {
		return draw.Arrange(1, draw.Rect{X: 1, Y: height - 2 - 6, Width: width - 2, Height: 6})
	}
	return draw.Arrange(1, draw.Rect{X: width/2 + 2, Y: 3, Width: width/2 - 4, Height: height - 7})
}

func (h *howToScreen) draw(s *draw.Canvas) {
	area := s.Header("How to play", h.session.player.Name)
	width := area.Width
	if s.Width >= 72 {
		width = s.Width/2 - 4
	}
	y := area.Y
	if s.Roomy() {
		y++
	}
	for _, line := range h.text(s) {
		y = s.Paragraph(area.X, y, width, draw.Plain, line)
		if s.Roomy() {
			y++
		}
	}
	shown := draw.Boards{Position: h.board, Digits: h.session.choices.digits, Cursor: h.cursor.move(), Last: rules.Move{Cell: h.last}}
	shown.Draw(s, h.arrangement(s.Width, s.Height))
}

// text is the rules; a small window has room for the essence of them.
func (h *howToScreen) text(s *draw.Canvas) []string {
	essence := []string{
		"You and your opponent take turns to place an X on any board that is alive.",
		"Three X in a row, across, down or slanting, kill a board.",
		"Whoever kills the last board loses.",
	}
	if !s.Roomy() {
		return essence
	}
	return append(essence,
		"Both players place X, so every mark counts for both. With one board you lose by making three in a row; with more, it matters who must kill "+
			"the last one.",
		"Tic-tac-toe is here too: O moves first, and three in a row of your own win.",
	)
}
