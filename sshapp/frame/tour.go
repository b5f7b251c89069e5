package frame

import (
	"math"
	"math/bits"
	"slices"
)

// tours is what the search for an order of the runs needs.
type tours struct {
	stops       [few]stop
	legs        [few + 1][few]uint8 // bytes from one stop, or from where the cursor is, to another
	inks        [few + 1][few]uint8 // bytes from the style that a stop leaves, or from the pen's, to that of another
	blanks      uint32              // the stops without ink, one bit each
	best, order [few]uint8
	restyled    [familiar][familiar]uint8 // bytes from one style to another; 0 if not known
	scratch     []byte
}

// familiar is the number of styles between which the changes are remembered.
const familiar = 16

// stop is what the order of the runs turns on: where a run begins and ends, and in which styles.
type stop struct {
	run         *run
	head        cell // the first
	first, last uint16
	blank       bool // there is no ink in it, so that the pen's style may do
	start       target
	end         cursor
}

// tour is an order of the runs in which few bytes go into moves and styles: the best of those that begin with any of the runs and always
// take the nearest next.
func (p *painter) tour() []uint8 {
	t, n := &p.tours, len(p.runs)
	if n < 2 {
		t.best[0] = 0
		return t.best[:n]
	}
	t.blanks = 0
	for i := range p.runs {
		if t.stops[i] = p.stopAt(&p.runs[i]); t.stops[i].blank {
			t.blanks |= 1 << i
		}
	}
	clear(t.restyled[:])
	for to := range n {
		stop := &t.stops[to]
		for from := range n {
			t.legs[from][to] = p.leg(t.stops[from].end, t.stops[from].last, stop)
			t.inks[from][to] = p.inking(t.stops[from].last, stop)
		}
		t.legs[n][to], t.inks[n][to] = p.leg(p.at, p.pen, stop), p.inking(p.pen, stop)
	}
	least := math.MaxInt
	for first := range n {
		if bytes := p.follow(first, least); bytes < least {
			least = bytes
			t.best, t.order = t.order, t.best
		}
	}
	t.untangle(n, least)
	return t.best[:n]
}

// untangle turns parts of the best order round as long as that makes it better.
func (t *tours) untangle(n, least int) {
	for better := true; better; {
		better = false
		w := walk{at: n, pen: n}
		for i := range n - 1 {
			for j := i + 2; j <= n; j++ {
				if bytes := t.turned(w, i, j, n, least); bytes < least {
					slices.Reverse(t.best[i:j])
					least, better = bytes, true
				}
			}
			w = t.to(w, int(t.best[i]))
		}
	}
}

// walk is how far a tour has come: where it is, and which stop has left the pen's style.
type walk struct{ at, pen, bytes int }

// to is the walk after one stop more.
func (t *tours) to(w walk, next int) walk {
	ink := t.inks[w.pen][next]
	w.bytes += int(t.legs[w.at][next]) + int(ink)
	if w.at = next; ink > 0 || t.blanks>>next&1 == 0 {
		w.pen = next
	}
	return w
}

// turned is the number of bytes that the best order takes if the part from i to j, up to which w has come, is turned round, and if they are
// fewer than too much.
func (t *tours) turned(w walk, i, j, n, tooMuch int) int {
	for k := j - 1; k >= i && w.bytes < tooMuch; k-- {
		w = t.to(w, int(t.best[k]))
	}
	for k := j; k < n && w.bytes < tooMuch; k++ {
		w = t.to(w, int(t.best[k]))
	}
	return w.bytes
}

// follow lays out the order that begins with a run, and says what it takes. It gives up when that is too much.
func (p *painter) follow(next, tooMuch int) int {
	t, n := &p.tours, len(p.runs)
	w, left := walk{at: n, pen: n}, uint32(1)<<n-1
	for k := range n {
		if k > 0 {
			next = t.nearest(w, left)
		}
		if w = t.to(w, next); w.bytes >= tooMuch {
			return tooMuch
		}
		t.order[k] = uint8(next) //nolint:gosec // there are few
		left &^= 1 << next
	}
	return w.bytes
}

// nearest is the stop of those left that takes the fewest bytes to get to.
func (t *tours) nearest(w walk, left uint32) int {
	nearest, least := 0, math.MaxInt
	for ; left > 0; left &= left - 1 {
		i := bits.TrailingZeros32(left)
		if bytes := int(t.legs[w.at][i]) + int(t.inks[w.pen][i]); bytes < least {
			nearest, least = i, bytes
		}
	}
	return nearest
}

// inking is the number of bytes it takes to change to the style that a run begins in.
func (p *painter) inking(pen uint16, s *stop) uint8 {
	if p.fits(s.head, pen) {
		return 0
	}
	if pen >= familiar || s.first >= familiar {
		return restyling
	}
	t := &p.tours
	known := &t.restyled[pen][s.first]
	if *known == 0 {
		t.scratch = appendTransition(t.scratch[:0], p.styles[pen], p.styles[s.first], p.caps.Unset)
		*known = uint8(len(t.scratch)) //nolint:gosec // no style has so many parameters
	}
	return *known
}

// leg is about how many bytes it takes to get from a place to a run: by a move, by writing again what lies between, or by nothing at all if
// the run is erased to the end of the line and that may begin earlier.
func (p *painter) leg(at cursor, pen uint16, s *stop) uint8 {
	_, bytes := p.caps.shortest(at, s.start)
	if from := at.x - s.run.origin; at.y == s.start.y && at.x != unknown && at.x <= s.start.x && from >= s.run.start {
		switch {
		case s.run.from >= s.run.text && from >= s.run.text:
			bytes = 0
		case p.rewritable(from, s.run.from, pen, bytes):
			bytes = min(bytes, s.run.from-from)
		}
	}
	return uint8(bytes) //nolint:gosec // a move takes no more
}

// stopAt looks at a run.
func (p *painter) stopAt(r *run) stop {
	head := p.after[r.from]
	s := stop{run: r, head: head, first: head.style, last: head.style, blank: true, start: p.goal(r)}
	end := min(r.to, max(r.text, r.from))
	for _, c := range p.after[r.from:end] {
		if c.glyph == ' ' || c.glyph == covered {
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
func (p *painter) left(r *run, end int) int {
	n := 0
	for n < end-r.from && p.after[end-n-1] == empty() {
		n++
	}
	if p.caps.Erase && n > csiLen(n) {
		return end - n
	}
	return end
}
