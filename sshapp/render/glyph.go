package render

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is one column of a row. Two cells of one [Grid] are equal when they look alike. It has no gaps, so that they are
// compared at once.
type cell struct {
	glyph uint32  // a rune; or clustered plus an index into the grid's clusters; or wideTail
	style StyleID // a space has the simplest style that looks the same
	width uint8   // 1 or 2; 0 for the second column of a wide glyph
	reach uint16  // 0 where every terminal gives the glyph its width; else how many columns it might take from here on
}

const (
	wideTail  = 0       // the glyph of a wide glyph's second column
	clustered = 1 << 31 // marks a glyph of several runes
	// maxCluster is in bytes; no script needs as many.
	maxCluster = 64
)

// empty is a space in the default style, what erasing leaves.
func empty() cell { return cell{glyph: ' ', width: 1} }

// Columns is how many columns a text takes in a [Grid].
func Columns(text string) (columns int) {
	var g Grid
	for text != "" {
		c, size := g.glyph(text)
		columns += int(c.width)
		text = text[size:]
	}
	return columns
}

// glyph reads what stands in the first cell or two of text, a grapheme cluster, and how many bytes it takes. What takes
// no column by itself, controls and stray combining characters, has a width of 0 and is not shown.
func (g *Grid) glyph(text string) (cell, int) {
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
	return g.ambiguousWidth(cluster, width), len(cluster)
}

// ambiguousWidth is the cell of a cluster that not all terminals may give the same width.
func (g *Grid) ambiguousWidth(cluster string, width int) cell {
	r, size := utf8.DecodeRuneInString(cluster)
	c := cell{glyph: uint32(r), width: uint8(min(width, 2))} //nolint:gosec // 0 to 2
	switch {
	case len(cluster) > maxCluster:
		c.glyph = '?'
	case size < len(cluster) || !agreed(r) || ansi.StringWidthWc(cluster) != width:
		c.reach = uint16(2 * utf8.RuneCountInString(cluster)) //nolint:gosec // a cluster is short
		if size < len(cluster) {
			c.glyph = clustered | g.cluster(cluster)
		}
	}
	return c
}

// agreed reports whether terminals with tables old and new have the same width for r, apart from what those tables say.
// They have not for what was added to Unicode lately, and emoji above the basic plane are added every year.
func agreed(r rune) bool {
	return unicode.IsGraphic(r) && (r < 0x1f000 || r >= 0x20000)
}

// plainWidth is the width of runes that are common, have the same width everywhere and join no cluster with others like
// them; 0 for all other runes.
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

// standsAlone reports whether rest begins with nothing that could join the rune before it in a cluster.
func standsAlone(rest string) bool {
	if rest == "" || rest[0] < utf8.RuneSelf {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return plainWidth(r) > 0
}
