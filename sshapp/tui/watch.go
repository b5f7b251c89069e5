package tui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// watchScreen lists the matches that are being played: those of people first, then the busiest.
type watchScreen struct {
	env     *env
	matches []match.Summary
	loaded  bool
	listRow
	asked bool // to go to one
}

func newWatch(e *env) *watchScreen { return &watchScreen{env: e} }

func (w *watchScreen) enter() tea.Cmd { return w.env.list() }

func (w *watchScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case listed:
		w.show(msg.now.matches)
		return nil, w.env.requestList(msg.now)
	case failed:
		w.asked = false
		return nil, w.env.list()
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
	keys := w.env.keys
	switch {
	case w.move(press, keys, len(w.matches)):
	case key.Matches(press, keys.back):
		return toLobby{}, nil
	case key.Matches(press, keys.enter) && w.row < len(w.matches) && !w.asked:
		w.asked = true
		return w.openSelected(w.matches[w.row])
	}
	return nil, nil
}

// openSelected goes to a match: to the player's own seat, else as a spectator.
func (w *watchScreen) openSelected(m match.Summary) (navigation, tea.Cmd) {
	for _, p := range m.Players {
		if p.ID == w.env.player.ID {
			return toMatch{m.ID}, nil
		}
	}
	return nil, w.env.commands.watch(m.ID, w.env.player.ID)
}

func (w *watchScreen) draw(s *draw.Canvas) {
	s.Page()
	area := s.Header("Watch", w.env.player.Name)
	switch {
	case !w.loaded:
		return
	case len(w.matches) == 0:
		drawNothing(s, area, "No match now.", "Start one, and others can watch it.")
		return
	}
	if s.Wide() {
		w.drawWide(s, area)
		return
	}
	if s.Tall() {
		area = area.Lower(1)
	}
	list := area
	if s.Roomy() {
		s.Section(area.X, area.Y, area.Width, "Matches")
		list = area.Lower(1)
	}
	if area.Width >= wideRow {
		drawWatchedHeads(s, list)
		list = list.Lower(1)
	}
	list.Height = min(len(w.matches), max(3, area.Height/5))
	m, below := w.matches[w.row], area.Lower(list.Y-area.Y+list.Height)
	if s.Roomy() {
		below = below.Lower(1)
		s.Section(below.X, below.Y, below.Width, watchedHeading(s, m, below.Width))
		below = below.Lower(1)
	}
	if boards := draw.Arrange(m.Variant, below); boards.IsEmpty() {
		list.Height = area.Height + area.Y - list.Y
	} else {
		(&draw.Boards{Position: m.Position, Digits: draw.NoDigits, Last: m.LastMove}).Draw(s, boards)
	}
	w.listRow.draw(s, list, len(w.matches), func(at draw.Rect, i int, here bool) {
		w.drawMatch(s, at, w.matches[i], here)
	})
}

// drawWide lists the matches at the left of a wide window, and shows the boards of the chosen one beside them.
func (w *watchScreen) drawWide(s *draw.Canvas, area draw.Rect) {
	list, preview := wideColumns(area)
	s.Section(list.X, list.Y, list.Width, "Matches")
	drawWatchedHeads(s, list.Lower(1))
	w.listRow.draw(s, list.Lower(2), len(w.matches), func(at draw.Rect, i int, here bool) {
		w.drawMatch(s, at, w.matches[i], here)
	})
	m := w.matches[w.row]
	inner := s.Card(preview, draw.Grid, watchedHeading(s, m, preview.Width-6), draw.Other)
	if boards := draw.Arrange(m.Variant, inner); !boards.IsEmpty() {
		(&draw.Boards{Position: m.Position, Digits: draw.NoDigits, Last: m.LastMove}).Draw(s, boards)
	}
}

// drawWatchedHeads names the columns of the matches.
func drawWatchedHeads(s *draw.Canvas, row draw.Rect) {
	s.Text(row.X+2, row.Y, draw.Faint, "Players")
	s.Text(row.X+gameColumn, row.Y, draw.Faint, "Game")
	s.TextRight(row.X+row.Width-movesWidth, row.Y, "Moves")
	s.TextRight(row.X+row.Width, row.Y, "Watching")
}

// drawMatch writes a match into a row: who plays, what is played, and where there is room how far it is.
func (w *watchScreen) drawMatch(s *draw.Canvas, row draw.Rect, m match.Summary, here bool) {
	k := draw.Plain
	if here {
		k = draw.Chosen
		s.Point(row.X, row.Y)
	}
	game, end, start := wording.Terms(m.Terms), row.X+row.Width, row.X+gameColumn
	if row.Width >= wideRow {
		s.TextRight(end, row.Y, strconv.Itoa(m.Spectators))
		moves := s.TextRight(end-movesWidth, row.Y, strconv.Itoa(m.Plies))
		s.Text(start, row.Y, draw.Faint, s.Fit(game, moves-start-2))
	} else {
		start = s.TextRight(end, row.Y, game)
	}
	names := fitNames(s, m.Players, start-row.X-4)
	if here && s.Roomy() {
		s.Text(row.X+2, row.Y, k, names)
		return
	}
	first, second, _ := strings.Cut(names, between(s))
	roles := [2]draw.Role{draw.Plain, draw.Plain}
	if here { // as at the table, whose boards stand below without names
		roles = [2]draw.Role{draw.Other, draw.Here}
	}
	for i, p := range m.Players { // the colours are those of the player's own match
		if p.ID == w.env.player.ID {
			roles[i], roles[1-i] = draw.Here, draw.Other
		}
	}
	x := s.Text(s.Text(row.X+2, row.Y, roles[0], first), row.Y, draw.Faint, between(s))
	s.Text(x, row.Y, roles[1], second)
}

// notice says how far the chosen match is where there is no heading for it.
func (w *watchScreen) notice() (string, draw.Role) {
	if w.env.roomy() || w.row >= len(w.matches) {
		return "", draw.Plain
	}
	m := w.matches[w.row]
	return howFar(m) + ", " + toMoveText(m), draw.Faint
}

// watchedHeading is who plays the match whose boards are shown, and whose turn it is, which has room in any case.
func watchedHeading(s *draw.Canvas, m match.Summary, width int) string {
	turn := ": " + toMoveText(m)
	return fitNames(s, m.Players, width-draw.Columns(turn)-2) + turn
}

// toMoveText says whose turn it is.
func toMoveText(m match.Summary) string {
	return wording.Name(m.ToMove()) + " to move"
}

func (w *watchScreen) title() string { return "Watch" }

// ShortHelp is part of help.KeyMap.
func (w *watchScreen) ShortHelp() []key.Binding {
	k := w.env.keys
	if len(w.matches) == 0 {
		return []key.Binding{k.back, k.help}
	}
	choose := k.choose
	choose.SetEnabled(len(w.matches) > 1)
	return []key.Binding{choose, renamed(k.enter, "watch"), k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (w *watchScreen) FullHelp() [][]key.Binding {
	k := w.env.keys
	return [][]key.Binding{{k.choose, renamed(k.enter, "watch"), k.back}, w.env.settingsOf()}
}
