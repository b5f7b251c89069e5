package render

// moveAndStyle brings the cursor to the cell at i and the current style to its style. If that takes fewer bytes, the
// cursor gets there by writing again what stands between.
func (p *encoder) moveAndStyle(i int) {
	if here := (cursor{p.origin + i, p.row}); p.at != here {
		to := p.caps.target(here)
		p.bridgeTo(i, &to)
		p.moveTo(&to)
	}
	p.take(p.styleFor(i))
}

func (p *encoder) bridgeTo(i int, to *target) {
	from := p.at.x - p.origin
	if p.at.y != p.row || p.at.x == unknown || p.at.x > to.x || from < p.start {
		return
	}
	_, bytes := p.caps.shortest(p.at, to)
	if p.rewritable(from, i, p.style, bytes) {
		p.print(from, i)
	} else if cost := p.styleFor(i); p.rewritable(from, i, cost, bytes) {
		p.take(cost)
		p.print(from, i)
	}
}

// rewritable reports whether the cells from i to end can be written in one style and in at most so many bytes.
func (p *encoder) rewritable(i, end int, style uint16, bytes int) bool {
	if end-i > bytes || p.after[i].width == 0 {
		return false
	}
	for _, c := range p.after[i:end] {
		if bytes -= p.size(c); bytes < 0 || c.reach > 0 || !p.fits(c, style) {
			return false
		}
	}
	return true
}

// fits reports whether c looks right when written in a style.
func (p *encoder) fits(c cell, style uint16) bool {
	if c.glyph == ' ' {
		return p.blank[style] == c.style
	}
	return c.style == style
}

// styleFor is the style to write the cell at i in: the current style's if it will do, and for a space, which many
// will do for, the one of the next glyph that is to be written.
func (p *encoder) styleFor(i int) uint16 {
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

// take changes the terminal's style.
func (p *encoder) take(style uint16) {
	if style == p.style {
		return
	}
	p.out = appendTransition(p.out, p.styles[p.style], p.styles[style], p.caps.Unset)
	p.style = style
}
