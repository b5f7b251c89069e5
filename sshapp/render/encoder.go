package render

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// encoder writes the differences between two frames for [Screen.Draw]. First it collects runs of changed cells, then
// it writes them in a cheap order.
type encoder struct {
	output

	// before and after are the rows of the terminal. Draw sets the rows of before that may differ.
	before, after []cell
	packed        []byte
	runs          []run // left to write
	current       run   // being written by paintRun
}

// run is a part of a row with changed cells. Indexes are those of before and after.
type run struct {
	row      int
	origin   int    // an index plus origin is a column of the window
	from, to int    // bounds of the changed cells
	start    int    // of the row
	end      int    // of the row
	textEnd  int    // the row is empty from here on
	redoEnd  int    // cells before it are written even if unchanged
	goal     target // the cell from, as a place on the terminal
}

const (
	// maxErasedGap is the largest distance that addRuns bridges between two changed cells. The cells from one to the
	// next must be empty in the new frame.
	maxErasedGap = 3
	// maxGreedy limits the search for the nearest run, because the search takes quadratic time. More runs are written
	// in order.
	maxGreedy = 64
	// maxKeptCells limits the buffers that an encoder keeps in the pool.
	maxKeptCells = 1 << 15
)

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func (s *Screen) newEncoder(dst []byte, g *Grid) *encoder {
	e := encoders.Get().(*encoder) //nolint:forcetypeassert // the pool holds nothing else
	e.output = output{bytes: dst, caps: s.caps, width: s.width, at: s.at, style: s.style, grid: g}
	e.after = g.cells
	e.before = slices.Grow(e.before[:0], len(e.after))[:len(e.after)]
	return e
}

func (e *encoder) release() {
	e.output, e.after, e.runs = output{}, nil, e.runs[:0]
	if cap(e.before) <= maxKeptCells {
		encoders.Put(e)
	}
}

// addRuns adds the runs of changed cells in the first columns cells of a row, and reports whether there are any. at is
// the row's place in the window.
func (e *encoder) addRuns(row, columns int, at cursor) bool {
	start := row * e.grid.width
	before, after := e.before[:start+columns], e.after[:start+columns]
	if slices.Equal(before[start:], after[start:]) {
		return false
	}
	r := run{row: at.y, origin: at.x - start, start: start, end: start + columns}
	r.textEnd = start + len(trimmed(e.after[start:r.end]))
	open := false
	for i := start; i < r.end; i++ {
		if before[i] == after[i] {
			continue
		}
		// A run that reaches beyond textEnd stays open, because one erasure covers all cells after textEnd.
		if open && r.to < i && r.to <= r.textEnd && !e.isBlankGap(r.to-1, i) {
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

// isBlankGap reports whether the cells from i to j will be empty and maxErasedGap allows their distance.
func (e *encoder) isBlankGap(i, j int) bool {
	for k := i; k <= j; k++ {
		if e.after[k] != empty() || k-i > maxErasedGap {
			return false
		}
	}
	return true
}

// paintRuns writes all runs, each time the one with the cheapest start. Above maxGreedy it takes them in order.
func (e *encoder) paintRuns() {
	if len(e.runs) > maxGreedy {
		for _, e.current = range e.runs {
			e.paintRun()
		}
		return
	}
	for i := range e.runs {
		r := &e.runs[i]
		r.goal = e.caps.target(cursor{r.origin + r.from, r.row})
	}
	for len(e.runs) > 0 {
		next := e.nearestRun()
		e.current = e.runs[next]
		e.runs = slices.Delete(e.runs, next, next+1)
		e.paintRun()
	}
}

func (e *encoder) nearestRun() int {
	nearest, least := 0, math.MaxInt
	for i := range e.runs {
		r := &e.runs[i]
		_, bytes := e.caps.shortest(e.at, &r.goal)
		if first := e.after[r.from]; bytes < least && !e.looksRight(first, e.style) {
			bytes += len(e.appendStyleChange(e.bytes, first.style)) - len(e.bytes)
		}
		if bytes < least {
			nearest, least = i, bytes
		}
	}
	return nearest
}

func (e *encoder) paintRun() {
	for i := e.current.from; i < e.current.to; {
		switch {
		case !e.isChanged(i):
			i++
		case i >= e.current.textEnd:
			e.eraseFrom(i)
			return
		default:
			i = e.put(i)
		}
	}
}

func (e *encoder) isChanged(i int) bool { return i < e.current.redoEnd || e.before[i] != e.after[i] }

// eraseFrom empties the line from i on, or from the cursor if the cells between are empty.
func (e *encoder) eraseFrom(i int) {
	r := &e.current
	if at := e.at.x - r.origin; e.at.y == r.row && e.at.x != unknown && at >= r.textEnd && at < i {
		i = at
	}
	e.moveAndStyle(i)
	if r.to-i <= len(ansi.EraseLineRight) {
		e.print(e.after[i:r.to])
		return
	}
	e.bytes = append(e.bytes, ansi.EraseLineRight...)
}

// put writes the cell at i, together with the next cells if one sequence covers them, and returns the index after
// them.
func (e *encoder) put(i int) int {
	c := e.after[i]
	if n := e.emptyFrom(i); e.caps.Erase {
		bytes := csiLen(n)
		if i+n < e.current.to && e.isChanged(i+n) {
			bytes *= 2 // a move across the erased cells follows
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
	if e.caps.Repeat && csiLen(n) < n*e.grid.glyphSize(c) {
		e.print(e.after[i:next])
		e.bytes = appendCSI(e.bytes, n, 'b')
		e.advance(n)
	} else {
		e.print(e.after[i : next+n])
	}
	return next + n
}

// emptyFrom counts the empty cells from i on, without the unchanged cells at their end.
func (e *encoder) emptyFrom(i int) int {
	end := i
	for j := i; j < e.current.to && e.after[j] == empty(); j++ {
		if e.isChanged(j) {
			end = j + 1
		}
	}
	return end - i
}

// repeats returns the number of cells after i that repeat it. The glyph must be ASCII, because tmux up to at least
// 3.3 repeats no other glyph.
func (e *encoder) repeats(i int) int {
	c, j := e.after[i], i+1
	for c.glyph < utf8.RuneSelf && j < e.current.to && e.after[j] == c && e.isChanged(j) {
		j++
	}
	return j - i - 1
}

// putAmbiguous writes a cluster that a terminal may show narrower or wider than the grid does, or uncombined.
//
// First it empties the cells of the cluster, because the terminal might not cover them. Later the run rewrites the
// cells that the cluster might cover. If the cluster might reach beyond the grid, the line is emptied there. The
// column of the cursor is unknown after the cluster.
func (e *encoder) putAmbiguous(i int) int {
	c := e.after[i]
	start := e.caps.target(e.at)
	e.bytes = append(e.bytes, "  "[:c.width]...)
	e.advance(int(c.width))
	e.moveTo(&start)
	e.bytes = e.grid.appendGlyph(e.bytes, c)
	e.at.x = unknown
	r := &e.current
	r.redoEnd = max(r.redoEnd, min(i+int(c.reach), r.end))
	r.to = max(r.to, r.redoEnd)
	if beyond := e.caps.target(cursor{r.origin + r.end, r.row}); i+int(c.reach) > r.end && beyond.x < e.width {
		e.moveTo(&beyond)
		e.setStyle(0)
		e.bytes = append(e.bytes, ansi.EraseLineRight...)
	}
	return i + int(c.width)
}

// moveAndStyle brings the cursor to the cell at i and sets the style. Rewriting the cells in between may be cheaper
// than a move.
func (e *encoder) moveAndStyle(i int) {
	if here := (cursor{e.current.origin + i, e.current.row}); e.at != here {
		to := e.caps.target(here)
		e.bridgeTo(i, &to)
		e.moveTo(&to)
	}
	e.setStyle(e.styleFor(i))
}

func (e *encoder) bridgeTo(i int, to *target) {
	from := e.at.x - e.current.origin
	if e.at.y != e.current.row || e.at.x == unknown || e.at.x > to.x || from < e.current.start {
		return
	}
	_, bytes := e.caps.shortest(e.at, to)
	if e.canRewrite(from, i, e.style, bytes) {
		e.print(e.after[from:i])
	} else if id := e.styleFor(i); e.canRewrite(from, i, id, bytes) {
		e.setStyle(id)
		e.print(e.after[from:i])
	}
}

func (e *encoder) canRewrite(i, end int, id StyleID, bytes int) bool {
	if end-i > bytes || e.after[i].width == 0 {
		return false
	}
	for _, c := range e.after[i:end] {
		if bytes -= e.grid.glyphSize(c); bytes < 0 || c.reach > 0 || !e.looksRight(c, id) {
			return false
		}
	}
	return true
}

func (e *encoder) looksRight(c cell, id StyleID) bool {
	if c.glyph == ' ' {
		return e.grid.styles.blanks[id] == c.style
	}
	return c.style == id
}

// styleFor returns the style for writing the cell at i, if possible the current one. A space looks right in many
// styles and takes the style of the next glyph if that fits, to save a change.
func (e *encoder) styleFor(i int) StyleID {
	c := e.after[i]
	if e.looksRight(c, e.style) {
		return e.style
	}
	for j := i; c.glyph == ' ' && j < e.current.to && e.isChanged(j); j++ {
		if next := e.after[j]; next.glyph != ' ' && e.looksRight(c, next.style) {
			return next.style
		} else if next != c {
			break
		}
	}
	return c.style
}

// output holds the bytes to send, and the terminal's cursor and style after them.
type output struct {
	bytes []byte
	caps  Caps
	width int // of the window
	at    cursor
	style StyleID
	grid  *Grid // the source of glyphs and styles
}

// moveTo writes the shortest move. A line feed is no option, because terminal settings can change its effect.
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
	case columnMove:
		o.bytes = o.caps.appendVertical(o.bytes, to.y-o.at.y)
		o.bytes = appendCSI(o.bytes, to.x+1, 'G')
	}
	o.at = to.cursor
}

func (o *output) setStyle(id StyleID) {
	if id != o.style {
		o.bytes = o.appendStyleChange(o.bytes, id)
		o.style = id
	}
}

func (o *output) appendStyleChange(dst []byte, id StyleID) []byte {
	styles := o.grid.styles.all
	return appendTransition(dst, styles[o.style], styles[id], o.caps.Unset)
}

func (o *output) print(cells []cell) {
	for _, c := range cells {
		o.bytes = o.grid.appendGlyph(o.bytes, c)
	}
	o.advance(len(cells))
}

// advance updates at. At the right edge the cursor's place depends on the terminal.
func (o *output) advance(n int) {
	if o.at.x += n; o.at.x < o.width {
		return
	}
	o.at.x = unknown
	if !o.caps.NoWrap {
		o.at.y = unknown
	}
}
