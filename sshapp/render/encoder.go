package render

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// encoder finds what has changed between two frames, and writes it.
type encoder struct {
	output

	before, after []cell // all rows, one after the other: as they are, and as they are to be
	packed        []byte
	runs          []run // what to write
	run
}

// run is a part of a row in which cells change. Its indices are those of before and after.
type run struct {
	row      int
	origin   int // add it to an index for the column
	from, to int // what changes lies between
	start    int // of the row
	end      int
	text     int    // from there to the end there are but empty cells
	redo     int    // up to there cells are written even if they do not change
	goal     target // where it begins
}

const (
	// bridge is the number of unchanged empty cells that may lie within a run.
	bridge = 3
	// maxGreedy is the most runs of which the nearest is looked for each time: the time that takes grows with the square.
	maxGreedy = 64
	// maxKeptCells is the number of cells above which an encoder's buffers are not kept.
	maxKeptCells = 1 << 15
)

// encoders keeps the buffers of encoders that are not encoding.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// newEncoder is an encoder for a grid. All of its before is empty.
func (s *Screen) newEncoder(dst []byte, g *Grid) *encoder {
	p := encoders.Get().(*encoder) //nolint:forcetypeassert // the pool holds nothing else
	p.output = output{bytes: dst, caps: s.caps, width: s.width, at: s.at, style: s.style, grid: g}
	p.after = g.cells
	p.before = slices.Grow(p.before[:0], len(p.after))[:len(p.after)]
	fill(p.before, empty())
	return p
}

// release gives the buffers back.
func (p *encoder) release() {
	p.output, p.after, p.runs = output{}, nil, p.runs[:0]
	if cap(p.before) <= maxKeptCells {
		encoders.Put(p)
	}
}

// addRuns adds what changes in the first columns of a row of the grid, which stands at a place of the window, and
// reports whether anything does.
func (p *encoder) addRuns(index, columns int, at cursor) bool {
	start := index * p.grid.width
	before, after := p.before[:start+columns], p.after[:start+columns]
	if slices.Equal(before[start:], after[start:]) {
		return false
	}
	r := run{row: at.y, origin: at.x - start, start: start, end: start + columns}
	r.text = start + len(trimmed(p.after[start:r.end]))
	open := false
	for i := start; i < r.end; i++ {
		if before[i] == after[i] {
			continue
		}
		if open && r.to < i && r.to <= r.text && !p.wipes(r.to-1, i) {
			p.runs = append(p.runs, r)
			open = false
		}
		if !open {
			r.from, open = i, true
		}
		r.to = i + 1
	}
	p.runs = append(p.runs, r)
	return true
}

// wipes reports whether nothing but a few empty cells lies from i to j.
func (p *encoder) wipes(i, j int) bool {
	for k := i; k <= j; k++ {
		if p.after[k] != empty() || k-i > bridge {
			return false
		}
	}
	return true
}

// paintRuns writes all runs. The one that takes the fewest bytes to begin is always the next, unless there are too many
// to compare.
func (p *encoder) paintRuns() {
	if len(p.runs) > maxGreedy {
		for _, p.run = range p.runs {
			p.paintRun()
		}
		return
	}
	for i := range p.runs {
		r := &p.runs[i]
		r.goal = p.caps.target(cursor{r.origin + r.from, r.row})
	}
	for len(p.runs) > 0 {
		next := p.nearest()
		p.run = p.runs[next]
		p.runs = slices.Delete(p.runs, next, next+1)
		p.paintRun()
	}
}

// nearest is the index of the run that takes the fewest bytes to begin.
func (p *encoder) nearest() int {
	nearest, least := 0, math.MaxInt
	for i := range p.runs {
		r := &p.runs[i]
		_, bytes := p.caps.shortest(p.at, &r.goal)
		if first := p.after[r.from]; bytes < least && !p.fits(first, p.style) {
			bytes += p.restyleLen(first.style)
		}
		if bytes < least {
			nearest, least = i, bytes
		}
	}
	return nearest
}

// paintRun writes one run.
func (p *encoder) paintRun() {
	for i := p.from; i < p.to; {
		switch {
		case !p.changed(i):
			i++
		case i >= p.text:
			p.clear(i)
			return
		default:
			i = p.put(i)
		}
	}
}

// changed reports whether the cell at i needs writing.
func (p *encoder) changed(i int) bool { return i < p.redo || p.before[i] != p.after[i] }

// clear empties everything from i to the end of the line: from where the cursor stands if nothing but empty cells lies
// between.
func (p *encoder) clear(i int) {
	if at := p.at.x - p.origin; p.at.y == p.row && p.at.x != unknown && at >= p.text && at < i {
		i = at
	}
	p.moveAndStyle(i)
	if p.to-i <= len(ansi.EraseLineRight) {
		p.print(p.after[i:p.to])
		return
	}
	p.bytes = append(p.bytes, ansi.EraseLineRight...)
}

// put writes the cell at i, and what follows as far as one sequence does both, and gives the index of the next cell.
func (p *encoder) put(i int) int {
	c := p.after[i]
	if n := p.emptyFrom(i); p.caps.Erase && p.eraseLen(i, n) < n {
		p.moveAndStyle(i)
		p.bytes = appendCSI(p.bytes, n, 'X')
		return i + n
	}
	p.moveAndStyle(i)
	if c.reach > 0 {
		return p.putAmbiguous(i)
	}
	n, next := p.repeats(i), i+int(c.width)
	if p.caps.Repeat && csiLen(n) < n*p.grid.size(c) {
		p.print(p.after[i:next])
		p.bytes = appendCSI(p.bytes, n, 'b')
		p.advance(n)
	} else {
		p.print(p.after[i : next+n])
	}
	return next + n
}

// emptyFrom is the number of empty cells from i on, up to the last that needs writing.
func (p *encoder) emptyFrom(i int) int {
	end := i
	for j := i; j < p.to && p.after[j] == empty(); j++ {
		if p.changed(j) {
			end = j + 1
		}
	}
	return end - i
}

// eraseLen is the number of bytes that erasing n cells from i on takes, with the move to the cell behind them if that
// is to be written.
func (p *encoder) eraseLen(i, n int) int {
	if i+n < p.to && p.changed(i+n) {
		return 2 * csiLen(n)
	}
	return csiLen(n)
}

// repeats is the number of cells after i that are to be written, are like the one at i, and can be had by repeating it.
// That must be ASCII: tmux, up to 3.3 at least, repeats nothing else.
func (p *encoder) repeats(i int) int {
	c, j := p.after[i], i+1
	for c.glyph < utf8.RuneSelf && j < p.to && p.after[j] == c && p.changed(j) {
		j++
	}
	return j - i - 1
}

// putAmbiguous writes a cluster that a terminal may think narrower or wider than we do, or may not combine: what it
// might leave uncovered, and all that it might cover beyond the grid, is emptied first, what it might cover of the grid
// is written again afterwards, and the cursor may then stand anywhere on the line.
func (p *encoder) putAmbiguous(i int) int {
	c := p.after[i]
	start := p.caps.target(p.at)
	p.bytes = append(p.bytes, "  "[:c.width]...)
	p.advance(int(c.width))
	p.moveTo(&start)
	p.bytes = p.grid.appendGlyph(p.bytes, c)
	p.at.x = unknown
	p.redo = max(p.redo, min(i+int(c.reach), p.end))
	p.to = max(p.to, p.redo)
	if beyond := p.caps.target(cursor{p.origin + p.end, p.row}); i+int(c.reach) > p.end && beyond.x < p.width {
		p.moveTo(&beyond)
		p.restyle(0)
		p.bytes = append(p.bytes, ansi.EraseLineRight...)
	}
	return i + int(c.width)
}

// moveAndStyle brings the cursor to the cell at i and the current style to its style. If that takes fewer bytes, the
// cursor gets there by writing again what stands between.
func (p *encoder) moveAndStyle(i int) {
	if here := (cursor{p.origin + i, p.row}); p.at != here {
		to := p.caps.target(here)
		p.bridgeTo(i, &to)
		p.moveTo(&to)
	}
	p.restyle(p.styleFor(i))
}

func (p *encoder) bridgeTo(i int, to *target) {
	from := p.at.x - p.origin
	if p.at.y != p.row || p.at.x == unknown || p.at.x > to.x || from < p.start {
		return
	}
	_, bytes := p.caps.shortest(p.at, to)
	if p.rewritable(from, i, p.style, bytes) {
		p.print(p.after[from:i])
	} else if id := p.styleFor(i); p.rewritable(from, i, id, bytes) {
		p.restyle(id)
		p.print(p.after[from:i])
	}
}

// rewritable reports whether the cells from i to end can be written in one style and in at most so many bytes.
func (p *encoder) rewritable(i, end int, id StyleID, bytes int) bool {
	if end-i > bytes || p.after[i].width == 0 {
		return false
	}
	for _, c := range p.after[i:end] {
		if bytes -= p.grid.size(c); bytes < 0 || c.reach > 0 || !p.fits(c, id) {
			return false
		}
	}
	return true
}

// fits reports whether c looks right when written in a style.
func (p *encoder) fits(c cell, id StyleID) bool {
	if c.glyph == ' ' {
		return p.grid.styles.blanks[id] == c.style
	}
	return c.style == id
}

// styleFor is the style to write the cell at i in: the current one if it will do, and for a space, which many will do
// for, the one of the next glyph that is to be written.
func (p *encoder) styleFor(i int) StyleID {
	c := p.after[i]
	if p.fits(c, p.style) {
		return p.style
	}
	for j := i; c.glyph == ' ' && j < p.to && p.changed(j); j++ {
		if next := p.after[j]; next.glyph != ' ' && p.fits(c, next.style) {
			return next.style
		} else if next != c {
			break
		}
	}
	return c.style
}

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
