package tui

import (
	"fmt"

	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// The smallest window that everything needed fits into.
const (
	minWidth  = 40
	minHeight = 16
)

func isTooSmall(r *Root) bool { return r.session.width < minWidth || r.session.height < minHeight }

// drawTooSmall says what size is needed, and that nothing is lost.
func drawTooSmall(s *draw.Canvas, at *client.Table) {
	text := fmt.Sprintf("Notakto needs %dx%d; this window is %dx%d.", minWidth, minHeight, s.Width, s.Height)
	switch {
	case at != nil && at.IsMyTurn():
		text += " Your match is kept. It is your turn."
	case at != nil && !at.IsWatching() && !at.Over():
		text += " Your match is kept."
	}
	width := max(1, s.Width-2)
	y := max(0, (s.Height-draw.LinesOf(text, width))/2)
	y = s.Paragraph(1, y, width, draw.Strong, text)
	s.Paragraph(1, y, width, draw.Faint, "Ctrl-C twice quits.")
}
