package render

import "github.com/charmbracelet/x/ansi"

// output is what is sent to a terminal, and how that leaves the terminal's cursor and style.
type output struct {
	bytes []byte
	caps  Caps
	width int // of the window
	at    cursor
	style StyleID
	grid  *Grid // has the glyphs and the styles
}

// wipe empties the terminal's screen, whatever it showed.
func (o *output) wipe() {
	o.bytes = append(o.bytes, ansi.ResetStyle+ansi.CursorHomePosition+ansi.EraseScreenBelow...)
	o.at, o.style = cursor{}, 0
}

// moveTo writes the shortest move to a target. It never uses a line feed, which a terminal's settings may turn into
// something else.
func (o *output) moveTo(to *target) {
	if o.at == to.cursor {
		return
	}
	switch way, _ := o.caps.shortest(o.at, to); way {
	case absolute:
		o.bytes = appendPosition(o.bytes, to.cursor)
	case relative:
		o.bytes = o.caps.appendVertical(o.bytes, to.y-o.at.y)
		o.bytes = appendHorizontal(o.bytes, to.x-o.at.x)
	case returned:
		o.bytes = append(o.bytes, '\r')
		o.bytes = o.caps.appendVertical(o.bytes, to.y-o.at.y)
		o.bytes = appendHorizontal(o.bytes, to.x)
	case column:
		o.bytes = o.caps.appendVertical(o.bytes, to.y-o.at.y)
		o.bytes = appendCSI(o.bytes, to.x+1, 'G')
	}
	o.at = to.cursor
}

// restyle changes the terminal's style.
func (o *output) restyle(id StyleID) {
	if id != o.style {
		o.bytes = o.appendRestyling(o.bytes, id)
		o.style = id
	}
}

// restyleLen is the number of bytes that it takes to change to a style.
func (o *output) restyleLen(id StyleID) int {
	return len(o.appendRestyling(o.bytes, id)) - len(o.bytes)
}

func (o *output) appendRestyling(dst []byte, id StyleID) []byte {
	styles := o.grid.styles.all
	return appendTransition(dst, styles[o.style], styles[id], o.caps.Unset)
}

// print writes cells at the cursor and in the current style.
func (o *output) print(cells []cell) {
	for _, c := range cells {
		o.bytes = o.grid.appendGlyph(o.bytes, c)
	}
	o.advance(len(cells))
}

// advance takes note of n columns written. At the right edge some terminals are about to wrap and some are not.
func (o *output) advance(n int) {
	if o.at.x += n; o.at.x < o.width {
		return
	}
	o.at.x = unknown
	if !o.caps.NoWrap {
		o.at.y = unknown
	}
}
