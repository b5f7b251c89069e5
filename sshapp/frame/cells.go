package frame

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is one column of a line. Two cells of one [painter] are equal when they look alike.
type cell struct {
	glyph uint32 // a rune; or clustered plus an index into the painter's clusters; or covered
	style uint16 // an index into the painter's styles; a space has the simplest style that looks the same
	width uint8  // 1 or 2; 0 for the second column of a wide glyph
	reach uint8  // 0 where every terminal gives the glyph its width; else how many columns it might take from here on
}

const (
	covered   = 0       // the glyph of a wide glyph's second column
	clustered = 1 << 31 // marks a glyph of several runes
)

// empty is a space in the default style, what erasing leaves.
func empty() cell { return cell{glyph: ' ', width: 1} }

// parse appends the cells of a line to dst, limit of them at most, and says how far a glyph of doubtful width might reach. A wide glyph
// that the limit would cut in half is left out with all that follows it.
func (p *painter) parse(dst []cell, line string, limit int) (cells []cell, far int) {
	start := len(dst)
	limit += start
	var style uint16
	for i := 0; i < len(line) && len(dst) < limit; {
		switch b := line[i]; {
		case b >= ' ' && b < ansi.DEL && (i+1 == len(line) || line[i+1] < utf8.RuneSelf):
			dst = append(dst, p.styled(cell{glyph: uint32(b), width: 1}, style))
			i++
		case b == ansi.ESC || b >= 0x80 && b < 0xa0:
			params, size := sequence(line[i:])
			if params != "" {
				style = p.apply(style, params)
			}
			i += size
		default:
			c, size := p.glyph(line[i:])
			i += size
			if len(dst)+int(c.width) > limit {
				return dst, far
			}
			if c.reach > 0 {
				far = max(far, len(dst)-start+int(c.reach))
			}
			dst = appendGlyph(dst, p.styled(c, style))
		}
	}
	return dst, far
}

// styled is a cell in a style. A space has the simplest that looks the same.
func (p *painter) styled(c cell, style uint16) cell {
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
	return append(dst, c, cell{glyph: covered, style: c.style})
}

// sequence measures the escape or control sequence at the head of text, and gives its parameters if it is SGR: a single 0 for none.
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
