package tui

import (
	"notakto/match"
	"notakto/rules"
)

// mineShown is how many of one's own matches the lobby has room for.
const mineShown = 3

func (l *lobbyScreen) draw(s *sheet) {
	area := s.header("", l.session.player.Name)
	if s.roomy() {
		l.picture(s, rect{area.x + area.width*58/100, area.y, area.width * 42 / 100, area.height})
		area = rect{area.x + 2, area.y + 1, area.width*56/100 - 2, area.height - 1}
		for i, line := range [3]string{"Everyone plays X.", "Three in a row kill a board.", "Whoever kills the last board loses."} {
			s.text(area.x, area.y+i, faint, line)
		}
		area = area.lower(4)
	}
	y := l.drawMine(s, area.x+2, area.y, area.width)
	l.drawEntries(s, area, y)
}

// drawMine offers the way back to the matches that are on.
func (l *lobbyScreen) drawMine(s *sheet, x, y, width int) int {
	if len(l.mine) == 0 {
		return y
	}
	s.text(x-2, y, notice, "You have a match on: Enter returns")
	for i, id := range l.mine {
		if i == mineShown {
			s.text(x, y+1, faint, "and "+count(len(l.mine)-mineShown, "other", "others"))
			return y + 3
		}
		y++
		k := plain
		if l.at == i {
			k = chosen
			s.text(x-2, y, cursor, s.theme.glyphs.pointer)
		}
		s.text(x, y, k, s.fit(l.about(id), width-2))
	}
	return y + 2
}

// about is what a match of one's own is.
func (l *lobbyScreen) about(id match.ID) string {
	m, known := l.summary[id]
	if !known {
		return "A table of yours"
	}
	other := m.Players[0]
	if other.ID == l.session.player.ID {
		other = m.Players[1]
	}
	return boardsText(m.Variant) + " against " + other.Name + ", " + count(m.Plies, "move", "moves")
}

func (l *lobbyScreen) drawEntries(s *sheet, area rect, y int) {
	step := 1
	if area.height > 20 || s.roomy() && len(l.mine) == 0 {
		step = 2
	}
	x, note := area.x+2, ""
	for i, e := range l.entries() {
		k := plain
		if l.at == len(l.mine)+i {
			k, note = chosen, e.note
			s.text(x-2, y, cursor, s.theme.glyphs.pointer)
		}
		s.text(x, y, faint, digitText[i+1:i+2])
		s.text(x+2, y, k, e.name)
		if i == 0 && l.session.queue == nil {
			l.drawBoards(s, x+20, y, k == chosen)
		}
		y += step
	}
	s.paragraph(x, y+1, area.width-4, faint, note)
}

// drawBoards shows what an opponent is sought for.
func (l *lobbyScreen) drawBoards(s *sheet, x, y int, here bool) {
	g, k, arrow := s.theme.glyphs, faint, faint
	if here {
		k, arrow = chosen, cursor
	}
	text := l.boards.options[l.boards.at]
	s.set(x, y, arrow, g.less)
	x = s.text(x+2, y, k, text)
	s.set(x+1, y, arrow, g.more)
}

// picture shows what the game looks like: a dead board.
func (l *lobbyScreen) picture(s *sheet, area rect) {
	p, err := rules.ParsePosition("X.X.X...X")
	if err != nil {
		return
	}
	a := arrange(1, rect{area.x, area.y + 1, area.width, min(area.height-2, 17)})
	x, y := a.board(0)
	s.board(x, y, a.size, boardView{position: p, digits: nothing})
}
