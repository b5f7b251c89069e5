package tui

import "fmt"

// The smallest window that everything needed fits into.
const (
	minWidth  = 40
	minHeight = 16
)

func (r *Root) tooSmall() bool { return r.session.width < minWidth || r.session.height < minHeight }

// drawTooSmall says what size is needed, and that nothing is lost.
func drawTooSmall(s *canvas, at *tableHandle) {
	text := fmt.Sprintf("Notakto needs %dx%d; this window is %dx%d.", minWidth, minHeight, s.width, s.height)
	switch {
	case at != nil && at.isMyTurn():
		text += " Your match is kept. It is your turn."
	case at != nil && !at.isWatching() && !at.Over():
		text += " Your match is kept."
	}
	width := max(1, s.width-2)
	y := max(0, (s.height-linesOf(text, width))/2)
	y = s.paragraph(1, y, width, strong, text)
	s.paragraph(1, y, width, faint, "Ctrl-C twice quits.")
}
