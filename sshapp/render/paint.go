package render

import "github.com/charmbracelet/x/ansi"

// wipe empties the terminal's screen, whatever it showed.
func (p *encoder) wipe() {
	p.out = append(p.out, ansi.ResetStyle+ansi.CursorHomePosition+ansi.EraseScreenBelow...)
	p.at, p.style = cursor{}, 0
}

// paint writes what makes the latest frame, whose top left is to stand at to, out of the former one, which stands at
// from.
func (p *encoder) paint(from, to cursor) {
	if from != to && len(p.prev) > 0 {
		p.layoutRow(from, to)
		to = cursor{min(from.x, to.x), min(from.y, to.y)}
	}
	for i, l := range p.layouts {
		if l.start < l.end {
			p.addRuns(l, to.x, to.y+i)
		}
	}
	p.paintRuns()
}

// layoutRow lays out anew what has moved: from the top left of both frames on, and whole lines, since none is where it
// was.
func (p *encoder) layoutRow(from, to cursor) {
	p.before, p.after, p.layouts = p.before[:0], p.after[:0], p.layouts[:0]
	left := min(from.x, to.x)
	bottom := max(from.y+len(p.prev), to.y+len(p.next))
	for row := min(from.y, to.y); row < bottom; row++ {
		was, is := reader{text: lineAt(p.prev, row-from.y)}, reader{text: lineAt(p.next, row-to.y)}
		l := layout{start: len(p.after)}
		p.before, p.after = spaces(p.before, from.x-left), spaces(p.after, to.x-left)
		p.before = p.read(p.before, &was, len(was.text), l.start+p.width-left)
		p.after = p.read(p.after, &is, len(is.text), l.start+p.width-left)
		l.end = p.level(is.far)
		p.layouts = append(p.layouts, l)
	}
}

// trim ends a row after so many columns, where the half of a wide glyph gives way to a space.
func (p *encoder) trim(l layout, columns int) (end int) {
	end = min(l.end, l.start+columns)
	for _, cells := range [...][]cell{p.before, p.after} {
		if end > l.start && cells[end-1].width == 2 {
			cells[end-1] = empty()
		}
	}
	return end
}

// columns is the number of columns of a row from left on. Where the terminal may wrap, the bottom right corner is not
// one of them, since writing there could scroll the screen.
func (p *encoder) columns(left, row int) int {
	if !p.caps.NoWrap && row == p.height-1 {
		return p.width - left - 1
	}
	return p.width - left
}

// lineAt is a line, empty above and below all lines.
func lineAt(lines []string, index int) string {
	if index < 0 || index >= len(lines) {
		return ""
	}
	return lines[index]
}

// level makes before and after equally long, and reach at least as far as any glyph of after may.
func (p *encoder) level(far int) (end int) {
	end = max(len(p.before), len(p.after), far)
	p.before, p.after = spaces(p.before, end-len(p.before)), spaces(p.after, end-len(p.after))
	return end
}

// spaces appends n empty cells.
func spaces(cells []cell, n int) []cell {
	for range n {
		cells = append(cells, empty())
	}
	return cells
}
