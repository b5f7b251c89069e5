package draw

import (
	"slices"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// Header writes the first lines of a screen, and returns the part of the canvas that is left for it: all but the
// header, the notice and the hints.
func (c *Canvas) Header(heading, right string) Rect {
	m := c.Margin()
	x := c.Text(m, 0, Brand, "Notakto")
	for _, o := range [2]int{1, 6} { // there are no noughts in this game
		c.Text(m+o, 0, Bad, "o")
	}
	if heading != "" {
		x = c.Text(x+1, 0, Faint, c.Glyphs.dot)
		x = c.Text(x+1, 0, Plain, heading)
	}
	if room := c.Width - m - x - 2; room >= 3 {
		c.TextRight(c.Width-m, 0, c.Fit(right, room))
	}
	top := 1
	if c.Roomy() {
		Rule(c, 1)
		top = 2
	}
	return Rect{m, top, c.Width - 2*m, c.Height - top - c.Bottom()}
}

// Masthead is the header of the screen where a session begins: the game's name in large letters, with its noughts
// crossed out, where the terminal has the half blocks for them.
func (c *Canvas) Masthead(right string) Rect {
	const name, height = "NXTAKTX", 2
	m := c.Margin()
	if !c.Lettering(m, 0, Brand, Bad, name, 1) {
		return c.Header("", right)
	}
	c.TextRight(c.Width-m, 0, c.Fit(right, c.Width-2*m-LetteringWidth(name)-2))
	if !c.Roomy() {
		return Rect{m, height, c.Width - 2*m, c.Height - height - c.Bottom()}
	}
	Rule(c, height)
	return Rect{m, height + 1, c.Width - 2*m, c.Height - height - 1 - c.Bottom()}
}

// Notice writes the line above the keys, or above the row of their rule if there is room. What must be read takes a
// second line if it has to.
func (c *Canvas) Notice(text string, k Role) {
	if text == "" {
		return
	}
	m, y := c.Margin(), c.Height-c.Bottom()
	width := c.Width - 2*m
	if c.Roomy() && !c.Tall() && c.isBlank(y-1) && c.isBlank(y) {
		y--
	}
	c.wipe(Rect{m, y, width, 1}) // the screen may have something of its own there
	if k == Notice && Columns(text) > width {
		c.wipe(Rect{0, y - 1, c.Width, 1})
		c.Paragraph(m, y-1, width, k, ansi.Truncate(text, 2*width-12, c.Glyphs.Ellipsis))
		return
	}
	c.Text(m, y, k, c.Fit(text, width))
}

// Footer writes the last line: the keys in their order, as many as fit. The last one of them, the way to all others, is
// always there, at the right, and so is the one before, the way out.
func (c *Canvas) Footer(keys []key.Binding) {
	if len(keys) == 0 {
		return
	}
	m, y := c.Margin(), c.Height-1
	if c.Tall() {
		Rule(c, y-1)
	}
	end := c.Width - m
	final := keys[len(keys)-1].Help()
	keys = slices.DeleteFunc(slices.Clone(keys[:len(keys)-1]), func(b key.Binding) bool { return !b.Enabled() })
	all := m
	for _, binding := range keys {
		all += hintWidth(binding.Help()) + 2
	}
	if all--; !c.Roomy() && all+len(final.Key) <= end && all+hintWidth(final) > end { // the last one is known by its key
		final.Desc = ""
	}
	end -= hintWidth(final)
	c.Hint(end, y, final.Key, final.Desc)
	x := m
	for i, binding := range keys {
		help, after := binding.Help(), 0
		if out := keys[len(keys)-1].Help(); i < len(keys)-1 {
			after = 2 + hintWidth(out)
		}
		if x+hintWidth(help)+after+1 <= end {
			x = c.Hint(x, y, help.Key, help.Desc) + 2
		}
	}
}

func hintWidth(help key.Help) int {
	if help.Desc == "" {
		return Columns(help.Key)
	}
	return Columns(help.Key) + 1 + Columns(help.Desc)
}

// Rule draws a line through a row.
func Rule(c *Canvas, y int) {
	m := c.Margin()
	c.repeat(m, y, c.Width-2*m, rule, c.Glyphs.rule)
}

// FooterRule draws a line above the footer of a window that has none there, if that row is blank.
func FooterRule(c *Canvas) {
	if y := c.Height - 2; c.Roomy() && !c.Tall() && c.isBlank(y) {
		Rule(c, y)
	}
}

// isBlank reports whether nothing is in a row.
func (c *Canvas) isBlank(y int) bool {
	for x := range c.Width {
		if c.grid.Rune(c.left+x, c.top+y) != ' ' {
			return false
		}
	}
	return true
}

// Section writes the heading of a part of a screen, and a rule as far as the width.
func (c *Canvas) Section(x, y, width int, heading string) {
	end := c.Text(x, y, Strong, heading) + 1
	c.repeat(end, y, x+width-end, rule, c.Glyphs.rule)
}

// Bar writes a bar of some columns.
func (c *Canvas) Bar(x, y, width int, k Role) { c.repeat(x, y, width, k, c.Glyphs.bar[0]) }

// Gauge writes where a value is between the least and the best: a thin line, which has all columns of the width for the
// best.
func Gauge(c *Canvas, x, y, width int, k Role, value, least, best int) {
	c.repeat(x, y, 1+(width-1)*(value-least)/max(1, best-least), k, c.Glyphs.bar[1])
}

// Hint writes a key and what it does.
func (c *Canvas) Hint(x, y int, name, what string) int {
	end := c.Text(c.Text(x, y, Keycap, name)+1, y, Faint, what)
	c.Target.onHint(Rect{x, y, end - x, 1}, name)
	return end
}

// Point writes the pointer of a selected entry.
func (c *Canvas) Point(x, y int) { c.Text(x, y, Cursor, c.Glyphs.More) }

// Box draws a frame and blanks what is inside.
func (c *Canvas) Box(r Rect, k Role) {
	c.wipe(r)
	c.drawRing(r, k, &c.Glyphs.frame)
}

// Card draws a frame with a title in its upper edge, blanks what is inside, and returns what can be written on.
func (c *Canvas) Card(r Rect, frame Role, title string, k Role) Rect {
	c.Box(r, frame)
	c.Text(r.X+2, r.Y, k, " "+c.Fit(title, r.Width-6)+" ")
	return Rect{r.X + 2, r.Y + 1, r.Width - 4, r.Height - 2}
}

// Banner is a text as it is written in the role [MyTurn]: with a ground of its own where that can be seen.
func (c *Canvas) Banner(text string) string {
	if c.theme.family.styles.ShowsBlanks(c.theme.ids[MyTurn]) {
		return " " + c.Glyphs.Present + " " + text + " "
	}
	return ">> " + text + " <<"
}
