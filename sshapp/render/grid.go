package render

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Grid is rows of cells to draw into. What would stand outside it is left out, whole glyphs at a time. The zero value
// is an empty grid.
type Grid struct {
	width, height int
	cells         []cell // row after row
	clusters      []string
	styles        *Styles
	ascii         bool
}

// Reset makes g blank and gives it a size and a table of styles. With ascii a question mark stands in each column of
// what is not ASCII.
func (g *Grid) Reset(width, height int, styles *Styles, ascii bool) {
	g.width, g.height, g.styles, g.ascii = max(0, width), max(0, height), styles, ascii
	g.cells = slices.Grow(g.cells[:0], g.width*g.height)[:g.width*g.height]
	fill(g.cells, empty())
	clear(g.clusters)
	g.clusters = g.clusters[:0]
}

// fill makes all cells the same.
func fill(cells []cell, c cell) {
	for i := range cells {
		cells[i] = c
	}
}

// Width is how many columns g has.
func (g *Grid) Width() int { return g.width }

// Height is how many rows g has.
func (g *Grid) Height() int { return g.height }

// Text writes from x rightwards and returns the column after it. It ends at the first glyph that the row has no room
// for. Control characters and what is not UTF-8 are left out.
func (g *Grid) Text(x, y int, id StyleID, text string) int {
	for text != "" {
		c, size := g.glyph(text)
		text = text[size:]
		if x+int(c.width) > g.width {
			break
		}
		g.put(x, y, g.styled(c, id))
		x += int(c.width)
	}
	return x
}

// Fill writes a glyph of one column a number of times.
func (g *Grid) Fill(x, y, count int, id StyleID, glyph string) {
	c, _ := g.glyph(glyph)
	c = g.styled(c, id)
	for i := range count {
		g.put(x+i, y, c)
	}
}

// Rune is what stands in a cell: a space outside the grid, 0 for what is no single rune.
func (g *Grid) Rune(x, y int) rune {
	if x < 0 || x >= g.width || y < 0 || y >= g.height {
		return ' '
	}
	if glyph := g.cells[y*g.width+x].glyph; glyph < clustered {
		return rune(glyph)
	}
	return 0
}

// String is the text of g, line by line, without blanks at the lines' ends that cannot be seen.
func (g *Grid) String() string {
	var text []byte
	for y := range g.height {
		if y > 0 {
			text = append(text, '\n')
		}
		for _, c := range trimmed(g.row(y)) {
			text = g.appendGlyph(text, c)
		}
	}
	return string(text)
}

func (g *Grid) row(y int) []cell { return g.cells[y*g.width : (y+1)*g.width] }

// trimmed is a row without the empty cells at its end.
func trimmed(row []cell) []cell {
	for len(row) > 0 && row[len(row)-1] == empty() {
		row = row[:len(row)-1]
	}
	return row
}

// styled is a cell in a style. A space has the simplest that looks the same.
func (g *Grid) styled(c cell, id StyleID) cell {
	if g.ascii && c.glyph > unicode.MaxASCII {
		c.glyph, c.reach = '?', 0
	}
	if c.style = id; c.glyph == ' ' {
		c.style = g.styles.blanks[id]
	}
	return c
}

// put writes a glyph. What is left of a wide glyph that it cuts becomes blank.
func (g *Grid) put(x, y int, c cell) {
	if c.width == 0 || x < 0 || x+int(c.width) > g.width || y < 0 || y >= g.height {
		return
	}
	row := g.row(y)
	last := x + int(c.width) - 1
	if row[x].width == 0 {
		row[x-1] = empty()
	}
	if row[last].width == 2 {
		row[last+1] = empty()
	}
	switch {
	case c.width == 1:
		row[x] = c
	case c.glyph == '?':
		c.width = 1
		row[x], row[last] = c, c
	default:
		row[x], row[last] = c, cell{glyph: wideTail, style: c.style}
	}
}

// cut ends a row after a number of columns. Where that halves a wide glyph, it becomes blank.
func (g *Grid) cut(y, columns int) {
	row := g.row(y)
	if columns > 0 && columns < g.width && row[columns-1].width == 2 {
		row[columns-1] = empty()
	}
	fill(row[columns:], empty())
}

// restrict replaces what a terminal cannot show, or might show in more columns than it has, by question marks.
func (g *Grid) restrict(caps Caps) {
	if caps.UTF8 && caps.NoWrap {
		return
	}
	for i := range g.cells {
		c := &g.cells[i]
		if c.glyph <= unicode.MaxASCII || caps.UTF8 && c.reach == 0 {
			continue
		}
		c.glyph, c.reach = '?', 0
		if c.width == 2 {
			c.width = 1
			g.cells[i+1] = *c
		}
	}
}

// cluster is the index of a cluster's text.
func (g *Grid) cluster(text string) uint32 {
	i := slices.Index(g.clusters, text)
	if i < 0 {
		i = len(g.clusters)
		g.clusters = append(g.clusters, strings.Clone(text))
	}
	return uint32(i) //nolint:gosec // no more than there are cells
}

// appendGlyph appends a cell's text.
func (g *Grid) appendGlyph(dst []byte, c cell) []byte {
	switch {
	case c.glyph == wideTail:
		return dst
	case c.glyph < utf8.RuneSelf:
		return append(dst, byte(c.glyph))
	case c.glyph >= clustered:
		return append(dst, g.clusters[c.glyph&^clustered]...)
	}
	return utf8.AppendRune(dst, rune(c.glyph)) //nolint:gosec // it was a rune
}

// size is the number of bytes of a cell's text.
func (g *Grid) size(c cell) int {
	switch {
	case c.glyph == wideTail:
		return 0
	case c.glyph >= clustered:
		return len(g.clusters[c.glyph&^clustered])
	}
	return utf8.RuneLen(rune(c.glyph)) //nolint:gosec // it was a rune
}
