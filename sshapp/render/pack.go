package render

import (
	"math"
	"unicode/utf8"
)

// A packed row is the text of its glyphs, up to the last that is not empty. Three control bytes, which no glyph is,
// stand for what is not text.
const (
	packedStyle  = 1 // the number of the style from here on follows
	packedGlyph  = 2 // width, reach and length of a glyph of more than one column, or of doubtful width, follow
	packedRepeat = 3 // the number of further cells like the one before follows
)

// pack appends a row as it is kept between two frames.
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
			dst = append(dst, packedGlyph, c.width, byte(c.reach), byte(g.size(c))) //nolint:gosec // by maxCluster
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
		case n == 1:
			x--
		}
	}
	return dst
}

// unpack writes a packed row over empty cells.
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
