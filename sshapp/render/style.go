package render

// color is 0 for the default, or one of the kinds below with its number or its red, green and blue.
type color uint32

const (
	basic   color = 1 << 24 // 0 to 15, SGR 30 to 37 and 90 to 97
	indexed color = 2 << 24 // 0 to 255
	direct  color = 3 << 24 // 24 bits

	kind color = 0xff << 24
)

// attrs is a set of attributes: bit n is what SGR n sets.
type attrs uint16

const (
	bold          attrs = 1 << 1
	faint         attrs = 1 << 2
	italic        attrs = 1 << 3
	blink         attrs = 1<<5 | 1<<6
	reverse       attrs = 1 << 7
	conceal       attrs = 1 << 8
	strikethrough attrs = 1 << 9
)

// style is how a cell is shown. The zero value is the terminal's default.
type style struct {
	fg, bg, underlineColor color // underlineColor is the underline's
	attrs                  attrs
	underline              uint8 // SGR 4's subparameter: 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed
}

// blank is the simplest style in which a space looks as it does in s: ink is not seen on it unless something is drawn
// through it.
func (s style) blank() style {
	if s.underline != 0 || s.attrs&(reverse|strikethrough) != 0 {
		return s
	}
	return style{bg: s.bg}
}

// apply changes s as the parameters of an SGR sequence say. What is not known is left out.
func (s *style) apply(text string) {
	for p := (params{rest: text}); p.next(); {
		switch n := p.value; {
		case n == 0:
			*s = style{}
		case n == 4:
			s.underline = p.underline()
		case n < 10:
			s.attrs |= 1 << n
		case n < 30:
			s.end(n)
		default:
			s.paint(n, &p)
		}
	}
}

// end takes SGR 20 to 29, which end attributes.
func (s *style) end(n int) {
	switch n {
	case 22:
		s.attrs &^= bold | faint
	case 23:
		s.attrs &^= italic
	case 24:
		s.underline = 0
	case 25:
		s.attrs &^= blink
	case 27:
		s.attrs &^= reverse
	case 28:
		s.attrs &^= conceal
	case 29:
		s.attrs &^= strikethrough
	}
}

// paint takes SGR 30 and above, the colours.
func (s *style) paint(n int, p *params) {
	switch {
	case n < 38:
		s.fg = basic + color(n-30)
	case n == 38:
		p.color(&s.fg)
	case n == 39:
		s.fg = 0
	case n >= 40 && n < 48:
		s.bg = basic + color(n-40)
	case n == 48:
		p.color(&s.bg)
	case n == 49:
		s.bg = 0
	case n == 58:
		p.color(&s.underlineColor)
	case n == 59:
		s.underlineColor = 0
	case n >= 90 && n < 98:
		s.fg = basic + color(n-90+8)
	case n >= 100 && n < 108:
		s.bg = basic + color(n-100+8)
	}
}
