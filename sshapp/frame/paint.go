package frame

import "github.com/charmbracelet/x/ansi"

// wipe empties the terminal's screen, whatever it showed.
func (p *painter) wipe() {
	p.out = append(p.out, ansi.ResetStyle+ansi.CursorHomePosition+ansi.EraseScreenBelow...)
	p.at, p.pen = cursor{}, 0
}

// layOut parses a line of the latest frame.
func (p *painter) layOut(line string) layout {
	l := layout{parsed: true, start: len(p.cells)}
	p.cells, l.far = p.parse(p.cells, line, p.width)
	l.end = len(p.cells)
	l.width = l.end - l.start
	return l
}

// paint writes what makes the latest frame, whose top left is to stand at to, out of the former one, which stands at from.
func (p *painter) paint(from, to cursor) {
	if len(p.former) == 0 {
		from = to
	}
	left := min(from.x, to.x)
	bottom := max(from.y+len(p.former), to.y+len(p.latest))
	for row := min(from.y, to.y); row < bottom; row++ {
		former, latest := lineAt(p.former, row-from.y), lineAt(p.latest, row-to.y)
		if former == latest && from.x == to.x {
			continue
		}
		start := len(p.before)
		p.before, _ = p.parse(spaces(p.before, from.x-left), former, p.width-from.x)
		p.after = spaces(p.after, to.x-left)
		far := p.setAfter(row-to.y, p.width-to.x)
		p.level(start, p.columns(left, row), far)
		p.addRuns(row, left, start)
	}
	p.paintRuns()
}

// columns is the number of columns of a row from left on. Where the terminal may wrap, the bottom right corner is not one of them, since
// writing there could scroll the screen.
func (p *painter) columns(left, row int) int {
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

// setAfter appends a line of the latest frame to after, and says up to where there its glyphs of doubtful width might reach.
func (p *painter) setAfter(index, limit int) (far int) {
	start := len(p.after)
	switch {
	case index < 0 || index >= len(p.latest):
		return 0
	case p.laid[index].parsed:
		l := p.laid[index]
		p.after = append(p.after, p.cells[l.start:l.end]...)
		far = l.far
	default:
		p.after, far = p.parse(p.after, p.latest[index], limit)
	}
	return start + far
}

// level makes the rows at start in before and after equally long: at least far, at most limit.
func (p *painter) level(start, limit, far int) {
	end := min(max(len(p.before), len(p.after), far), start+limit)
	p.before, p.after = cut(p.before, end), cut(p.after, end)
}

// cut makes cells end at end: what is missing is empty, and so is the half of a wide glyph.
func cut(cells []cell, end int) []cell {
	cells = spaces(cells, end-len(cells))[:end]
	if end > 0 && cells[end-1].width == 2 {
		cells[end-1] = empty()
	}
	return cells
}

// spaces appends n empty cells.
func spaces(cells []cell, n int) []cell {
	for range n {
		cells = append(cells, empty())
	}
	return cells
}
