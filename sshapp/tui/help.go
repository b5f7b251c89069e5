package tui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// drawHelp shows all keys of a screen, in as many columns as there is room for, and what else one may want to know at a
// table.
func drawHelp(s *draw.Canvas, session *session, groups [][]key.Binding, at *client.Table) {
	s.Page()
	area := s.Header("Help", session.player.Name)
	footing := session.helpFooting(at)
	if at != nil && session.choices.digits == draw.Phone {
		footing = append(footing, "Moves are still named 7 8 9 on top.")
	}
	area.Height -= len(footing)
	for i, group := range groups {
		groups[i] = slices.DeleteFunc(slices.Clone(group), func(b key.Binding) bool { return !b.Enabled() })
	}
	texts := []string{gameText(at), marksText(s, session, at)}
	if s.Roomy() {
		for i, group := range groups {
			groups[i] = joined(group)
		}
		drawHelpGroups(s, area.Lower(1), groups, texts, !isTicTacToe(at))
	} else {
		columns := helpColumns(groups, area.Height)
		used := 1
		for _, column := range columns {
			used = max(used, 1+len(column))
		}
		for _, text := range texts {
			used += draw.LinesOf(text, area.Width)
		}
		if used < area.Height {
			area = area.Lower(1)
		}
		x, end := area.X, area.Y
		for _, column := range columns {
			names, width := nameWidth(column)-1, 0
			for i, binding := range column {
				drawHelpLine(s, x, area.Y+i, names, binding.Help())
				width = max(width, names+draw.Columns(binding.Help().Desc))
			}
			x, end = x+width+2, max(end, area.Y+len(column))
		}
		drawGame(s, area.Lower(end+1-area.Y), draw.Faint, texts)
	}
	for i, line := range footing {
		s.Text(area.X, area.Y+area.Height+i, draw.Faint, s.Fit(line, area.Width))
	}
	draw.FooterRule(s)
	s.Footer([]key.Binding{bind([]string{"any"}, "Any key", "goes back"), renamed(session.keys.cut, "quits")})
}

// joined has the keys that follow each other and do the same in one.
func joined(group []key.Binding) []key.Binding {
	var all []key.Binding
	for _, b := range group {
		if last := len(all) - 1; last >= 0 && all[last].Help().Desc == b.Help().Desc {
			all[last].SetHelp(all[last].Help().Key+" / "+b.Help().Key, b.Help().Desc)
		} else {
			all = append(all, b)
		}
	}
	return all
}

// drawHelpGroups has a column with a heading for each group, for the keys of the screen and for those of the settings,
// and the game in short below. In a high window there is a blank line below the headings.
func drawHelpGroups(s *draw.Canvas, area draw.Rect, groups [][]key.Binding, texts []string, boardsDie bool) {
	const gap = 4
	first, left, end := 1, area, area.Y
	if s.Tall() {
		first = 2
	}
	left.Width = (area.Width - gap*(len(groups)-1)) / len(groups)
	for i, group := range groups {
		s.Section(left.X, left.Y, left.Width, [...]string{"On this screen", "Settings"}[i])
		y, names := left.Y+first, nameWidth(group)
		for _, binding := range group {
			drawHelpLine(s, left.X, y, names, binding.Help())
			y++
		}
		left.X, end = left.X+left.Width+gap, max(end, y)
	}
	const least = 4 // rows, with the heading
	if area = area.Lower(end + 1 - area.Y); area.Height < least {
		return
	}
	s.Section(area.X, area.Y, area.Width, "The game")
	area = area.Lower(first)
	area = area.Lower(1 + drawGame(s, area, draw.Plain, texts) - area.Y)
	if _, rows := planDeath(area); rows > 0 && boardsDie {
		drawDeath(s, area.Column(4*area.Height))
	}
}

// drawGame writes the game in short, and what the marks of a match mean, as much as there is room for. It returns the
// row below.
func drawGame(s *draw.Canvas, area draw.Rect, k draw.Role, texts []string) (y int) {
	y = area.Y
	for _, text := range texts {
		if text != "" && y+draw.LinesOf(text, area.Width) <= area.Y+area.Height {
			y = s.Paragraph(area.X, y, area.Width, k, text)
		}
	}
	return y
}

// marksText is what the marks of a match that is on mean, and who sees them.
func marksText(s *draw.Canvas, session *session, at *client.Table) string {
	const text, kills = "The centre of the last X is marked.", "An X on a marked digit kills the board."
	switch {
	case at == nil || !at.Started() || at.Over():
		return ""
	case at.Variant.IsTicTacToe():
		return "The centre of the last O or X is marked."
	case at.IsWatching() || at.Pool.IsRated():
		return text
	case session.showsDeadly(at) && !s.Roomy():
		return kills
	case session.showsDeadly(at):
		return text + " " + kills
	case !s.Roomy():
		return "x marks the digits that kill a board."
	case at.IsAgainstComputer():
		return text + " Press x to mark the digits that kill a board."
	default:
		return text + " Press x to mark the digits that kill a board. Your opponent sees them too."
	}
}

func isTicTacToe(at *client.Table) bool { return at != nil && at.Variant.IsTicTacToe() }

// gameText is the game that is played at a table in short.
func gameText(at *client.Table) string {
	if isTicTacToe(at) {
		return "O and X take turns. Three in a row of your own wins."
	}
	return gameInShort
}

// helpColumns is a column for each group, or where there is less room one for as many as have so many rows.
func helpColumns(groups [][]key.Binding, rows int) [][]key.Binding {
	var all [][]key.Binding
	for i, group := range groups {
		last := len(all) - 1
		if i == 0 || len(all[last])+len(group) > rows {
			all = append(all, slices.Clip(group))
		} else {
			all[last] = append(all[last], group...)
		}
	}
	return all
}

// nameWidth is the width of the column that the names of keys take.
func nameWidth(group []key.Binding) int {
	width := 0
	for _, binding := range group {
		width = max(width, draw.Columns(binding.Help().Key))
	}
	return width + 2
}

func drawHelpLine(s *draw.Canvas, x, y, names int, help key.Help) {
	s.Text(x, y, draw.Keycap, help.Key)
	what, value, isSetting := strings.Cut(help.Desc, ": ")
	if isSetting {
		what += ": "
	}
	s.Text(s.Text(x+names, y, draw.Faint, what), y, draw.Chosen, value)
}

// footnote is the same in one line, for a table whose header has no room for it.
func (s *session) footnote(at *client.Table) string { return strings.Join(s.helpFooting(at), ". ") }

// resumeHint is a guest's way back, as a whole command if there is one and the window is wide enough for that.
func (s *session) resumeHint(code match.Code) string {
	const hint = "Way back: "
	if command := wording.GameCommand(s.host, "join "+string(code)); command != "" &&
		draw.Columns(hint+command) <= s.width-2 {
		return hint + command
	}
	return hint + "join " + string(code)
}

// helpFooting is what stands below the keys at a table.
func (s *session) helpFooting(at *client.Table) []string {
	if at == nil {
		return nil
	}
	var lines []string
	if game := wording.PairGame(at.State); game != "" {
		lines = append(lines, wording.Capital(game))
	}
	if seed := wording.OpeningSeed(at.State); seed != "" && s.roomy() {
		lines = append(lines, seed)
	}
	if code := at.SeatState(at.Side).Code; code != "" {
		lines = append(lines, s.resumeHint(code))
	}
	switch {
	case at.Side != rules.Nobody && at.Spectators > 0:
		lines = append(lines, wording.Count(at.Spectators, "is watching", "are watching"))
	case at.Spectators == 1:
		lines = append(lines, "You are the only one watching")
	case at.Spectators > 1:
		lines = append(lines, strconv.Itoa(at.Spectators)+" are watching, including you")
	}
	return lines
}

// howToScreen explains the rules, with a board to try them on that belongs to no match.
type howToScreen struct {
	session *session
	board   rules.Position
	cursor  pointer
	last    rules.Cell
	status  string
}

func (s *session) newHowTo() *howToScreen {
	h := &howToScreen{session: s}
	h.clear()
	for _, c := range [...]rules.Cell{7, 5} { // so that there is a move to try
		h.board, _ = h.board.Play(rules.Move{Cell: c})
	}
	h.cursor.cell = example
	return h
}

// example is the cell that kills the board that is shown at first.
const example rules.Cell = 3

func (h *howToScreen) clear() {
	h.board, h.cursor, h.last, h.status = variants()[0].Start(), pointer{cell: 5}, 0, ""
}

func (h *howToScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		page := h.page()
		if m, onCell := h.arrangement(page).Hit(msg.X-page.X, msg.Y-page.Y); onCell {
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
		h.place(h.session.choices.digits.Cell(h.board.Variant(), press.String()[0]))
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
	h.cursor = h.cursor.step(d, h.arrangement(h.page()), h.board)
}

// place tries a mark. It belongs to no match, so nothing has to be recorded.
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
		return "Try it: press " + h.session.choices.digits.Text(h.board.Variant(), example) + " to kill this board."
	case h.board.Plies() == 0:
		return "Try it: Enter or a digit places an X."
	case !slices.ContainsFunc(h.board.Legal(), h.board.Kills):
		return "Still alive. No cell kills the board yet."
	default:
		return "Still alive. An X on a marked digit kills the board."
	}
}

func (h *howToScreen) notice() (string, draw.Role) {
	if h.hasWordsBelow() {
		return "", draw.Plain
	}
	return h.words(), draw.Notice
}

// hasWordsBelow reports whether there is room for the words below the board.
func (h *howToScreen) hasWordsBelow() bool {
	page := h.page()
	return draw.Size{Width: page.Width, Height: page.Height}.Tall()
}

func (h *howToScreen) title() string { return "How to play" }

// ShortHelp is part of help.KeyMap.
func (h *howToScreen) ShortHelp() []key.Binding {
	k := h.session.keys
	place := renamed(k.digit, "place")
	if !h.session.roomy() {
		return []key.Binding{place, k.clearBoard, k.lobby, k.help}
	}
	return []key.Binding{k.move, place, k.place, k.clearBoard, k.lobby, k.help}
}

// FullHelp is part of help.KeyMap.
func (h *howToScreen) FullHelp() [][]key.Binding {
	k := h.session.keys
	return [][]key.Binding{
		{k.move, k.place, renamed(k.digit, "place"), k.clearBoard, k.lobby}, h.session.settingsOf(),
	}
}

func (h *howToScreen) page() draw.Rect {
	return draw.Size{Width: h.session.width, Height: h.session.height}.Page()
}

// arrangement is where the board stands on a page: at the right, or below the text if the page is narrow.
func (h *howToScreen) arrangement(page draw.Rect) draw.Arrangement {
	width, height := page.Width, page.Height
	if width < 72 {
		return draw.Arrange(h.board.Variant(), draw.Rect{X: 1, Y: height - 2 - 6, Width: width - 2, Height: 6})
	}
	half := width / 2
	return draw.Arrange(h.board.Variant(), draw.Rect{X: half + 2, Y: 3, Width: half - 4, Height: height - 7})
}

func (h *howToScreen) draw(s *draw.Canvas) {
	s.Page()
	area := s.Header("How to play", h.session.player.Name)
	boards := h.arrangement(h.page())
	if s.Width >= 72 {
		area.Width = min(64, area.Width/2-2)
	}
	y := area.Y
	if s.Roomy() { // beside the board
		at := boards.Bounds()
		area = draw.Rect{X: area.X, Y: at.Y, Width: area.Width, Height: at.Height}
		y = area.Y
	}
	const essential = 3 // paragraphs
	for i, line := range h.text(s) {
		role := draw.Plain
		if i >= essential {
			role = draw.Faint
		}
		y = s.Paragraph(area.X, y, area.Width, role, line)
		if s.Roomy() {
			y++
		}
	}
	shown := draw.Boards{
		Position: h.board, Digits: h.session.choices.digits, Cursor: h.cursor.move(), Last: rules.Move{Cell: h.last},
		Deadly: true,
	}
	shown.Draw(s, boards)
	if at := boards.Bounds(); h.hasWordsBelow() {
		s.TextCenter(at.X, at.Width, at.Y+at.Height+1, draw.Notice, h.words())
	}
}

// text is the rules; a small window has room for the essence of them.
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
		limits := h.session.commands.manager.TimeLimits()
		essence = append(essence, wording.MoveLimits(limits.FirstMove, limits.LaterMove))
	}
	return essence
}
