package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is one column of a line. Two cells of one [encoder] are equal when they look alike.
type cell struct {
	glyph uint32 // a rune; or clustered plus an index into the painter's clusters; or covered
	style uint16 // an index into the painter's styles; a space has the simplest style that looks the same
	width uint8  // 1 or 2; 0 for the second column of a wide glyph
	reach uint8  // 0 where every terminal gives the glyph its width; else how many columns it might take from here on
}

const (
	wideTail  = 0       // the glyph of a wide glyph's second column
	clustered = 1 << 31 // marks a glyph of several runes
)

// empty is a space in the default style, what erasing leaves.
func empty() cell { return cell{glyph: ' ', width: 1} }

// place is where a line's text is being read: between two of its glyphs and sequences. What follows depends on nothing
// else before it.
type place struct {
	at    int    // the next byte
	style uint16 // of the next cell
}

// reader turns the text of a line into cells.
type reader struct {
	place
	text string
	far  int // up to there a glyph of doubtful width might reach
}

func (r *reader) left() string { return r.text[r.at:] }

// read appends cells to dst until the byte at end is reached or there are limit of them. A wide glyph that the limit
// would cut in half gives way to a space.
func (p *encoder) read(dst []cell, r *reader, end, limit int) []cell {
	text, at, style := r.text, r.at, r.style
	for at < end && len(dst) < limit {
		switch b := text[at]; {
		case b >= ' ' && b < ansi.DEL && (at+1 == len(text) || text[at+1] < utf8.RuneSelf):
			dst = append(dst, p.styled(cell{glyph: uint32(b), width: 1}, style))
			at++
		case b == ansi.ESC || b >= 0x80 && b < 0xa0:
			params, size := sequence(text[at:])
			if params != "" {
				style = p.apply(style, params)
			}
			at += size
		default:
			c, size := p.glyph(text[at:])
			at += size
			if c.width == 2 && len(dst)+1 == limit {
				c, style = empty(), 0
			}
			if c.reach > 0 {
				r.far = max(r.far, len(dst)+int(c.reach))
			}
			dst = appendGlyph(dst, p.styled(c, style))
		}
	}
	r.at, r.style = at, style
	return dst
}

// styled is a cell in a style. A space has the simplest that looks the same.
func (p *encoder) styled(c cell, style uint16) cell {
	if c.style = style; c.glyph == ' ' {
		c.style = p.blank[style]
	}
	return c
}

// appendGlyph appends the cells of a glyph, of which c is the first.
func appendGlyph(dst []cell, c cell) []cell {
	switch {
	case c.width == 0:
		return dst
	case c.width == 1:
		return append(dst, c)
	case c.glyph == '?':
		c.width = 1
		return append(dst, c, c)
	}
	return append(dst, c, cell{glyph: wideTail, style: c.style})
}

// sequence measures the escape or control sequence at the head of text, and gives its parameters if it is SGR: a single
// 0 for none.
func sequence(text string) (params string, size int) {
	if strings.HasPrefix(text, csi) {
		end := len(csi)
		for end < len(text) && text[end] >= '0' && text[end] <= ';' {
			end++
		}
		if end < len(text) && text[end] == 'm' {
			if end == len(csi) {
				return "0", end + 1
			}
			return text[len(csi):end], end + 1
		}
	}
	_, _, size, _ = ansi.DecodeSequence(text, ansi.NormalState, nil)
	return "", max(size, 1)
}
