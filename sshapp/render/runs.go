package render

import (
	"math"
	"slices"
)

const (
	// bridge is the number of unchanged empty cells that may lie within a run.
	bridge = 3
	// maxGreedy is the most runs of which the nearest is looked for each time: the time that takes grows with the square.
	maxGreedy = 64
)

// addRuns adds what changes in a row whose first column is left.
func (p *encoder) addRuns(l layout, left, row int) {
	r := run{row: row, origin: left - l.start, start: l.start, end: p.trim(l, p.columns(left, row))}
	for r.text = r.end; r.text > r.start && !l.isVisible && p.after[r.text-1] == empty(); {
		r.text--
	}
	open := false
	before, after := p.before[:r.end], p.after[:r.end]
	for i := r.start; i < r.end; i++ {
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
	if open {
		p.runs = append(p.runs, r)
	}
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
			bytes += p.restyling(first.style)
		}
		if bytes < least {
			nearest, least = i, bytes
		}
	}
	return nearest
}

// restyling is the number of bytes that it takes to change to a style.
func (p *encoder) restyling(style uint16) int {
	return len(appendTransition(p.out, p.styles[p.style], p.styles[style], p.caps.Unset)) - len(p.out)
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
