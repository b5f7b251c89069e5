package tui

import (
	"strconv"

	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

func (l *lobbyScreen) draw(s *draw.Canvas) {
	area := s.Header("", l.session.player.Name)
	if s.Roomy() {
		l.picture(s, draw.Rect{X: area.X + area.Width*58/100, Y: area.Y, Width: area.Width * 42 / 100, Height: area.Height})
		area = draw.Rect{X: area.X + 2, Y: area.Y + 1, Width: area.Width*56/100 - 2, Height: area.Height - 1}
		for i, line := range [3]string{"Everyone plays X.", "Three in a row kill a board.", "Whoever kills the last board loses."} {
			s.Text(area.X, area.Y+i, draw.Faint, line)
		}
		area = area.Lower(4)
	}
	y := l.drawMyMatches(s, area.X+2, area.Y, area.Width)
	l.drawEntries(s, area, y)
}

func (l *lobbyScreen) drawEntries(s *draw.Canvas, area draw.Rect, y int) {
	step := 1
	if area.Height > 20 || s.Roomy() && len(l.myMatches) == 0 {
		step = 2
	}
	x, note := area.X+2, ""
	for i, e := range l.entries() {
		k := draw.Plain
		if l.at == len(l.myMatches)+i {
			k, note = draw.Chosen, e.note
			s.Point(x-2, y)
		}
		s.Text(x, y, draw.Faint, strconv.Itoa(i+1))
		s.Text(x+2, y, k, e.name)
		if i == 0 && !l.session.queue.IsWaiting() {
			l.drawBoards(s, x+20, y, k == draw.Chosen)
		}
		y += step
	}
	s.Paragraph(x, y+1, area.Width-4, draw.Faint, note)
}

// drawBoards shows what an opponent is sought for.
func (l *lobbyScreen) drawBoards(s *draw.Canvas, x, y int, here bool) {
	g, k, arrow := s.Glyphs, draw.Faint, draw.Faint
	if here {
		k, arrow = draw.Chosen, draw.Cursor
	}
	text := l.boards.options[l.boards.at]
	s.Text(x, y, arrow, g.Less)
	x = s.Text(x+2, y, k, text)
	s.Text(x+1, y, arrow, g.More)
}

// picture shows what the game looks like: a dead board.
func (l *lobbyScreen) picture(s *draw.Canvas, area draw.Rect) {
	p, err := rules.ParsePosition("X.X.X...X")
	if err != nil {
		return
	}
	a := draw.Arrange(1, draw.Rect{X: area.X, Y: area.Y + 1, Width: area.Width, Height: min(area.Height-2, 17)})
	(&draw.Boards{Position: p, Digits: draw.NoDigits}).Draw(s, a)
}
