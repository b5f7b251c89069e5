package frame

import (
	"math"
	"math/bits"
	"slices"
)

// maxExact is the number of runs up to which their order is searched for: the time that takes grows with the third
// power.
const maxExact = 16

// orderSearch is what the search for an order of the runs needs.
type orderSearch struct {
	costMatrix
	n           int
	best, order [maxExact]uint8
}

// order is an order of the runs in which few bytes go into moves and styles: the best of those that begin with any of
// the runs and always take the nearest next.
func (p *encoder) order() []uint8 {
	t := &p.orders
	t.n = len(p.runs)
	if t.n < 2 {
		t.best[0] = 0
		return t.best[:t.n]
	}
	p.cost()
	least := math.MaxInt
	for first := range t.n {
		if excess := t.follow(first, least); excess < least {
			least = excess
			t.best, t.order = t.order, t.best
		}
	}
	t.untangle(least)
	return t.best[:t.n]
}

// walk is how far an order has come: where it is, which stop has left the current style's style, and how many bytes
// it has taken above the floors of its run ends. Those any order takes, so that one is known not to be the best long
// before its end.
type walk struct{ at, style, excess int }

// to is the walk after one run end more.
func (t *orderSearch) to(w walk, next int) walk {
	cost := t.styles[w.style][next]
	w.excess += int(t.legs[w.at][next]) + int(cost) - int(t.floors[next])
	if w.at = next; cost > 0 || t.blanks>>next&1 == 0 {
		w.style = next
	}
	return w
}

// follow lays out the order that begins with a run, and says what it takes in excess. It gives up when that is too
// much.
func (t *orderSearch) follow(next, tooMuch int) int {
	w, left := walk{at: t.n, style: t.n}, uint32(1)<<t.n-1
	for k := range t.n {
		if k > 0 {
			next = t.nearest(w, left)
		}
		if w = t.to(w, next); w.excess >= tooMuch {
			return tooMuch
		}
		t.order[k] = uint8(next) //nolint:gosec // there are few
		left &^= 1 << next
	}
	return w.excess
}

// nearest is the run end of those left that takes the fewest bytes to get to.
func (t *orderSearch) nearest(w walk, left uint32) int {
	nearest, least := 0, math.MaxInt
	legs, costs := &t.legs[w.at], &t.styles[w.style]
	for ; left > 0; left &= left - 1 {
		i := bits.TrailingZeros32(left) % maxExact
		if bytes := int(legs[i]) + int(costs[i]); bytes < least {
			nearest, least = i, bytes
		}
	}
	return nearest
}

// untangle turns parts of the best order round as long as that makes it better.
func (t *orderSearch) untangle(least int) {
	for better := true; better; {
		better = false
		w := walk{at: t.n, style: t.n}
		for i := range t.n - 1 {
			for j := i + 2; j <= t.n; j++ {
				if excess := t.turned(w, i, j, least); excess < least {
					slices.Reverse(t.best[i:j])
					least, better = excess, true
				}
			}
			w = t.to(w, int(t.best[i]))
		}
	}
}

// turned is what the best order takes in excess if its part from i, where w stands, to j is turned round. It gives up
// when that is too much.
func (t *orderSearch) turned(w walk, i, j, tooMuch int) int {
	for k := j - 1; k >= i && w.excess < tooMuch; k-- {
		w = t.to(w, int(t.best[k]))
	}
	for k := j; k < t.n && w.excess < tooMuch; k++ {
		w = t.to(w, int(t.best[k]))
	}
	return w.excess
}
