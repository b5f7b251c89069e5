package main

import (
	"fmt"
	"net"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	"charm.land/wish/v2/activeterm"
	"charm.land/wish/v2/bubbletea"
	gossh "golang.org/x/crypto/ssh"

	"notakto/rules"
)

// newStock returns wish and Bubble Tea in their default configuration, with the screen of a table of three boards.
func newStock(key gossh.Signer) (served, error) {
	look := newStockLook()
	server, err := wish.NewServer(
		func(s *ssh.Server) error {
			s.AddHostKey(key)
			return nil
		},
		wish.WithPublicKeyAuth(func(ssh.Context, ssh.PublicKey) bool { return true }),
		wish.WithMiddleware(
			bubbletea.Middleware(func(ssh.Session) (tea.Model, []tea.ProgramOption) { return look.newStockTable(), nil }),
			activeterm.Middleware(),
		),
	)
	if err != nil {
		return served{}, err
	}
	return served{serve: func(listener net.Listener) error { return server.Serve(listener) }}, nil
}

// glyphs are the ways a cell can look: with each digit, and in place 0 with a cross.
type glyphs [9 + 1]string

// stockLook is everything on the stock table that never changes, rendered once for all sessions as a careful program
// does.
type stockLook struct {
	free, cursor, dead glyphs
	names              [rules.MaxBoards]string
	heading, help      string
	gap, rule          string
}

func newStockLook() *stockLook {
	cell := lipgloss.NewStyle().Width(7).Align(lipgloss.Center)
	mark := cell.Bold(true).Foreground(lipgloss.Color("#FFAF00"))
	quiet := lipgloss.NewStyle().Foreground(lipgloss.Color("#808080"))
	title := lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#5FAFFF"))
	look := &stockLook{
		free:    render(cell.Foreground(lipgloss.Color("#808080"))),
		cursor:  render(cell.Bold(true).Reverse(true)),
		dead:    render(cell.Faint(true)),
		heading: title.Render("Notakto · three boards · against the computer"),
		help:    quiet.Render("arrows move · enter places · ? help · r resign · q leave"),
		gap:     "       │       │       ",
		rule:    "───────┼───────┼───────",
	}
	look.free[0] = mark.Render("X")
	for i := range look.names {
		look.names[i] = title.Width(23).Align(lipgloss.Center).Render(rules.BoardName(i))
	}
	return look
}

func render(style lipgloss.Style) glyphs {
	var g glyphs
	g[0] = style.Render("X")
	for digit := 1; digit < len(g); digit++ {
		g[digit] = style.Render(fmt.Sprint(digit))
	}
	return g
}

// stockTable is a table of three boards, as a stock Bubble Tea program shows it.
type stockTable struct {
	look          *stockLook
	position      rules.Position
	moves         []string
	row, column   int // of the cursor; columns count over all boards
	width, height int
}

const stockColumns = 75 // three boards and two gaps

func (s *stockLook) newStockTable() stockTable {
	return stockTable{look: s, position: rules.DefaultVariant().Start(), row: 1, column: 1}
}

// Init does nothing.
func (s stockTable) Init() tea.Cmd { return nil }

// Update moves the cursor, places a cross or quits.
func (s stockTable) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "left":
			s.column = max(s.column-1, 0)
		case "right":
			s.column = min(s.column+1, 8)
		case "up":
			s.row = max(s.row-1, 0)
		case "down":
			s.row = min(s.row+1, 2)
		case "enter", "space":
			return s.place(), nil
		case "q", "ctrl+c":
			return s, tea.Quit
		}
	}
	return s, nil
}

func (s stockTable) place() stockTable {
	move := rules.Move{Board: uint8(s.column / 3), Cell: s.position.Variant().CellAt(s.row, s.column%3)}
	if next, err := s.position.Play(move); err == nil {
		s.position = next
		s.moves = append(s.moves, move.String())
	}
	return s
}

// View returns the whole screen.
func (s stockTable) View() tea.View {
	boards := make([]string, 0, 5)
	for i := range s.position.Variant().Boards() {
		boards = append(boards, s.board(i), "   ")
	}
	board, cell := rules.BoardName(s.column/3), s.position.Variant().CellAt(s.row, s.column%3)
	turn := fmt.Sprintf("Player %d to move · board %s, cell %d", len(s.moves)%2+1, board, cell)
	rows := []string{s.look.heading, ""}
	rows = append(rows, strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, boards[:len(boards)-1]...), "\n")...)
	rows = append(rows, "", turn, "Moves: "+strings.Join(s.moves, " "), "", s.look.help)
	view := tea.NewView(s.centred(rows))
	view.AltScreen = true
	view.WindowTitle = "Notakto"
	return view
}

// centred centres rows in the window. Lip Gloss would measure every row to do so.
func (s stockTable) centred(rows []string) string {
	margin := "\n" + strings.Repeat(" ", max(0, (s.width-stockColumns)/2))
	return strings.Repeat("\n", max(0, (s.height-len(rows))/2-1)) + margin + strings.Join(rows, margin)
}

func (s stockTable) board(index int) string {
	lines := []string{s.look.names[index]}
	for row := range 3 {
		cells := make([]string, 3)
		for column := range cells {
			cells[column] = s.cell(index, row, column)
		}
		lines = append(lines, s.look.gap, strings.Join(cells, "│"), s.look.gap)
		if row < 2 {
			lines = append(lines, s.look.rule)
		}
	}
	return strings.Join(lines, "\n")
}

func (s stockTable) cell(index, row, column int) string {
	cell := s.position.Variant().CellAt(row, column)
	glyph := cell
	if s.position.At(index, cell) == rules.Cross {
		glyph = 0
	}
	switch {
	case row == s.row && index*3+column == s.column:
		return s.look.cursor[glyph]
	case s.position.Dead(index):
		return s.look.dead[glyph]
	}
	return s.look.free[glyph]
}
