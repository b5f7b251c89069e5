package render

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// clear empties everything from i to the end of the line: from where the cursor stands if nothing but empty cells lies
// between.
func (p *encoder) clear(i int) {
	if at := p.at.x - p.origin; p.at.y == p.row && p.at.x != unknown && at >= p.text && at < i {
		i = at
	}
	p.moveAndStyle(i)
	if p.to-i <= len(ansi.EraseLineRight) {
		p.print(i, p.to)
		return
	}
	p.out = append(p.out, ansi.EraseLineRight...)
}

// put writes the cell at i, and what follows as far as one sequence does both, and gives the index of the next cell.
func (p *encoder) put(i int) int {
	c := p.after[i]
	if n := p.emptyFrom(i); p.caps.Erase && p.eraseLen(i, n) < n {
		p.moveAndStyle(i)
		p.out = appendCSI(p.out, n, 'X')
		return i + n
	}
	p.moveAndStyle(i)
	if c.reach > 0 {
		return p.putAmbiguous(i)
	}
	n, next := p.repeats(i), i+int(c.width)
	if p.caps.Repeat && csiLen(n) < n*p.size(c) {
		p.print(i, next)
		p.out = appendCSI(p.out, n, 'b')
		p.advance(n)
	} else {
		p.print(i, next+n)
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
// might leave uncovered is emptied first, what it might cover is written again afterwards, and the cursor may then
// stand anywhere on the line.
func (p *encoder) putAmbiguous(i int) int {
	c := p.after[i]
	start := p.caps.target(p.at)
	for range c.width {
		p.out = append(p.out, ' ')
	}
	p.advance(int(c.width))
	p.moveTo(&start)
	p.out = p.appendText(p.out, c)
	p.at.x = unknown
	p.redo = max(p.redo, min(i+int(c.reach), p.end))
	p.to = max(p.to, p.redo)
	return i + int(c.width)
}

// print writes the cells from i to end, at the cursor and in the current style's style.
func (p *encoder) print(i, end int) {
	for _, c := range p.after[i:end] {
		p.out = p.appendText(p.out, c)
	}
	p.advance(end - i)
}

// advance takes note of n columns written. At the right edge some terminals are about to wrap and some are not.
func (p *encoder) advance(n int) {
	if p.at.x += n; p.at.x < p.width {
		return
	}
	p.at.x = unknown
	if !p.caps.NoWrap {
		p.at.y = unknown
	}
}

// appendText appends a glyph.
func (p *encoder) appendText(dst []byte, c cell) []byte {
	switch {
	case c.glyph == wideTail:
		return dst
	case c.glyph < utf8.RuneSelf:
		return append(dst, byte(c.glyph))
	case c.glyph >= clustered:
		return append(dst, p.clusters[c.glyph&^clustered]...)
	}
	return utf8.AppendRune(dst, rune(c.glyph)) //nolint:gosec // it was a rune
}

// size is the number of bytes of a glyph.
func (p *encoder) size(c cell) int {
	switch {
	case c.glyph == wideTail:
		return 0
	case c.glyph >= clustered:
		return len(p.clusters[c.glyph&^clustered])
	}
	return utf8.RuneLen(rune(c.glyph)) //nolint:gosec // it was a rune
}
