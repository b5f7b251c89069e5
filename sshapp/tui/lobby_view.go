package tui

import (
	"strconv"

	"notakto/rules"
)

func (l *lobbyScreen) draw(s *canvas) {
	area := s.header("", l.session.player.Name)
	if s.roomy() {
		l.picture(s, rect{area.x + area.width*58/100, area.y, area.width * 42 / 100, area.height})
		area = rect{area.x + 2, area.y + 1, area.width*56/100 - 2, area.height - 1}
		for i, line := range [3]string{"Everyone plays X.", "Three in a row kill a board.", "Whoever kills the last board loses."} {
			s.text(area.x, area.y+i, faint, line)
		}
		area = area.lower(4)
	}
	y := l.drawMyMatches(s, area.x+2, area.y, area.width)
	l.drawEntries(s, area, y)
}

func (l *lobbyScreen) drawEntries(s *canvas, area rect, y int) {
	step := 1
	if area.height > 20 || s.roomy() && len(l.myMatches) == 0 {
		step = 2
	}
	x, note := area.x+2, ""
	for i, e := range l.entries() {
		k := plain
		if l.at == len(l.myMatches)+i {
			k, note = chosen, e.note
			s.point(x-2, y)
		}
		s.text(x, y, faint, strconv.Itoa(i+1))
		s.text(x+2, y, k, e.name)
		if i == 0 && l.session.queue == nil {
			l.drawBoards(s, x+20, y, k == chosen)
		}
		y += step
	}
	s.paragraph(x, y+1, area.width-4, faint, note)
}

// drawBoards shows what an opponent is sought for.
func (l *lobbyScreen) drawBoards(s *canvas, x, y int, here bool) {
	g, k, arrow := s.glyphs, faint, faint
	if here {
		k, arrow = chosen, cursor
	}
	text := l.boards.options[l.boards.at]
	s.text(x, y, arrow, g.less)
	x = s.text(x+2, y, k, text)
	s.text(x+1, y, arrow, g.more)
}

// picture shows what the game looks like: a dead board.
func (l *lobbyScreen) picture(s *canvas, area rect) {
	p, err := rules.ParsePosition("X.X.X...X")
	if err != nil {
		return
	}
	a := arrange(1, rect{area.x, area.y + 1, area.width, min(area.height-2, 17)})
	(&boards{position: p, digits: noDigits}).draw(s, a)
}
