package tui

import (
	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

const panelWidth = 22

// plan holds the places of the parts of a table's screen.
type plan struct {
	boards draw.Arrangement
	panel  draw.Rect // for the moves, without width if there is no panel
	strip  int       // the row for the moves if there is no panel, or -1
	turn   int       // the row of the turn banner
}

// planTable gives the boards the room between the header and the lines at the foot. The moves get a panel beside the
// boards if the boards stay nearly as large, else a row below the boards if there is one.
func planTable(width, height int, v rules.Variant) plan {
	s := draw.Size{Width: width, Height: height}
	m := s.Margin()
	top, bottom := 2, s.Bottom()
	if s.IsRoomy() {
		top, bottom = 3, bottom+1
	} else if height > minHeight {
		bottom++
	}
	area := draw.Rect{X: m, Y: top, Width: width - 2*m, Height: height - top - bottom}
	p := plan{boards: draw.Arrange(v, area), strip: -1, turn: 1}
	if bottom > s.Bottom() {
		p.strip = height - bottom
	}
	if !s.IsRoomy() {
		return p
	}
	p.turn = height - bottom
	if boards, panel, ok := placeBeside(area, v, p.boards); ok {
		p.boards, p.panel, p.strip = boards, panel, -1
		p.turn = min(p.turn, panel.Y+boards.Bounds().Height+1)
		return p
	}
	if bounds := p.boards.Bounds(); bounds.Y+bounds.Height+1 < p.strip {
		p.turn = bounds.Y + bounds.Height + 1
	}
	return p
}

// placeBeside places a panel for the moves beside the boards, with boards and panel in the middle of area. The
// result ok is false if the boards would be much smaller than withoutPanel, or would not fit.
func placeBeside(area draw.Rect, v rules.Variant, withoutPanel draw.Arrangement) (
	boards draw.Arrangement, panel draw.Rect, ok bool,
) {
	narrow := area
	narrow.Width -= panelWidth + 2
	boards = draw.Arrange(v, narrow)
	if boards.IsEmpty() || withoutPanel.IsEmpty() || 5*boards.BoardArea() < 4*withoutPanel.BoardArea() ||
		boards.Board(0).Height < withoutPanel.Board(0).Height {
		return boards, panel, false
	}
	bounds := boards.Bounds()
	gap := min(6, area.Width-bounds.Width-panelWidth)
	left := area.X + (area.Width-bounds.Width-gap-panelWidth)/2
	panel = draw.Rect{X: left + bounds.Width + gap, Y: bounds.Y, Width: panelWidth, Height: bounds.Height}
	return boards.MovedTo(left, bounds.Y), panel, true
}
