package render

import (
	"bytes"
	"slices"
	"unique"
)

// Frame is what a player should see.
type Frame struct {
	Content []byte // lines set apart by line feeds, each in the default style at its start; free again when Draw returns
	Width   int    // of the box that is centred in the window, at least as wide as the widest line
	Height  int    // of the box; at least as high as there are lines
	Title   string // the window's title; what cannot be printed is left out
	Bell    uint   // the bell rings when this differs from the frame before; a screen starts at 0
	Mouse   bool   // presses of the mouse's buttons are reported
}

// Screen is a player's terminal. One goroutine owns it.
type Screen struct {
	caps          Caps
	width, height int

	lines  []unique.Handle[string] // what was drawn last: screens share the lines that they have in common
	widths []uint16                // of its lines
	x, y   int                     // where it stands
	stale  bool                    // the terminal may show anything
	at     cursor
	style  style

	entered bool
	title   string
	titled  bool
	mouse   bool
	bell    uint
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

// Offset is where the top left of the last frame's content stands in the window, counted from 0.
func (s *Screen) Offset() (x, y int) { return s.x, s.y }

// Draw appends to dst the bytes that make the terminal show f, and takes it that they will be written. The first Draw,
// and the first after a [Screen.Restore], also prepares the terminal.
func (s *Screen) Draw(dst []byte, f Frame) []byte {
	p := newEncoder(s, s.setModes(dst, f))
	defer p.release()
	p.next = s.split(p.next, f.Content)
	if s.stale {
		p.wipe()
	} else {
		p.prev = s.previous(p.prev)
		if slices.Equal(p.prev, p.next) {
			return p.out
		}
	}
	x, y := s.layoutLines(p, f)
	p.paint(cursor{s.x, s.y}, cursor{x, y})
	s.remember(p.next)
	s.x, s.y, s.stale = x, y, false
	s.at, s.style = p.at, p.styles[p.style]
	return p.out
}

// split appends the lines of content, as many as the window has. Those that stand where they stood are taken from
// there.
func (s *Screen) split(lines []string, content []byte) []string {
	for more := true; more && len(lines) < s.height; {
		var line []byte
		line, content, more = bytes.Cut(content, []byte{'\n'})
		if i := len(lines); i < len(s.lines) && s.lines[i].Value() == string(line) {
			lines = append(lines, s.lines[i].Value())
		} else {
			lines = append(lines, string(line))
		}
	}
	return lines
}

// previous appends the lines of the frame that was drawn last.
func (s *Screen) previous(lines []string) []string {
	for _, line := range s.lines {
		lines = append(lines, line.Value())
	}
	return lines
}

// remember keeps the lines of a frame for the next one.
func (s *Screen) remember(lines []string) {
	kept := min(len(s.lines), len(lines))
	s.lines = s.lines[:kept]
	for i, line := range lines {
		switch {
		case i >= kept:
			s.lines = append(s.lines, unique.Make(line))
		case s.lines[i].Value() != line:
			s.lines[i] = unique.Make(line)
		}
	}
}

// layoutLines lays out the lines that have changed, remembers the widths of all, and says where the top left belongs.
func (s *Screen) layoutLines(p *encoder, f Frame) (x, y int) {
	for len(s.widths) < len(p.next) {
		s.widths = append(s.widths, 0)
	}
	widest := f.Width
	for i := range max(len(p.prev), len(p.next)) {
		var l layout
		switch prev, next := lineAt(p.prev, i), lineAt(p.next, i); {
		case prev != next:
			l = p.layoutLine(prev, next, int(s.widths[i]))
		case next != "":
			l.width = int(s.widths[i])
		}
		p.layouts = append(p.layouts, l)
		s.widths[i] = uint16(l.width) //nolint:gosec // at most largest
		widest = max(widest, l.width)
	}
	return (s.width - widest) / 2, (s.height - max(len(p.next), f.Height)) / 2
}
