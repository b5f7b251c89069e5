package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type howToScreen struct {
	page
	board  rules.Position
	cursor cursor
	last   rules.Cell
	status string
}

func newHowTo(e *env) *howToScreen {
	h := &howToScreen{page: page{e, "How to play"}}
	h.clear()
	for _, c := range [...]rules.Cell{7, 5} { // so that there is a move to try
		h.board, _ = h.board.Play(rules.Move{Cell: c})
	}
	h.cursor.cell = example
	return h
}

// example is the cell that kills the board shown at first.
const example rules.Cell = 3

func (h *howToScreen) clear() {
	h.board, h.cursor, h.last, h.status = variants()[0].Start(), cursor{cell: 5}, 0, ""
}

func (h *howToScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		page := h.area()
		if m, onCell := h.arrangement(page).Hit(msg.X-page.X, msg.Y-page.Y); onCell {
			h.place(m.Cell)
		}
	case tea.KeyPressMsg:
		return r.do(h.actions())
	}
	return nil
}

func (h *howToScreen) actions() []action {
	k, isRoomy := h.env.keys, h.env.roomy()
	return []action{
		{key: &k.move, short: when(isRoomy, "move"), long: "move", do: func(*Root) tea.Cmd {
			h.cursor = h.cursor.step(h.env.arrow(), h.arrangement(h.area()), h.board)
			return nil
		}},
		{key: &k.enter, long: "place X", do: func(*Root) tea.Cmd {
			h.place(h.cursor.cell)
			return nil
		}},
		{key: &k.digit, short: "place", long: "place", do: func(*Root) tea.Cmd {
			h.place(h.env.cellOf(h.board.Variant()))
			return nil
		}},
		{key: &k.enter, short: when(isRoomy, "place X")},
		{key: &k.clearBoard, short: "clear", long: "clear", do: func(*Root) tea.Cmd {
			h.clear()
			return nil
		}},
		{key: &k.lobby, short: "back", long: "back", do: toLobby},
	}
}

// place tries a mark on a board that belongs to no match.
func (h *howToScreen) place(c rules.Cell) {
	h.cursor.cell = c
	next, err := h.board.Play(rules.Move{Cell: c})
	if err != nil {
		h.status = wording.ForError(err).Short
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
	case h.last == 0 && h.board.Plies() > 0:
		return "Try it: press " + h.env.settings.digits.Text(h.board.Variant(), example) + " to kill this board."
	case h.board.Plies() == 0:
		return "Try it: Enter or a digit places an X."
	case !slices.ContainsFunc(h.board.Legal(), h.board.Kills):
		return h.env.either("Still alive. No cell kills the board yet.", "Still alive. No cell kills it yet.")
	default:
		return h.env.either("Still alive. An X on a marked digit kills the board.", "Still alive. A marked digit kills it.")
	}
}

func (h *howToScreen) notice() (string, draw.Role) {
	if h.hasWordsBelow() {
		return "", draw.Plain
	}
	return h.words(), draw.Notice
}

func (h *howToScreen) hasWordsBelow() bool {
	page := h.area()
	return draw.Size{Width: page.Width, Height: page.Height}.Tall()
}

func (h *howToScreen) area() draw.Rect {
	return draw.Size{Width: h.env.width, Height: h.env.height}.Page()
}

// arrangement places the board: at the right, or below the text on a narrow page.
func (h *howToScreen) arrangement(page draw.Rect) draw.Arrangement {
	width, height := page.Width, page.Height
	if width < 72 {
		return draw.Arrange(h.board.Variant(), draw.Rect{X: 1, Y: height - 2 - 6, Width: width - 2, Height: 6})
	}
	half := width / 2
	return draw.Arrange(h.board.Variant(), draw.Rect{X: half + 2, Y: 3, Width: half - 4, Height: height - 7})
}

func (h *howToScreen) draw(s *draw.Canvas) {
	area := h.header(s)
	boards := h.arrangement(h.area())
	if s.Width >= 72 {
		area.Width = min(64, area.Width/2-2)
	}
	y := area.Y
	if s.Roomy() { // beside the board
		y = boards.Bounds().Y
	}
	const essential = 3 // paragraphs
	for i, line := range h.text(s) {
		role := draw.Plain
		if i >= essential {
			role = draw.Faint
		}
		y = s.Paragraph(area.X, y, area.Width, role, line) + s.Pick(0, 1, 1)
	}
	shown := draw.Boards{
		Position: h.board, Digits: h.env.settings.digits, Cursor: h.cursor.move(), Last: rules.Move{Cell: h.last},
		Deadly: true,
	}
	shown.Draw(s, boards)
	if at := boards.Bounds(); h.hasWordsBelow() {
		s.TextCenter(at.X, at.Width, at.Y+at.Height+1, draw.Notice, h.words())
	}
}

// text returns the rules in paragraphs. A small window has room for three.
func (h *howToScreen) text(s *draw.Canvas) []string {
	essence := []string{
		"You and your opponent take turns placing an X on a board that is alive.",
		"Three Xs in a row, across, down or diagonally, kill a board.",
		"The player who kills the last board loses.",
	}
	if !s.Roomy() {
		return essence
	}
	essence = append(essence,
		"Every X counts for both of you. On a single board, making three in a row loses.",
		"You can also play tic-tac-toe: O moves first, and three of your own marks in a row win.",
	)
	if s.Height >= 32 {
		limits := h.env.manager.TimeLimits()
		essence = append(essence, wording.MoveLimits(limits.FirstMove, limits.LaterMove))
	}
	return essence
}
