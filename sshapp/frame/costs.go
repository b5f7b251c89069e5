package frame

import "math"

// costMatrix are the bytes that it takes to go from one run end of an order to the next. Each tour begins at one run
// end more, where the cursor is.
type costMatrix struct {
	stops    [maxExact + 1]runEnd
	legs     [maxExact + 1][maxExact]uint8 // bytes from one run end to another
	styles   [maxExact + 1][maxExact]uint8 // bytes from the style that a run end leaves to that of another
	floors   [maxExact]uint8               // the fewest bytes for which a run end can be had
	blanks   uint32                        // the run ends without ink, one bit each
	restyled [familiar][familiar]uint8     // bytes from one style to another; 0 if not known
	scratch  []byte
}

// familiar is the number of styles between which the changes are remembered.
const familiar = 16

// runEnd is what the order of the runs turns on: where a run begins and ends, and in which styles.
type runEnd struct {
	run         *run
	head        cell // the first
	first, last uint16
	blank       bool // there is no ink in it, so that the current style's style may do
	start       target
	end         cursor
}

// cost looks at all runs and at what lies between them.
func (p *encoder) cost() {
	t, n := &p.orders.costMatrix, len(p.runs)
	clear(t.restyled[:])
	t.blanks = 0
	for i := range p.runs {
		if t.stops[i] = p.runEndAt(&p.runs[i]); t.stops[i].blank {
			t.blanks |= 1 << i
		}
	}
	t.stops[n] = runEnd{last: p.style, end: p.at}
	for i := range n {
		to, least := &t.stops[i], [2]uint8{math.MaxUint8, math.MaxUint8}
		for j := range n + 1 {
			if from := &t.stops[j]; from != to {
				leg, cost := p.moveCost(from, to), p.styleCost(from.last, to)
				t.legs[j][i], t.styles[j][i] = leg, cost
				least = [2]uint8{min(least[0], leg), min(least[1], cost)}
			}
		}
		t.floors[i] = least[0] + least[1]
	}
}

// styleCost is the number of bytes it takes to change to the style that a run begins in.
func (p *encoder) styleCost(style uint16, s *runEnd) uint8 {
	if p.fits(s.head, style) {
		return 0
	}
	if style >= familiar || s.first >= familiar {
		return restyling
	}
	t := &p.orders.costMatrix
	known := &t.restyled[style][s.first]
	if *known == 0 {
		t.scratch = appendTransition(t.scratch[:0], p.styles[style], p.styles[s.first], p.caps.Unset)
		*known = uint8(len(t.scratch)) //nolint:gosec // no style has so many parameters
	}
	return *known
}

// moveCost is about how many bytes it takes to get from the end of one run to another: by a move, by writing again what
// lies between, or by nothing at all if the run is erased to the end of the line and that may begin earlier.
func (p *encoder) moveCost(from, to *runEnd) uint8 {
	at, r := from.end, to.run
	_, bytes := p.caps.shortest(at, &to.start)
	if i := at.x - r.origin; at.y == r.row && at.x != unknown && at.x <= to.start.x && i >= r.start {
		switch {
		case r.from >= r.text && i >= r.text:
			bytes = 0
		case p.rewritable(i, r.from, from.last, bytes):
			bytes = min(bytes, r.from-i)
		}
	}
	return uint8(bytes) //nolint:gosec // a move takes no more
}

// runEndAt looks at a run.
func (p *encoder) runEndAt(r *run) runEnd {
	head := p.after[r.from]
	s := runEnd{run: r, head: head, first: head.style, last: head.style, blank: true, start: p.goal(r)}
	end := min(r.to, max(r.text, r.from))
	for _, c := range p.after[r.from:end] {
		if c.glyph == ' ' || c.glyph == wideTail {
			continue
		}
		if s.blank && p.fits(head, c.style) {
			s.first = c.style
		}
		s.last, s.blank = c.style, false
	}
	s.end = cursor{r.origin + p.left(r, end), r.row}
	if s.end.x >= p.width {
		s.end.x = unknown
	}
	return s
}

// left is where the cursor is left by a run whose cells are written up to end: where it began to erase, if it does.
func (p *encoder) left(r *run, end int) int {
	n := 0
	for n < end-r.from && p.after[end-n-1] == empty() {
		n++
	}
	if p.caps.Erase && n > csiLen(n) {
		return end - n
	}
	return end
}
