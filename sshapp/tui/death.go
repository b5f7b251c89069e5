package tui

import (
	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

// deathArea divides area into a picture of how a board dies, and rows of text below the picture. The results are the
// picture's area, without height if there is no room, and the first row of the text.
func deathArea(area draw.Rect, rows int) (above draw.Rect, y int) {
	const least, most, wide = 5, 20, 150
	height := min(area.Height-rows-1, area.Width/4)
	if area.Width < wide {
		height = min(height, most)
	}
	if height < least {
		return draw.Rect{}, area.Middle(rows).Y
	}
	above = area.Middle(rows + 1 + height).Column(4*height + 4)
	above.Height = height
	return above, above.Y + height + 1
}

// planDeath places two boards side by side, each with a word above. The second result is the number of rows of boards
// and words, or 0 if there is no room.
func planDeath(area draw.Rect) (boards [2]draw.Arrangement, rows int) {
	one, half := oneBoard(), area.Lower(1)
	half.Width = area.Width/2 - 2
	boards[0] = draw.ArrangePicture(one, half)
	if boards[0].IsEmpty() {
		return boards, 0
	}
	half.X = area.X + area.Width - half.Width
	boards[1] = draw.ArrangePicture(one, half)
	rows = boards[0].Bounds().Height + 1
	for i, half := range boards {
		boards[i] = half.MovedTo(half.Bounds().X, area.Y+1+(area.Height-rows)/2)
	}
	return boards, rows
}

func oneBoard() rules.Variant {
	one, _ := rules.Notakto(1)
	return one
}

func drawDeath(s *draw.Canvas, area draw.Rect) {
	alive, last := oneBoard().Start(), rules.Move{Cell: 3}
	boards, rows := planDeath(area)
	if rows == 0 {
		return
	}
	for _, cell := range [...]rules.Cell{5, 7, 9} {
		alive, _ = alive.Play(rules.Move{Cell: cell})
	}
	dead, _ := alive.Play(last)
	(&draw.Boards{Position: alive, Digits: draw.NoDigits, Tried: last}).Draw(s, boards[0])
	(&draw.Boards{Position: dead, Digits: draw.NoDigits, Last: last, Final: true}).Draw(s, boards[1])
	left, right := boards[0].Bounds(), boards[1].Bounds()
	s.TextCenter(left.X, left.Width, left.Y-1, draw.Strong, "alive")
	s.TextCenter(right.X, right.Width, right.Y-1, draw.Bad, "dead")
	arrow, gap := s.Glyphs.Arrow, right.X-left.X-left.Width
	if gap < draw.Columns(arrow)+1 {
		arrow = s.Glyphs.More
	}
	s.TextCenter(left.X+left.Width, gap, left.Y+left.Height/2, draw.Cursor, arrow)
}

// drawEmptyList says with text that a list is empty, and with more what the list will hold. Above the text stands a
// picture of how a board dies, if there is room.
func drawEmptyList(s *draw.Canvas, area draw.Rect, text, more string) {
	above, y := deathArea(area, 2+draw.CountLines(more, area.Width))
	drawDeath(s, above)
	y = s.TextCenter(area.X, area.Width, y, draw.Strong, text)
	s.TextCenter(area.X, area.Width, y+1, draw.Faint, more)
}
