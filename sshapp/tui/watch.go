package tui

import (
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// watchScreen lists the matches that are being played, the busiest first.
type watchScreen struct {
	session *session
	matches []match.Summary
	loaded  bool
	row     int
	asked   bool // to go to one
}

func newWatch(s *session) *watchScreen { return &watchScreen{session: s} }

func (w *watchScreen) enter() tea.Cmd { return w.session.list() }

func (w *watchScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case listed:
		w.show(msg.now.matches)
		return nil, w.session.requestList(msg.now)
	case failed:
		w.asked = false
		return nil, w.session.list()
	case tea.KeyPressMsg:
		return w.press(msg)
	}
	return nil, nil
}

// show takes a new list. The chosen row stays at its match.
func (w *watchScreen) show(matches []match.Summary) {
	if w.row < len(w.matches) {
		chosen := w.matches[w.row].ID
		if i := slices.IndexFunc(matches, func(m match.Summary) bool { return m.ID == chosen }); i >= 0 {
			w.row = i
		}
	}
	w.matches, w.loaded = matches, true
	w.row = max(0, min(w.row, len(matches)-1))
}

func (w *watchScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys := w.session.keys
	switch {
	case key.Matches(press, keys.up):
		w.row = max(0, w.row-1)
	case key.Matches(press, keys.down):
		w.row = max(0, min(w.row+1, len(w.matches)-1))
	case key.Matches(press, keys.back):
		return toLobby{}, nil
	case key.Matches(press, keys.enter) && w.row < len(w.matches) && !w.asked:
		w.asked = true
		return w.openSelected(w.matches[w.row])
	}
	return nil, nil
}

func (w *watchScreen) chooseRow(row int) { w.row = row }

// openSelected goes to a match: to the player's own seat, else as a spectator.
func (w *watchScreen) openSelected(m match.Summary) (navigation, tea.Cmd) {
	for _, p := range m.Players {
		if p.ID == w.session.player.ID {
			return toMatch{m.ID}, nil
		}
	}
	return nil, w.session.commands.watch(m.ID, w.session.player.ID)
}

func (w *watchScreen) draw(s *draw.Canvas) {
	area := s.Header("Watch", w.session.player.Name)
	switch {
	case !w.loaded:
		return
	case len(w.matches) == 0:
		y := drawStart(s, match.DefaultTerms().Variant, area, 4)
		y = s.TextCenter(area.X, area.Width, y, draw.Strong, "There is no match to watch just now.")
		s.TextCenter(area.X, area.Width, y+1, draw.Faint, "Begin one, and others can watch you.")
		return
	}
	list := area
	list.Height = min(len(w.matches), max(3, area.Height/5))
	if s.Roomy() {
		list.Y++
	}
	m, below := w.matches[w.row], area.Lower(list.Y-area.Y+list.Height)
	if s.Roomy() {
		below = below.Lower(1)
	}
	if boards := draw.Arrange(m.Variant, below.Lower(1)); boards.IsEmpty() {
		list.Height = area.Height + area.Y - list.Y
	} else {
		s.Section(below.X, below.Y, below.Width, m.ToMove().Name+"'s turn")
		(&draw.Boards{Position: m.Position, Digits: draw.NoDigits}).Draw(s, boards)
	}
	w.drawList(s, list)
}

// drawList has a row for each match, and the chosen one in its middle where it can.
func (w *watchScreen) drawList(s *draw.Canvas, area draw.Rect) {
	first := max(0, min(w.row-area.Height/2, len(w.matches)-area.Height))
	for i := first; i < min(len(w.matches), first+area.Height); i++ {
		row := draw.Rect{X: area.X, Y: area.Y + i - first, Width: area.Width, Height: 1}
		s.Target.OnEntry(row, i)
		w.drawMatch(s, row, w.matches[i], i == w.row)
	}
}

func (w *watchScreen) drawMatch(s *draw.Canvas, row draw.Rect, m match.Summary, here bool) {
	k := draw.Plain
	if here {
		k = draw.Chosen
		s.Point(row.X, row.Y)
	}
	right := wording.Terms(m.Terms)
	if row.Width >= 60 {
		right += ", " + howFar(m)
	}
	start := s.TextRight(row.X+row.Width, row.Y, right)
	s.Text(row.X+2, row.Y, k, fitNames(s, m.Players, start-row.X-4))
}

// drawPreview shows how a match stands, and whose it is. It reports whether there is room for that.
func drawPreview(s *draw.Canvas, area draw.Rect, m match.Summary) bool {
	below := area.Lower(3)
	boards := draw.Arrange(m.Variant, below)
	if boards.IsEmpty() {
		return false
	}
	s.Text(area.X, area.Y, draw.MarkFirst, "live")
	s.Text(area.X+6, area.Y, draw.Plain, fitNames(s, m.Players, area.Width-6))
	s.Text(area.X+6, area.Y+1, draw.Faint, howFar(m))
	(&draw.Boards{Position: m.Position, Digits: draw.NoDigits}).Draw(s, boards.AtTop(below))
	return true
}

// howFar is how many moves have been made, and how many watch, if any.
func howFar(m match.Summary) string {
	text := wording.Count(m.Plies, "move", "moves")
	if m.Spectators > 0 {
		text += ", " + strconv.Itoa(m.Spectators) + " watching"
	}
	return text
}

// fitNames is the names of both players: where there is no room for both names, each has half of it.
func fitNames(s *draw.Canvas, players [2]match.Player, width int) string {
	between := " " + s.Glyphs.Dash + " "
	room := width - draw.Columns(between)
	first := s.Fit(players[0].Name, max((room+1)/2, room-draw.Columns(players[1].Name)))
	return first + between + s.Fit(players[1].Name, room-draw.Columns(first))
}

func (w *watchScreen) notice() (string, draw.Role) { return "", draw.Plain }

func (w *watchScreen) title() string { return "Watch" }

// ShortHelp is part of help.KeyMap.
func (w *watchScreen) ShortHelp() []key.Binding {
	k := w.session.keys
	if len(w.matches) == 0 {
		return []key.Binding{k.back, k.help}
	}
	return []key.Binding{k.choose, renamed(k.enter, w.session.either("watch", "go")), k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (w *watchScreen) FullHelp() [][]key.Binding {
	k := w.session.keys
	return [][]key.Binding{{k.choose, renamed(k.enter, "watch"), k.back}, settingsOf(w.session)}
}
