package render

import (
	"math"
	"slices"
	"sync"
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
