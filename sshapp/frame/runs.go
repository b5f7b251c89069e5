package frame

import (
	"math"
	"slices"

	"github.com/charmbracelet/x/ansi"
)

const (
	// bridge is the number of unchanged cells that may lie within a run on one background.
	bridge = 3
	// maxGreedy is the number of runs up to which the nearest is the next: the time that takes grows with the square.
	maxGreedy = 64
	// restyling is about what it costs, in bytes, to begin a run in another style than the current style's.
	restyling = 8
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

// ground is the background of the cell at i.
func (p *encoder) ground(i int) color { return p.styles[p.after[i].style].bg }

// wipes reports whether nothing but a few empty cells lies from i to j.
func (p *encoder) wipes(i, j int) bool {
	for k := i; k <= j; k++ {
		if p.after[k] != empty() || k-i > bridge {
			return false
		}
	}
	return true
}

// join makes one run of those that are few unchanged cells apart, on one background.
func (p *encoder) join() {
	joined := p.runs[:0]
	for _, r := range p.runs {
		if n := len(joined); n > 0 {
			if last := &joined[n-1]; last.row == r.row && r.from-last.to <= bridge && p.ground(last.to-1) == p.ground(r.from) {
				last.to = r.to
				continue
			}
		}
		joined = append(joined, r)
	}
	p.runs = joined
}

// paintRuns writes all runs: a few in the order that takes few bytes, and so that of more the nearest in place and
// style is the next.
func (p *encoder) paintRuns() {
	if len(p.runs) <= maxExact {
		for _, i := range p.order() {
			p.run = p.runs[i]
			p.paintRun()
		}
		return
	}
	p.join()
	if len(p.runs) > maxGreedy {
		for _, p.run = range p.runs {
			p.paintRun()
		}
		return
	}
	for i := range p.runs {
		p.runs[i].goal = p.goal(&p.runs[i])
	}
	for len(p.runs) > 0 {
		next := p.nearest()
		p.run = p.runs[next]
		p.runs = slices.Delete(p.runs, next, next+1)
		p.paintRun()
	}
}

// goal is where a run begins.
func (p *encoder) goal(r *run) target { return p.caps.target(cursor{r.origin + r.from, r.row}) }

// nearest is the index of the run that takes the fewest bytes to begin.
func (p *encoder) nearest() int {
	nearest, least := 0, math.MaxInt
	for i := range p.runs {
		r := &p.runs[i]
		_, bytes := p.caps.shortest(p.at, &r.goal)
		if bytes < least && !p.fits(p.after[r.from], p.style) {
			bytes += restyling
		}
		if bytes < least {
			nearest, least = i, bytes
		}
		if least <= len(ansi.CUD1) {
			break // there is hardly a cheaper one
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
