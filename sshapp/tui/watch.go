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

func (w *watchScreen) enter() tea.Cmd { return w.env.readActivity() }

func (w *watchScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case activityMsg:
		w.take(msg.activity.matches)
		return w.env.awaitActivity(msg.activity)
	case failedMsg:
		w.state = loaded
		return w.env.readActivity()
	case tea.KeyPressMsg:
		return r.runAction(w.actions())
	}
	return nil
}

func (w *watchScreen) take(matches []match.Summary) {
	w.show(matches, func(a, b match.Summary) bool { return a.ID == b.ID })
}

func (w *watchScreen) actions() []action {
	keys := w.env.keys
	return []action{
		{key: &keys.choose, short: textIf(len(w.rows) > 1, "choose"), long: "choose", run: w.move},
		{key: &keys.enter, short: "watch", long: "watch", run: w.open},
		{key: &keys.back, short: "back", long: "back", run: toLobby},
	}
}

func (w *watchScreen) open(r *Root) tea.Cmd {
	if w.state == opening {
		return nil
	}
	w.state = opening
	if w.row >= len(w.rows) {
		return w.env.watch("")
	}
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
		drawEmptyList(s, area, "No match now.", "Enter shows a demonstration.")
		return
	}
	m := w.rows[w.row]
	shown := draw.Boards{Position: m.Position, Digits: draw.NoDigits, Last: m.LastMove}
	heads := [...]column{{"Players", 2}, {"Game", gameColumn}, {"Moves", -movesFromRight}, {"Watching", 0}}
	if s.IsWide() {
		list, preview := wideColumns(area)
		s.Section(list.X, list.Y, list.Width, "Matches")
		drawHeads(s, list.Lower(1), heads[:]...)
		w.list.draw(s, list.Lower(2), w.drawMatch(s))
		inner := s.Card(preview, draw.Grid, watchedHeading(s, m, preview.Width-6), draw.Opponent)
		shown.Draw(s, draw.Arrange(m.Variant, inner))
		return
	}
	area = area.Lower(s.Pick(0, 0, 1))
	list := area
	if s.IsRoomy() {
		s.Section(area.X, area.Y, area.Width, "Matches")
		list = area.Lower(1)
	}
	if area.Width >= wideRow {
		drawHeads(s, list, heads[:]...)
		list = list.Lower(1)
	}
	list.Height = min(len(w.rows), max(3, area.Height/5))
	below := area.Lower(list.Y - area.Y + list.Height)
	if s.IsRoomy() {
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

func (w *watchScreen) drawMatch(s *draw.Canvas) func(row draw.Rect, m match.Summary, role draw.Role) {
	return func(row draw.Rect, m match.Summary, role draw.Role) {
		s.Target.OnKey(row, "Enter")
		game, short, end, start := wording.Terms(m.Terms), shortTerms(m.Terms), row.X+row.Width, row.X+gameColumn
		if row.Width >= wideRow {
			s.TextRight(end, row.Y, strconv.Itoa(m.Spectators))
			moves := s.TextRight(end-movesFromRight, row.Y, strconv.Itoa(m.Plies))
			s.Text(start, row.Y, draw.Faint, s.Fit(fit(moves-start-2, game, short), moves-start-2))
		} else {
			names := draw.Columns(m.Players[0].Name + nameSeparator(s) + m.Players[1].Name)
			start = s.TextRight(end, row.Y, fit(row.Width-4-names, game, short))
		}
		names := fitNames(s, m.Players, start-row.X-4)
		if role == draw.Chosen && s.IsRoomy() {
			s.Text(row.X+2, row.Y, role, names)
			return
		}
		first, second, _ := strings.Cut(names, nameSeparator(s))
		roles := [2]draw.Role{draw.Plain, draw.Plain}
		// The names have the colours of the boards below. A small window shows no names there.
		if role == draw.Chosen {
			roles = [2]draw.Role{draw.Opponent, draw.Own}
		}
		// The player's own match has the colours of its table.
		for i, p := range m.Players {
			if p.ID == w.env.player.ID {
				roles[i], roles[1-i] = draw.Own, draw.Opponent
			}
		}
		x := s.Text(s.Text(row.X+2, row.Y, roles[0], first), row.Y, draw.Faint, nameSeparator(s))
		s.Text(x, row.Y, roles[1], second)
	}
}

func (w *watchScreen) notice() (string, draw.Role) {
	if w.env.isRoomy() || w.row >= len(w.rows) {
		return "", draw.Plain
	}
	m := w.rows[w.row]
	return progressText(m) + ", " + toMoveText(m), draw.Faint
}

func watchedHeading(s *draw.Canvas, m match.Summary, width int) string {
	turn := ": " + toMoveText(m)
	return fitNames(s, m.Players, width-draw.Columns(turn)-2) + turn
}

func toMoveText(m match.Summary) string { return wording.Name(m.ToMove()) + " to move" }
