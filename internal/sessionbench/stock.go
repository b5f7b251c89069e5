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

func (look *stockLook) newStockTable() stockTable {
	return stockTable{look: look, position: rules.DefaultVariant().Start(), row: 1, column: 1}
}

// Init does nothing.
func (t stockTable) Init() tea.Cmd { return nil }

// Update moves the cursor, places a cross or quits.
func (t stockTable) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		t.width, t.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "left":
			t.column = max(t.column-1, 0)
		case "right":
			t.column = min(t.column+1, 8)
		case "up":
			t.row = max(t.row-1, 0)
		case "down":
			t.row = min(t.row+1, 2)
		case "enter", "space":
			return t.place(), nil
		case "q", "ctrl+c":
			return t, tea.Quit
		}
	}
	return t, nil
}

func (t stockTable) place() stockTable {
	move := rules.Move{Board: uint8(t.column / 3), Cell: t.position.Variant().CellAt(t.row, t.column%3)}
	if next, err := t.position.Play(move); err == nil {
		t.position = next
		t.moves = append(t.moves, move.String())
	}
	return t
}

// View returns the whole screen.
func (t stockTable) View() tea.View {
	boards := make([]string, 0, 5)
	for i := range t.position.Variant().Boards() {
		boards = append(boards, t.board(i), "   ")
	}
	board, cell := rules.BoardName(t.column/3), t.position.Variant().CellAt(t.row, t.column%3)
	turn := fmt.Sprintf("Player %d to move · board %s, cell %d", len(t.moves)%2+1, board, cell)
	rows := []string{t.look.heading, ""}
	rows = append(rows, strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, boards[:len(boards)-1]...), "\n")...)
	rows = append(rows, "", turn, "Moves: "+strings.Join(t.moves, " "), "", t.look.help)
	view := tea.NewView(t.centred(rows))
	view.AltScreen = true
	view.WindowTitle = "Notakto"
	return view
}

// centred centres rows in the window. Lip Gloss would measure every row to do so.
func (t stockTable) centred(rows []string) string {
	margin := "\n" + strings.Repeat(" ", max(0, (t.width-stockColumns)/2))
	return strings.Repeat("\n", max(0, (t.height-len(rows))/2-1)) + margin + strings.Join(rows, margin)
}

func (t stockTable) board(index int) string {
	lines := []string{t.look.names[index]}
	for row := range 3 {
		cells := make([]string, 3)
		for column := range cells {
			cells[column] = t.cell(index, row, column)
		}
		lines = append(lines, t.look.gap, strings.Join(cells, "│"), t.look.gap)
		if row < 2 {
			lines = append(lines, t.look.rule)
		}
	}
	return strings.Join(lines, "\n")
}

func (t stockTable) cell(index, row, column int) string {
	cell := t.position.Variant().CellAt(row, column)
	glyph := cell
	if t.position.At(index, cell) == rules.Cross {
		glyph = 0
	}
	switch {
	case row == t.row && index*3+column == t.column:
		return t.look.cursor[glyph]
	case t.position.Dead(index):
		return t.look.dead[glyph]
	}
	return t.look.free[glyph]
}
