package render

import (
	"image/color"
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// Style describes how a cell looks. The zero value is the terminal's default. A color is an [ansi.BasicColor], an
// [ansi.IndexedColor], nil for the terminal's own color, or any other type for 24 bits.
type Style struct {
	Foreground, Background          color.Color
	Bold, Faint, Underline, Reverse bool
}

// StyleID is the number of a style in a table. 0 is the terminal's default.
type StyleID uint8

// Styles is a table of at most 256 styles. The table must not change after its first use by a Grid.
type Styles struct {
	all    []style
	blanks []StyleID // by style, the simplest style that shows an equal space
}

// NewStyles returns a table with the default style.
func NewStyles() *Styles { return &Styles{all: []style{{}}, blanks: []StyleID{0}} }

// Add returns the number of a style. If the table is full, it returns 0.
func (t *Styles) Add(s Style) StyleID {
	packed := style{fg: colorOf(s.Foreground), bg: colorOf(s.Background)}
	for _, attr := range [...]struct {
		is   bool
		attr attrs
	}{{s.Bold, bold}, {s.Faint, faint}, {s.Underline, underline}, {s.Reverse, reverse}} {
		if attr.is {
			packed.attrs |= attr.attr
		}
	}
	return t.add(packed)
}

func (t *Styles) add(s style) StyleID {
	if i := slices.Index(t.all, s); i >= 0 {
		return StyleID(i) //nolint:gosec // bounded below
	}
	if len(t.all) == 1<<8 {
		return 0
	}
	id := StyleID(len(t.all)) //nolint:gosec // bounded above
	t.all, t.blanks = append(t.all, s), append(t.blanks, id)
	if blank := (style{bg: s.bg}); s.attrs&(reverse|underline) == 0 && s != blank {
		if simplest := t.add(blank); t.all[simplest] == blank { // otherwise the table is full
			t.blanks[id] = simplest
		}
	}
	return id
}

// ShowsBlanks reports whether a space in the style is visible.
func (t *Styles) ShowsBlanks(id StyleID) bool { return t.blanks[id] != 0 }

// packedColor is a color in 32 bits. Zero is the default, other values have a kind and a number or red, green and blue.
type packedColor uint32

const (
	basic   packedColor = 1 << 24 // 0 to 15, SGR 30 to 37 and 90 to 97
	indexed packedColor = 2 << 24 // 0 to 255
	direct  packedColor = 3 << 24 // 24 bits

	kind packedColor = 0xff << 24
)

func colorOf(c color.Color) packedColor {
	switch c := c.(type) {
	case nil:
		return 0
	case ansi.BasicColor:
		return basic | packedColor(c&0xf)
	case ansi.IndexedColor:
		return indexed | packedColor(c)
	}
	r, g, b, _ := c.RGBA()
	return direct | packedColor(r>>8<<16|g>>8<<8|b>>8)
}

func (p packedColor) color() color.Color {
	n := uint8(p & 0xff)
	switch p & kind {
	case basic:
		return ansi.BasicColor(n)
	case indexed:
		return ansi.IndexedColor(n)
	case direct:
		return color.RGBA{uint8(p >> 16 & 0xff), uint8(p >> 8 & 0xff), n, 0xff}
	}
	return nil
}

// attrs is a set of attributes. Bit n stands for SGR n.
type attrs uint8

const (
	bold      attrs = 1 << 1
	faint     attrs = 1 << 2
	underline attrs = 1 << 4
	reverse   attrs = 1 << 7
)

type style struct {
	fg, bg packedColor
	attrs  attrs
}

func (s style) unpacked() Style {
	return Style{
		Foreground: s.fg.color(), Background: s.bg.color(),
		Bold: s.attrs&bold != 0, Faint: s.attrs&faint != 0, Underline: s.attrs&underline != 0, Reverse: s.attrs&reverse != 0,
	}
}

const (
	csi = "\x1b["
	// fromReset opens an SGR sequence that resets first. The empty parameter does that.
	fromReset = csi + ";"
)

// appendTransition appends the shortest sequence between two styles, either the changes or a reset and the whole new
// style. Without unset the terminal cannot end single attributes, and gets the reset if any attribute ends.
func appendTransition(dst []byte, from, to style, unset bool) []byte {
	switch {
	case from == to:
		return dst
	case to == style{}:
		return append(dst, ansi.ResetStyle...)
	case !from.hasMoreThan(to):
		return appendChange(dst, csi, from, to)
	case !unset:
		return appendChange(dst, fromReset, style{}, to)
	}
	start := len(dst)
	dst = appendChange(dst, csi, from, to)
	middle := len(dst)
	if dst = appendChange(dst, fromReset, style{}, to); len(dst)-middle < middle-start {
		return dst[:start+copy(dst[start:], dst[middle:])]
	}
	return dst[:middle]
}

func (s style) hasMoreThan(to style) bool {
	return s.attrs&^to.attrs != 0 || s.fg != 0 && to.fg == 0 || s.bg != 0 && to.bg == 0
}

// appendChange appends an SGR sequence for the differences between two styles. The styles must differ.
func appendChange(dst []byte, opening string, from, to style) []byte {
	dst = append(dst, opening...)
	if from.attrs != to.attrs {
		dst = appendAttrs(dst, from.attrs, to.attrs)
	}
	if from.fg != to.fg {
		dst = appendColor(dst, 30, to.fg)
	}
	if from.bg != to.bg {
		dst = appendColor(dst, 40, to.bg)
	}
	dst[len(dst)-1] = 'm'
	return dst
}

// appendAttrs ends the attributes that to lacks, and sets the new ones. One code ends both bold and faint.
func appendAttrs(dst []byte, from, to attrs) []byte {
	for _, group := range [...]struct {
		set attrs
		end int
	}{{bold | faint, 22}, {underline, 24}, {reverse, 27}} {
		if from&group.set&^to != 0 {
			dst = appendParam(dst, group.end)
			from &^= group.set
		}
	}
	for n, missing := 1, (to&^from)>>1; missing != 0; n, missing = n+1, missing>>1 {
		if missing&1 != 0 {
			dst = appendParam(dst, n)
		}
	}
	return dst
}

// appendColor appends a color's parameters. ground is 30 for the foreground or 40 for the background.
func appendColor(dst []byte, ground int, c packedColor) []byte {
	n := int(c &^ kind)
	switch c & kind {
	case basic:
		if n >= 8 {
			return appendParam(dst, ground+60+n-8)
		}
		return appendParam(dst, ground+n)
	case indexed:
		return appendParam(appendParam(appendParam(dst, ground+8), 5), n)
	case direct:
		dst = appendParam(appendParam(dst, ground+8), 2)
		return appendParam(appendParam(appendParam(dst, n>>16), n>>8&0xff), n&0xff)
	}
	return appendParam(dst, ground+9)
}

func appendParam(dst []byte, n int) []byte {
	return append(strconv.AppendInt(dst, int64(n), 10), ';')
}
