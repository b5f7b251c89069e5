package render

import (
	"slices"
	"unique"
)

// Frame is what a player should see.
type Frame struct {
	Grid  *Grid  // Draw may change it, and keeps nothing of it
	Title string // the window's title; what cannot be printed is left out
	Bell  uint   // the bell rings when this differs from the frame before; a screen starts at 0
	Copy  string // is put on the terminal's clipboard when it differs from the frame before; a screen starts with ""
	Mouse bool   // presses of the mouse's buttons are reported
}

// Screen is a player's terminal. One goroutine owns it.
type Screen struct {
	caps          Caps
	width, height int

	rows    []unique.Handle[string] // what was drawn last, packed
	columns int                     // of its grid
	styles  *Styles
	origin  cursor // where its top left stands
	stale   bool   // the terminal may show anything
	at      cursor
	style   StyleID

	entered bool
	title   string
	titled  bool
	mouse   bool
	signals
}

// signals are what a frame asks for once.
type signals struct {
	bell   uint
	copied string
}

const (
	defaultWidth, defaultHeight = 80, 24
	// largest is more than any screen has, and leaves sums of positions small.
	largest = 10_000
)

// NewScreen is a screen of which nothing is known but its size; a size of 0 or less is unknown and taken for 80x24.
// Nothing is written before the first [Screen.Draw].
func NewScreen(caps Caps, width, height int) *Screen {
	s := &Screen{caps: caps}
	s.Resize(width, height)
	return s
}

// Resize sets the window's size, as in [NewScreen]. The next Draw paints everything anew, also if the size is the same.
func (s *Screen) Resize(width, height int) {
	s.width, s.height = min(width, largest), min(height, largest)
	if width <= 0 {
		s.width = defaultWidth
	}
	if height <= 0 {
		s.height = defaultHeight
	}
	s.stale = true
}

// Draw appends to dst the bytes that make the terminal show f, and takes it that they will be written. The first Draw,
// and the first after a [Screen.Restore], also prepares the terminal.
func (s *Screen) Draw(dst []byte, f Frame) []byte {
	dst = s.setModes(dst, f)
	g := f.Grid
	g.restrict(s.caps)
	p := s.newEncoder(dst, g)
	defer p.release()
	origin := cursor{max(0, s.width-g.width) / 2, max(0, s.height-g.height) / 2}
	rows := min(g.height, s.height)
	if s.stale || s.origin != origin || s.columns != g.width || len(s.rows) != rows || s.styles != g.styles {
		p.wipe()
		s.origin, s.columns, s.styles, s.stale = origin, g.width, g.styles, false
		s.rows = slices.Repeat([]unique.Handle[string]{unique.Make("")}, rows)
	}
	for i := range rows {
		columns := min(g.width, s.room(origin.y+i))
		g.cut(i, columns)
		g.unpack(p.before[i*g.width:(i+1)*g.width], s.rows[i].Value())
		if p.addRuns(i, columns, cursor{origin.x, origin.y + i}) {
			p.packed = g.pack(p.packed[:0], g.row(i))
			s.rows[i] = unique.Make(string(p.packed))
		}
	}
	p.paintRuns()
	s.at, s.style = p.at, p.style
	return p.bytes
}

// room is the number of columns of a row of the window. Where the terminal may wrap, the bottom right corner is not one
// of them, since writing there could scroll the screen.
func (s *Screen) room(row int) int {
	if !s.caps.NoWrap && row == s.height-1 {
		return s.width - 1
	}
	return s.width
}
