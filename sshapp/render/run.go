package render

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

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
