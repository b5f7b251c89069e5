package render

import (
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
)

// Grid is rows of cells to draw into. A glyph that does not fit entirely is left out. The zero value is an empty
// grid.
type Grid struct {
	width, height int
	cells         []cell // row by row
	clusters      []string
	styles        *Styles
	ascii         bool
}

// cell is one column of a row. Cells of one [Grid] are equal if and only if they look alike. The struct has no
// padding, and the compiler compares cells as plain memory.
type cell struct {
	glyph uint32  // a rune, wideTail, or the sum of clustered and an index of Grid.clusters
	style StyleID // for a space, the simplest style that looks equal
	width uint8   // 1 or 2, and 0 for the second column of a wide glyph
	reach uint16  // the largest width in any terminal, 0 if terminals agree
}

const (
	wideTail  = 0       // glyph of a wide glyph's second column
	clustered = 1 << 31 // marks a glyph of several runes
	// maxCluster is the length limit of a cluster in bytes. No script needs more.
	maxCluster = 64
)

// empty returns the cell that an erasure leaves.
func empty() cell { return cell{glyph: ' ', width: 1} }

// Reset makes g blank and sets its size and its table of styles. With ascii, question marks replace all glyphs
// outside ASCII.
func (g *Grid) Reset(width, height int, styles *Styles, ascii bool) {
	g.width, g.height, g.styles, g.ascii = max(0, width), max(0, height), styles, ascii
	g.cells = slices.Grow(g.cells[:0], g.width*g.height)[:g.width*g.height]
	fill(g.cells, empty())
	clear(g.clusters)
	g.clusters = g.clusters[:0]
}

func fill(cells []cell, c cell) {
	for i := range cells {
		cells[i] = c
	}
}

// Width returns the number of columns.
func (g *Grid) Width() int { return g.width }

// Height returns the number of rows.
func (g *Grid) Height() int { return g.height }

// Text writes text from column x on and returns the column after it. Text stops at the first glyph without room in
// the row, and skips control characters and invalid UTF-8.
func (g *Grid) Text(x, y int, id StyleID, text string) int {
	if x >= 0 && x < g.width && y >= 0 && y < g.height {
		row, n := g.row(y)[x:], 0
		for n < len(row) && row[n].width == 1 && isASCII(text[n:]) {
			row[n] = g.withStyle(cell{glyph: uint32(text[n]), width: 1}, id)
			n++
		}
		x, text = x+n, text[n:]
	}
	for text != "" {
		c, size := g.nextGlyph(text)
		text = text[size:]
		if x+int(c.width) > g.width {
			break
		}
		g.put(x, y, g.withStyle(c, id))
		x += int(c.width)
	}
	return x
}

// Fill writes a glyph count times. The glyph must be one column wide.
func (g *Grid) Fill(x, y, count int, id StyleID, glyph string) {
	c, _ := g.nextGlyph(glyph)
	c = g.withStyle(c, id)
	if y < 0 || y >= g.height {
		return
	}
	row := g.row(y)
	for at := max(0, x); at < min(x+count, g.width); at++ {
		if row[at].width == 1 {
			row[at] = c
		} else {
			g.put(at, y, c)
		}
	}
}

// Part returns a copy of a rectangle of g, or nil if the rectangle reaches beyond g or has a glyph that takes more than
// a rune or a column.
func (g *Grid) Part(x, y, width, height int) *Grid {
	if x < 0 || y < 0 || x+width > g.width || y+height > g.height {
		return nil
	}
	part := &Grid{width: width, height: height, styles: g.styles, ascii: g.ascii}
	for row := range height {
		for _, c := range g.row(y + row)[x : x+width] {
			if c.width != 1 || c.glyph >= clustered {
				return nil
			}
			part.cells = append(part.cells, c)
		}
	}
	return part
}

// Paste writes all cells of part, a result of Part, from x and y on. They must fit into g, which must have the styles
// of part and no wide glyph there.
func (g *Grid) Paste(x, y int, part *Grid) {
	for row := range part.height {
		copy(g.row(y + row)[x:], part.row(row))
	}
}

// Rune returns the rune of a cell, and a space outside the grid. Rune returns 0 for a glyph of several runes and for
// the second column of a wide glyph.
func (g *Grid) Rune(x, y int) rune {
	if x < 0 || x >= g.width || y < 0 || y >= g.height {
		return ' '
	}
	if glyph := g.cells[y*g.width+x].glyph; glyph < clustered {
		return rune(glyph)
	}
	return 0
}

// String returns the text of g without empty cells at the ends of lines.
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

func trimmed(row []cell) []cell {
	for len(row) > 0 && row[len(row)-1] == empty() {
		row = row[:len(row)-1]
	}
	return row
}

func (g *Grid) withStyle(c cell, id StyleID) cell {
	if g.ascii && c.glyph > unicode.MaxASCII {
		c.glyph, c.reach = '?', 0
	}
	if c.style = id; c.glyph == ' ' {
		c.style = g.styles.blanks[id]
	}
	return c
}

// put writes a glyph. If the glyph covers one half of a wide one, the uncovered half becomes blank.
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

// cut empties the cells of row y from column from on. If a wide glyph crosses that column, cut empties both of its
// cells.
func (g *Grid) cut(y, from int) {
	row := g.row(y)
	if from > 0 && from < g.width && row[from-1].width == 2 {
		row[from-1] = empty()
	}
	fill(row[from:], empty())
}

// restrict replaces glyphs that the terminal cannot show with question marks. If the terminal wraps, this includes
// glyphs that might be too wide.
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

func (g *Grid) cluster(text string) uint32 {
	i := slices.Index(g.clusters, text)
	if i < 0 {
		i = len(g.clusters)
		g.clusters = append(g.clusters, strings.Clone(text))
	}
	return uint32(i) //nolint:gosec // no more than there are cells
}

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

func (g *Grid) glyphSize(c cell) int {
	switch {
	case c.glyph == wideTail:
		return 0
	case c.glyph >= clustered:
		return len(g.clusters[c.glyph&^clustered])
	}
	return utf8.RuneLen(rune(c.glyph)) //nolint:gosec // it was a rune
}

// Columns returns the number of columns of a text in a Grid.
func Columns(text string) (columns int) {
	for isASCII(text) {
		columns, text = columns+1, text[1:]
	}
	var g Grid
	for text != "" {
		c, size := g.nextGlyph(text)
		columns += int(c.width)
		text = text[size:]
	}
	return columns
}

// nextGlyph returns the grapheme cluster at the beginning of text and its length in bytes. Control characters and
// stray combining characters have the width 0 and are not shown.
func (g *Grid) nextGlyph(text string) (cell, int) {
	r, size := utf8.DecodeRuneInString(text)
	if w := plainWidth(r); w > 0 && standsAlone(text[size:]) {
		return cell{glyph: uint32(r), width: w}, size //nolint:gosec // runes are not negative
	}
	if r == utf8.RuneError && size <= 1 || unicode.IsControl(r) {
		return cell{}, size
	}
	cluster, width := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	if !utf8.ValidString(cluster) {
		cluster = text[:size]
		width = ansi.StringWidth(cluster)
	}
	return g.clusterCell(cluster, width), len(cluster)
}

// clusterCell returns the cell of a cluster. If terminals might disagree about the width, the cell has a reach.
func (g *Grid) clusterCell(cluster string, width int) cell {
	r, size := utf8.DecodeRuneInString(cluster)
	c := cell{glyph: uint32(r), width: uint8(min(width, 2))} //nolint:gosec // 0 to 2
	switch {
	case len(cluster) > maxCluster:
		c.glyph = '?'
	case size < len(cluster) || !hasAgreedWidth(r) || ansi.StringWidthWc(cluster) != width:
		c.reach = uint16(2 * utf8.RuneCountInString(cluster)) //nolint:gosec // a cluster is short
		if size < len(cluster) {
			c.glyph = clustered | g.cluster(cluster)
		}
	}
	return c
}

// hasAgreedWidth reports whether old and new terminals agree on the width of r. Old terminals differ on U+1F000 to
// U+1FFFF.
func hasAgreedWidth(r rune) bool {
	return unicode.IsGraphic(r) && (r < 0x1f000 || r >= 0x20000)
}

// plainWidth returns the width of a common rune, 0 for other runes. Common runes have one width in all terminals and
// form no clusters with each other. The check spares most text the search for clusters.
func plainWidth(r rune) uint8 {
	switch {
	case r >= ' ' && r < ansi.DEL,
		r > 0xa0 && r < 0x300 && r != 0xad, // Latin
		r >= 0x2010 && r <= 0x2027,         // dashes, quotation marks, bullet, ellipsis
		r >= 0x2500 && r < 0x25fd:          // boxes, blocks, shapes
		return 1
	case r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, // kana
		r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // ideographs, Hangul syllables
		return 2
	}
	return 0
}

// isASCII reports whether text begins with a printable character of ASCII that forms no cluster with the next one. The
// loops over such characters, which most text has, search no clusters.
func isASCII(text string) bool {
	return text != "" && text[0] >= ' ' && text[0] < ansi.DEL && (len(text) == 1 || text[1] < utf8.RuneSelf)
}

// standsAlone reports whether a common rune before rest forms no cluster with the beginning of rest.
func standsAlone(rest string) bool {
	if rest == "" || rest[0] < utf8.RuneSelf {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return plainWidth(r) > 0
}

const (
	packedStyle  = 1 // the next byte is the style of the following cells
	packedGlyph  = 2 // the next three bytes are width, reach and length of a glyph that is wide or has a reach
	packedRepeat = 3 // the next byte is the number of further cells equal to the last one
)

// pack appends a row in the form that a Screen keeps between two frames. The form has the text of the row without
// empty cells at the end, and control bytes for the rest. No glyph is a control character.
func (g *Grid) pack(dst []byte, row []cell) []byte {
	row = trimmed(row)
	var id StyleID
	for x := 0; x < len(row); {
		c := row[x]
		if c.style != id {
			id = c.style
			dst = append(dst, packedStyle, byte(id))
		}
		if c.width != 1 || c.reach > 0 {
			dst = append(dst, packedGlyph, c.width, byte(c.reach), byte(g.glyphSize(c))) //nolint:gosec // by maxCluster
		}
		dst = g.appendGlyph(dst, c)
		x += int(c.width)
		same := x
		for x < len(row) && row[x] == c && x-same < math.MaxUint8 {
			x++
		}
		switch n := x - same; {
		case n > 1:
			dst = append(dst, packedRepeat, byte(n)) //nolint:gosec // bounded above
		case n == 1: // writing the cell again is shorter than packedRepeat
			x--
		}
	}
	return dst
}

// hash returns a hash of row y, by which a Screen finds most rows unchanged without unpacking them. The result is 0 in
// a grid with glyphs of several runes, because the cells of these depend on the frame.
func (g *Grid) hash(y int, seed maphash.Seed) uint64 {
	if len(g.clusters) > 0 || g.width == 0 {
		return 0
	}
	row := g.row(y)
	size := len(row) * int(unsafe.Sizeof(row[0]))                                    // a cell has no padding
	return maphash.Bytes(seed, unsafe.Slice((*byte)(unsafe.Pointer(&row[0])), size)) //nolint:gosec // as above
}

// unpack writes a packed row into row. The cells of row must be empty.
func (g *Grid) unpack(row []cell, packed string) {
	c := empty()
	for x, at := 0, 0; at < len(packed); {
		switch b := packed[at]; {
		case b == packedStyle:
			c.style = StyleID(packed[at+1])
			at += 2
			continue
		case b == packedRepeat:
			n := int(packed[at+1])
			if at += 2; c != empty() {
				fill(row[x:x+n], c)
			}
			x += n
			continue
		case b == packedGlyph:
			c.width, c.reach = packed[at+1], uint16(packed[at+2])
			end := at + 4 + int(packed[at+3])
			c.glyph = g.unpackGlyph(packed[at+4 : end])
			at = end
		case b < utf8.RuneSelf:
			c.glyph, c.width, c.reach = uint32(b), 1, 0
			at++
		default:
			r, size := utf8.DecodeRuneInString(packed[at:])
			c.glyph, c.width, c.reach = uint32(r), 1, 0 //nolint:gosec // runes are not negative
			at += size
		}
		row[x] = c
		if c.width == 2 {
			row[x+1] = cell{glyph: wideTail, style: c.style}
		}
		x += int(c.width)
	}
}

func (g *Grid) unpackGlyph(text string) uint32 {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) {
		return uint32(r) //nolint:gosec // runes are not negative
	}
	return clustered | g.cluster(text)
}

// Cell is one column of a row, for readers other than a terminal.
type Cell struct {
	Glyph string // "" in the second column of a wide glyph
	Style Style  // for a space, the simplest style that looks equal
}

// Cells returns the cells of g by row and column.
func Cells(g *Grid) [][]Cell {
	rows := make([][]Cell, g.height)
	for y := range rows {
		rows[y] = make([]Cell, g.width)
		for x, c := range g.row(y) {
			rows[y][x] = Cell{string(g.appendGlyph(nil, c)), g.styles.all[c.style].unpacked()}
		}
	}
	return rows
}
