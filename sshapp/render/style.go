package render

import (
	"image/color"
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// Style is how a cell is shown. The zero value is the terminal's default. A color is an [ansi.BasicColor], an
// [ansi.IndexedColor], any other one for 24 bits, or nil for the terminal's own.
type Style struct {
	Foreground, Background          color.Color
	Bold, Faint, Underline, Reverse bool
}

// StyleID is the number of a style in a table. 0 is the terminal's default.
type StyleID uint8

// Styles is a table of at most 256 styles. Once a [Grid] uses it, it must not change any more.
type Styles struct {
	all    []style
	blanks []StyleID // for each style the one that a space has instead
}

// NewStyles returns a table of the default style.
func NewStyles() *Styles { return &Styles{all: []style{{}}, blanks: []StyleID{0}} }

// Add returns the number of a style, which it adds if need be; 0 when the table is full.
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
	if blank := s.blank(); blank != s {
		t.blanks[id] = t.add(blank)
	}
	return id
}

// ShowsBlanks reports whether a space in a style can be seen.
func (t *Styles) ShowsBlanks(id StyleID) bool { return t.blanks[id] != 0 }

// rgb is 0 for the default, or one of the kinds below with its number or its red, green and blue.
type rgb uint32

const (
	basic   rgb = 1 << 24 // 0 to 15, SGR 30 to 37 and 90 to 97
	indexed rgb = 2 << 24 // 0 to 255
	direct  rgb = 3 << 24 // 24 bits

	kind rgb = 0xff << 24
)

func colorOf(c color.Color) rgb {
	switch c := c.(type) {
	case nil:
		return 0
	case ansi.BasicColor:
		return basic | rgb(c&0xf)
	case ansi.IndexedColor:
		return indexed | rgb(c)
	}
	r, g, b, _ := c.RGBA()
	return direct | rgb(r>>8<<16|g>>8<<8|b>>8)
}

// color is the opposite of colorOf.
func (c rgb) color() color.Color {
	n := uint8(c & 0xff)
	switch c & kind {
	case basic:
		return ansi.BasicColor(n)
	case indexed:
		return ansi.IndexedColor(n)
	case direct:
		return color.RGBA{uint8(c >> 16 & 0xff), uint8(c >> 8 & 0xff), n, 0xff}
	}
	return nil
}

// attrs is a set of attributes: bit n is what SGR n sets.
type attrs uint8

const (
	bold      attrs = 1 << 1
	faint     attrs = 1 << 2
	underline attrs = 1 << 4
	reverse   attrs = 1 << 7
)

// style is a [Style] made small.
type style struct {
	fg, bg rgb
	attrs  attrs
}

// unpacked is s as it was added to its table.
func (s style) unpacked() Style {
	return Style{
		Foreground: s.fg.color(), Background: s.bg.color(),
		Bold: s.attrs&bold != 0, Faint: s.attrs&faint != 0, Underline: s.attrs&underline != 0, Reverse: s.attrs&reverse != 0,
	}
}

// blank is the simplest style in which a space looks as it does in s: the foreground is not seen on it unless something
// is drawn through it.
func (s style) blank() style {
	if s.attrs&(reverse|underline) != 0 {
		return s
	}
	return style{bg: s.bg}
}
