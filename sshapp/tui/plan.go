package tui

import (
	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

const panelWidth = 22

type plan struct {
	boards draw.Arrangement
	panel  draw.Rect // for the moves; without width if there is none
	strip  int       // the row for the moves where there is no panel, or -1
	turn   int       // the row of the turn banner
}

// planTable gives the boards the room that the other lines leave. The moves get a panel beside the boards if the boards
// stay nearly as large. Else they get a row below the boards, if there is one.
func planTable(width, height int, v rules.Variant) plan {
	s := draw.Size{Width: width, Height: height}
	m := s.Margin()
	top, bottom := 2, s.Bottom()
	if s.Roomy() {
		top, bottom = 3, bottom+1
	} else if height > minHeight {
		bottom++
	}
	area := draw.Rect{X: m, Y: top, Width: width - 2*m, Height: height - top - bottom}
	p := plan{boards: draw.Arrange(v, area), strip: -1, turn: 1}
	if bottom > s.Bottom() {
		p.strip = height - bottom
	}
	if !s.Roomy() {
		return p
	}
	p.turn = height - bottom
	if boards, panel, ok := beside(area, v, p.boards); ok {
		p.boards, p.panel, p.strip = boards, panel, -1
		p.turn = min(p.turn, panel.Y+boards.Bounds().Height+1)
		return p
	}
	if at := p.boards.Bounds(); at.Y+at.Height+1 < p.strip {
		p.turn = at.Y + at.Height + 1
	}
	return p
}

// beside places a panel for the moves beside the boards, both in the middle of area. It reports false if the boards
// would be much smaller than others.
func beside(area draw.Rect, v rules.Variant, others draw.Arrangement) (
	boards draw.Arrangement, panel draw.Rect, ok bool,
) {
	narrow := area
	narrow.Width -= panelWidth + 2
	boards = draw.Arrange(v, narrow)
	if boards.IsEmpty() || others.IsEmpty() || 5*boards.Area() < 4*others.Area() ||
		boards.Board(0).Height < others.Board(0).Height {
		return boards, panel, false
	}
	at := boards.Bounds()
	gap := min(6, area.Width-at.Width-panelWidth)
	left := area.X + (area.Width-at.Width-gap-panelWidth)/2
	panel = draw.Rect{X: left + at.Width + gap, Y: at.Y, Width: panelWidth, Height: at.Height}
	return boards.MovedTo(left, at.Y), panel, true
}
