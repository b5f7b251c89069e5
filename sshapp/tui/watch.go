package tui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type watchScreen struct {
	page
	list[match.Summary]
}

func newWatch(e *env) *watchScreen { return &watchScreen{page: page{e, "Watch"}} }

func (w *watchScreen) enter() tea.Cmd { return w.env.list() }

func (w *watchScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listed:
		w.take(msg.now.matches)
		return w.env.requestList(msg.now)
	case failed:
		w.state = loaded
		return w.env.list()
	case tea.KeyPressMsg:
		return r.do(w.actions())
	}
	return nil
}

func (w *watchScreen) take(matches []match.Summary) {
	w.show(matches, func(a, b match.Summary) bool { return a.ID == b.ID })
}

func (w *watchScreen) actions() []action {
	k := w.env.keys
	return []action{
		{key: &k.choose, short: when(len(w.rows) > 1, "choose"), long: "choose", do: w.move},
		{key: &k.enter, short: when(len(w.rows) > 0, "watch"), long: "watch", do: w.open},
		{key: &k.back, short: "back", long: "back", do: toLobby},
	}
}

// open shows the chosen match: from the player's own seat if there is one, else as a spectator.
func (w *watchScreen) open(r *Root) tea.Cmd {
	if w.state == opening || w.row >= len(w.rows) {
		return nil
	}
	w.state = opening
	m := w.rows[w.row]
	for _, p := range m.Players {
		if p.ID == w.env.player.ID {
			return r.goTo(m.ID)
		}
	}
	return w.env.watch(m.ID)
}

func (w *watchScreen) draw(s *draw.Canvas) {
	area := w.header(s)
	switch {
	case w.state == loading:
		return
	case len(w.rows) == 0:
		drawNothing(s, area, "No match now.", "Start one, and others can watch it.")
		return
	}
	m := w.rows[w.row]
	shown := draw.Boards{Position: m.Position, Digits: draw.NoDigits, Last: m.LastMove}
	heads := [...]head{{"Players", 2}, {"Game", gameColumn}, {"Moves", -movesWidth}, {"Watching", 0}}
	if s.Wide() {
		list, preview := wideColumns(area)
		s.Section(list.X, list.Y, list.Width, "Matches")
		drawHeads(s, list.Lower(1), heads[:]...)
		w.list.draw(s, list.Lower(2), w.drawMatch(s))
		inner := s.Card(preview, draw.Grid, watchedHeading(s, m, preview.Width-6), draw.Other)
		shown.Draw(s, draw.Arrange(m.Variant, inner))
		return
	}
	area = area.Lower(s.Pick(0, 0, 1))
	list := area
	if s.Roomy() {
		s.Section(area.X, area.Y, area.Width, "Matches")
		list = area.Lower(1)
	}
	if area.Width >= wideRow {
		drawHeads(s, list, heads[:]...)
		list = list.Lower(1)
	}
	list.Height = min(len(w.rows), max(3, area.Height/5))
	below := area.Lower(list.Y - area.Y + list.Height)
	if s.Roomy() {
		below = below.Lower(1)
		s.Section(below.X, below.Y, below.Width, watchedHeading(s, m, below.Width))
		below = below.Lower(1)
	}
	boards := draw.Arrange(m.Variant, below)
	shown.Draw(s, boards)
	if boards.IsEmpty() {
		list.Height = area.Height + area.Y - list.Y
	}
	w.list.draw(s, list, w.drawMatch(s))
}

func (w *watchScreen) drawMatch(s *draw.Canvas) func(row draw.Rect, m match.Summary, k draw.Role) {
	return func(row draw.Rect, m match.Summary, k draw.Role) {
		s.Target.OnKey(row, "Enter")
		game, end, start := wording.Terms(m.Terms), row.X+row.Width, row.X+gameColumn
		if row.Width >= wideRow {
			s.TextRight(end, row.Y, strconv.Itoa(m.Spectators))
			moves := s.TextRight(end-movesWidth, row.Y, strconv.Itoa(m.Plies))
			s.Text(start, row.Y, draw.Faint, s.Fit(game, moves-start-2))
		} else {
			start = s.TextRight(end, row.Y, game)
		}
		names := fitNames(s, m.Players, start-row.X-4)
		if k == draw.Chosen && s.Roomy() {
			s.Text(row.X+2, row.Y, k, names)
			return
		}
		first, second, _ := strings.Cut(names, between(s))
		roles := [2]draw.Role{draw.Plain, draw.Plain}
		if k == draw.Chosen { // the colours of the boards below, which have no names
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
}

func (w *watchScreen) notice() (string, draw.Role) {
	if w.env.roomy() || w.row >= len(w.rows) {
		return "", draw.Plain
	}
	m := w.rows[w.row]
	return howFar(m) + ", " + toMoveText(m), draw.Faint
}

func watchedHeading(s *draw.Canvas, m match.Summary, width int) string {
	turn := ": " + toMoveText(m)
	return fitNames(s, m.Players, width-draw.Columns(turn)-2) + turn
}

func toMoveText(m match.Summary) string { return wording.Name(m.ToMove()) + " to move" }
