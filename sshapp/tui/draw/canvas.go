package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"notakto/sshapp/render"
)

// Canvas is what a screen draws on: a grid as large as the window, with the styles and glyphs of a theme.
type Canvas struct {
	Size      // of the page, which is the whole window unless there is a [Canvas.Page]
	Glyphs    *glyphs
	Target    *Target // what a click is looked up at; nil while the canvas is only to be seen
	left, top int     // of the page in the window
	grid      *render.Grid
	theme     *Theme
}

// NewCanvas makes a grid blank and gives it a size, to be drawn on.
func NewCanvas(grid *render.Grid, width, height int, theme *Theme) *Canvas {
	grid.Reset(width, height, theme.family.styles, theme.charset == ASCII)
	return &Canvas{Size: Size{grid.Width(), grid.Height()}, Glyphs: theme.glyphs, grid: grid, theme: theme}
}

// Page has the screen take the middle of a window that is larger than a page. Where the page leaves room for it on all
// sides it has a frame. It is for screens whose text would be lost in a very large window.
func (c *Canvas) Page() {
	at := c.Size.Page()
	if at.X > 1 && at.Y > 1 {
		c.drawRing(Rect{at.X - 2, at.Y - 1, at.Width + 4, at.Height + 2}, rule, &c.Glyphs.frame)
	}
	c.left, c.top, c.Size = at.X, at.Y, Size{at.Width, at.Height}
	if c.Target != nil {
		c.Target.X, c.Target.Y = c.Target.X-at.X, c.Target.Y-at.Y
	}
}

// Text writes from x rightwards and returns the column after it, as [render.Grid.Text].
func (c *Canvas) Text(x, y int, k Role, text string) int {
	return c.grid.Text(c.left+x, c.top+y, c.theme.ids[k], text) - c.left
}

// TextRight writes faint text that ends before column x, and returns its first column.
func (c *Canvas) TextRight(x, y int, text string) int {
	start := x - Columns(text)
	c.Text(start, y, Faint, text)
	return start
}

// TextCenter writes in the middle of the columns from x on, in as many lines as it takes, and returns the row after it.
func (c *Canvas) TextCenter(x, width, y int, k Role, text string) int {
	if Columns(text) > width {
		text = ansi.Wordwrap(text, width, "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		c.Text(x+max(0, (width-Columns(line))/2), y, k, line)
		y++
	}
	return y
}

// Paragraph writes text in lines of at most width cells and returns the row after it.
func (c *Canvas) Paragraph(x, y, width int, k Role, text string) int {
	for line := range strings.SplitSeq(ansi.Wordwrap(text, width, ""), "\n") {
		c.Text(x, y, k, line)
		y++
	}
	return y
}

// Accent writes the first place of a part of a paragraph again, in a role of its own, unless a line ends within it.
func Accent(c *Canvas, x, y, width int, text, part string, k Role) {
	for line := range strings.SplitSeq(ansi.Wordwrap(text, width, ""), "\n") {
		if before, _, found := strings.Cut(line, part); found && part != "" {
			c.Text(x+Columns(before), y, k, part)
			return
		}
		y++
	}
}

// Fit is text cut to a width, with an ellipsis if something was left out.
func (c *Canvas) Fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(text) <= width {
		return text
	}
	return ansi.Truncate(text, width, c.Glyphs.Ellipsis)
}

// repeat writes a glyph a number of times.
func (c *Canvas) repeat(x, y, count int, k Role, glyph string) {
	c.grid.Fill(c.left+x, c.top+y, count, c.theme.ids[k], glyph)
}

// wipe blanks a rectangle.
func (c *Canvas) wipe(r Rect) {
	for row := range r.Height {
		c.repeat(r.X, r.Y+row, r.Width, Plain, " ")
	}
}

// drawRing draws lines along the edges of a rectangle.
func (c *Canvas) drawRing(r Rect, k Role, g *ring) {
	right, bottom := r.X+r.Width-1, r.Y+r.Height-1
	c.repeat(r.X, r.Y, r.Width, k, g.across)
	c.repeat(r.X, bottom, r.Width, k, g.across)
	for y := r.Y; y <= bottom; y++ {
		c.Text(r.X, y, k, g.down)
		c.Text(right, y, k, g.down)
	}
	c.corners(r, k, g)
}

// corners draws only the corners of a rectangle.
func (c *Canvas) corners(r Rect, k Role, g *ring) {
	right, bottom := r.X+r.Width-1, r.Y+r.Height-1
	c.Text(r.X, r.Y, k, g.topLeft)
	c.Text(right, r.Y, k, g.topRight)
	c.Text(r.X, bottom, k, g.bottomLeft)
	c.Text(right, bottom, k, g.bottomRight)
}

// Columns is how many columns a text takes.
func Columns(text string) int { return render.Columns(text) }

// LinesOf is how many lines a paragraph takes.
func LinesOf(text string, width int) int {
	return strings.Count(ansi.Wordwrap(text, width, ""), "\n") + 1
}
