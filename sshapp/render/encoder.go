package render

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

type encoder struct {
	output

	before, after []cell // all rows, one after the other, as the terminal shows them and as it is to show them
	packed        []byte
	runs          []run // still to be written
	run
}

// run is a part of a row in which cells change. Its places are indexes of before and after.
type run struct {
	row      int
	origin   int // is added to an index for the column
	from, to int // all changes lie between them
	start    int // of the row
	end      int
	text     int    // the rest of the row from here on is empty
	redo     int    // cells before it are written even if they do not change
	goal     target // the place of from
}

const (
	// bridge is the number of unchanged empty cells that may lie within a run.
	bridge = 3
	// maxGreedy is the number of runs above which they are written in order. Finding the nearest one each time takes a
	// time that grows with the square of their number.
	maxGreedy = 64
	// maxKeptCells is the number of cells above which an encoder's buffers are not kept.
	maxKeptCells = 1 << 15
)

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func (s *Screen) newEncoder(dst []byte, g *Grid) *encoder {
	e := encoders.Get().(*encoder) //nolint:forcetypeassert // the pool holds nothing else
	e.output = output{bytes: dst, caps: s.caps, width: s.width, at: s.at, style: s.style, grid: g}
	e.after = g.cells
	e.before = slices.Grow(e.before[:0], len(e.after))[:len(e.after)]
	fill(e.before, empty())
	return e
}

func (e *encoder) release() {
	e.output, e.after, e.runs = output{}, nil, e.runs[:0]
	if cap(e.before) <= maxKeptCells {
		encoders.Put(e)
	}
}

// addRuns adds the changes in the first columns of a row, which begins at a place of the window. It reports whether
// there are any.
func (e *encoder) addRuns(index, columns int, at cursor) bool {
	start := index * e.grid.width
	before, after := e.before[:start+columns], e.after[:start+columns]
	if slices.Equal(before[start:], after[start:]) {
		return false
	}
	r := run{row: at.y, origin: at.x - start, start: start, end: start + columns}
	r.text = start + len(trimmed(e.after[start:r.end]))
	open := false
	for i := start; i < r.end; i++ {
		if before[i] == after[i] {
			continue
		}
		if open && r.to < i && r.to <= r.text && !e.wipes(r.to-1, i) {
			e.runs = append(e.runs, r)
			open = false
		}
		if !open {
			r.from, open = i, true
		}
		r.to = i + 1
	}
	e.runs = append(e.runs, r)
	return true
}

func (e *encoder) wipes(i, j int) bool {
	for k := i; k <= j; k++ {
		if e.after[k] != empty() || k-i > bridge {
			return false
		}
	}
	return true
}

// paintRuns writes all runs. The next one is always the one whose beginning takes the fewest bytes, unless there are
// too many to compare.
func (e *encoder) paintRuns() {
	if len(e.runs) > maxGreedy {
		for _, e.run = range e.runs {
			e.paintRun()
		}
		return
	}
	for i := range e.runs {
		r := &e.runs[i]
		r.goal = e.caps.target(cursor{r.origin + r.from, r.row})
	}
	for len(e.runs) > 0 {
		next := e.nearest()
		e.run = e.runs[next]
		e.runs = slices.Delete(e.runs, next, next+1)
		e.paintRun()
	}
}

func (e *encoder) nearest() int {
	nearest, least := 0, math.MaxInt
	for i := range e.runs {
		r := &e.runs[i]
		_, bytes := e.caps.shortest(e.at, &r.goal)
		if first := e.after[r.from]; bytes < least && !e.fits(first, e.style) {
			bytes += len(e.appendRestyling(e.bytes, first.style)) - len(e.bytes)
		}
		if bytes < least {
			nearest, least = i, bytes
		}
	}
	return nearest
}

func (e *encoder) paintRun() {
	for i := e.from; i < e.to; {
		switch {
		case !e.changed(i):
			i++
		case i >= e.text:
			e.clear(i)
			return
		default:
			i = e.put(i)
		}
	}
}

func (e *encoder) changed(i int) bool { return i < e.redo || e.before[i] != e.after[i] }

// clear empties the line from i on, or from the cursor if all cells between are empty.
func (e *encoder) clear(i int) {
	if at := e.at.x - e.origin; e.at.y == e.row && e.at.x != unknown && at >= e.text && at < i {
		i = at
	}
	e.moveAndStyle(i)
	if e.to-i <= len(ansi.EraseLineRight) {
		e.print(e.after[i:e.to])
		return
	}
	e.bytes = append(e.bytes, ansi.EraseLineRight...)
}

// put writes the cell at i, together with the following cells that one sequence can write. It returns the next index.
func (e *encoder) put(i int) int {
	c := e.after[i]
	if n := e.emptyFrom(i); e.caps.Erase {
		bytes := csiLen(n)
		if i+n < e.to && e.changed(i+n) {
			bytes *= 2 // with the move behind the erased cells
		}
		if bytes < n {
			e.moveAndStyle(i)
			e.bytes = appendCSI(e.bytes, n, 'X')
			return i + n
		}
	}
	e.moveAndStyle(i)
	if c.reach > 0 {
		return e.putAmbiguous(i)
	}
	n, next := e.repeats(i), i+int(c.width)
	if e.caps.Repeat && csiLen(n) < n*e.grid.size(c) {
		e.print(e.after[i:next])
		e.bytes = appendCSI(e.bytes, n, 'b')
		e.advance(n)
	} else {
		e.print(e.after[i : next+n])
	}
	return next + n
}

// emptyFrom returns the number of empty cells from i on, up to the last one that changes.
func (e *encoder) emptyFrom(i int) int {
	end := i
	for j := i; j < e.to && e.after[j] == empty(); j++ {
		if e.changed(j) {
			end = j + 1
		}
	}
	return end - i
}

// repeats returns the number of cells after i that repeat the one at i. It counts only ASCII, because tmux, up to 3.3
// at least, repeats nothing else.
func (e *encoder) repeats(i int) int {
	c, j := e.after[i], i+1
	for c.glyph < utf8.RuneSelf && j < e.to && e.after[j] == c && e.changed(j) {
		j++
	}
	return j - i - 1
}

// putAmbiguous writes a cluster that a terminal may show narrower or wider than the grid does, or may not combine. It
// first empties the cells of the cluster, which the terminal might leave uncovered. Then it writes the cluster, and has
// the cells that the cluster might cover written again. It empties the line beyond the grid if the cluster might reach
// there. After the cluster the column of the cursor is unknown.
func (e *encoder) putAmbiguous(i int) int {
	c := e.after[i]
	start := e.caps.target(e.at)
	e.bytes = append(e.bytes, "  "[:c.width]...)
	e.advance(int(c.width))
	e.moveTo(&start)
	e.bytes = e.grid.appendGlyph(e.bytes, c)
	e.at.x = unknown
	e.redo = max(e.redo, min(i+int(c.reach), e.end))
	e.to = max(e.to, e.redo)
	if beyond := e.caps.target(cursor{e.origin + e.end, e.row}); i+int(c.reach) > e.end && beyond.x < e.width {
		e.moveTo(&beyond)
		e.restyle(0)
		e.bytes = append(e.bytes, ansi.EraseLineRight...)
	}
	return i + int(c.width)
}

// moveAndStyle brings the cursor and the current style to the cell at i. It may move the cursor by writing the cells
// between again.
func (e *encoder) moveAndStyle(i int) {
	if here := (cursor{e.origin + i, e.row}); e.at != here {
		to := e.caps.target(here)
		e.bridgeTo(i, &to)
		e.moveTo(&to)
	}
	e.restyle(e.styleFor(i))
}

func (e *encoder) bridgeTo(i int, to *target) {
	from := e.at.x - e.origin
	if e.at.y != e.row || e.at.x == unknown || e.at.x > to.x || from < e.start {
		return
	}
	_, bytes := e.caps.shortest(e.at, to)
	if e.rewritable(from, i, e.style, bytes) {
		e.print(e.after[from:i])
	} else if id := e.styleFor(i); e.rewritable(from, i, id, bytes) {
		e.restyle(id)
		e.print(e.after[from:i])
	}
}

// rewritable reports whether the cells from i to end can be written in the style id with at most so many bytes.
func (e *encoder) rewritable(i, end int, id StyleID, bytes int) bool {
	if end-i > bytes || e.after[i].width == 0 {
		return false
	}
	for _, c := range e.after[i:end] {
		if bytes -= e.grid.size(c); bytes < 0 || c.reach > 0 || !e.fits(c, id) {
			return false
		}
	}
	return true
}

func (e *encoder) fits(c cell, id StyleID) bool {
	if c.glyph == ' ' {
		return e.grid.styles.blanks[id] == c.style
	}
	return c.style == id
}

// styleFor returns the style in which to write the cell at i. It is the current one if the cell looks right in it. A
// space looks right in many styles, so it gets the style of the next glyph if that fits.
func (e *encoder) styleFor(i int) StyleID {
	c := e.after[i]
	if e.fits(c, e.style) {
		return e.style
	}
	for j := i; c.glyph == ' ' && j < e.to && e.changed(j); j++ {
		if next := e.after[j]; next.glyph != ' ' && e.fits(c, next.style) {
			return next.style
		} else if next != c {
			break
		}
	}
	return c.style
}

// output holds the bytes to send, and the cursor and style of the terminal after them.
type output struct {
	bytes []byte
	caps  Caps
	width int // of the window
	at    cursor
	style StyleID
	grid  *Grid // has the glyphs and the styles
}

// moveTo writes the shortest move. It never uses a line feed, because a terminal's settings may change its effect.
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

func (o *output) restyle(id StyleID) {
	if id != o.style {
		o.bytes = o.appendRestyling(o.bytes, id)
		o.style = id
	}
}

func (o *output) appendRestyling(dst []byte, id StyleID) []byte {
	styles := o.grid.styles.all
	return appendTransition(dst, styles[o.style], styles[id], o.caps.Unset)
}

func (o *output) print(cells []cell) {
	for _, c := range cells {
		o.bytes = o.grid.appendGlyph(o.bytes, c)
	}
	o.advance(len(cells))
}

// advance moves at behind n written columns. At the right edge the place of the cursor depends on the terminal.
func (o *output) advance(n int) {
	if o.at.x += n; o.at.x < o.width {
		return
	}
	o.at.x = unknown
	if !o.caps.NoWrap {
		o.at.y = unknown
	}
}
