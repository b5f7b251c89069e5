package draw

import (
	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"notakto/sshapp/render"
)

// Canvas is a grid as large as the window, with a theme's styles and glyphs.
type Canvas struct {
	Size      // of the page, initially the whole window
	Glyphs    *glyphs
	Target    *Target // finds the target of a click, nil while drawing for the terminal
	left, top int     // the page's position in the window
	grid      *render.Grid
	theme     *Theme
}

// NewCanvas blanks a grid, sets its size, and returns a canvas on it.
func NewCanvas(grid *render.Grid, width, height int, theme *Theme) *Canvas {
	c := new(Canvas)
	c.Reset(grid, width, height, theme)
	return c
}

// Reset makes c what [NewCanvas] returns.
func (c *Canvas) Reset(grid *render.Grid, width, height int, theme *Theme) {
	grid.Reset(width, height, theme.family.styles, theme.charset == ASCII)
	*c = Canvas{Size: Size{grid.Width(), grid.Height()}, Glyphs: theme.glyphs, grid: grid, theme: theme}
}

// Page restricts the canvas to the middle of a huge window, because text would look lost in the whole window.
func (c *Canvas) Page() {
	bounds := c.Size.Page()
	c.left, c.top, c.Size = bounds.X, bounds.Y, Size{bounds.Width, bounds.Height}
	if c.Target != nil {
		c.Target.X, c.Target.Y = c.Target.X-bounds.X, c.Target.Y-bounds.Y
	}
}

// Text writes text from column x and returns the column after it. See [render.Grid.Text].
func (c *Canvas) Text(x, y int, role Role, text string) int {
	return c.grid.Text(c.left+x, c.top+y, c.theme.ids[role], c.theme.charset.Show(text)) - c.left
}

// TextRight writes faint text that ends before column x, and returns the text's first column.
func (c *Canvas) TextRight(x, y int, text string) int {
	start := x - Columns(text)
	c.Text(start, y, Faint, text)
	return start
}

// Fit cuts text to width columns. Cut text ends with an ellipsis.
func (c *Canvas) Fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(text) <= width {
		return text
	}
	return ansi.Truncate(text, width, c.Glyphs.Ellipsis)
}

func (c *Canvas) fill(x, y, count int, role Role, glyph string) {
	c.grid.Fill(c.left+x, c.top+y, count, c.theme.ids[role], glyph)
}

func (c *Canvas) wipe(r Rect) {
	for row := range r.Height {
		c.fill(r.X, r.Y+row, r.Width, Plain, " ")
	}
}

func (c *Canvas) drawRing(r Rect, role Role, g *ring) {
	right, bottom := r.X+r.Width-1, r.Y+r.Height-1
	c.fill(r.X, r.Y, r.Width, role, g.across)
	c.fill(r.X, bottom, r.Width, role, g.across)
	for y := r.Y; y <= bottom; y++ {
		c.Text(r.X, y, role, g.down)
		c.Text(right, y, role, g.down)
	}
	c.drawCorners(r, role, g)
}

func (c *Canvas) drawCorners(r Rect, role Role, g *ring) {
	right, bottom := r.X+r.Width-1, r.Y+r.Height-1
	c.Text(r.X, r.Y, role, g.topLeft)
	c.Text(right, r.Y, role, g.topRight)
	c.Text(r.X, bottom, role, g.bottomLeft)
	c.Text(right, bottom, role, g.bottomRight)
}

// Columns returns the number of columns that a text takes.
func Columns(text string) int { return render.Columns(text) }

// Header writes the first lines of a screen, and returns the area between them and the notice.
func (c *Canvas) Header(heading, right string) Rect {
	m := c.Margin()
	x := c.Text(m, 0, Brand, "Notakto")
	for _, o := range [2]int{1, 6} { // this game has no noughts
		c.Text(m+o, 0, Bad, "o")
	}
	if heading != "" {
		x = c.Text(x+1, 0, Faint, c.Glyphs.Dot)
		x = c.Text(x+1, 0, Plain, heading)
	}
	if room := c.Width - m - x - 2; room >= 3 {
		c.TextRight(c.Width-m, 0, c.Fit(right, room))
	}
	top := 1
	if c.IsRoomy() {
		c.Rule(1)
		top = 2
	}
	return Rect{m, top, c.Width - 2*m, c.Height - top - c.Bottom()}
}

// Masthead writes the lobby's header and returns the area below. On a terminal with half blocks the game's name
// stands in large letters, with its noughts crossed out. right returns the text of the right corner, cut
// to width columns.
func (c *Canvas) Masthead(right func(width int) string) Rect {
	const name, height = "NXTAKTX", 2
	m := c.Margin()
	if !c.Lettering(m, 0, Brand, Bad, name, 1) {
		return c.Header("", right(c.Width-2*m-len("Notakto")-2))
	}
	c.TextRight(c.Width-m, 0, right(c.Width-2*m-LetteringWidth(name)-2))
	if !c.IsRoomy() {
		return Rect{m, height, c.Width - 2*m, c.Height - height - c.Bottom()}
	}
	c.Rule(height)
	return Rect{m, height + 1, c.Width - 2*m, c.Height - height - 1 - c.Bottom()}
}

const mostNotice = 4

// Notice writes text above the keys, or above the rule of the keys if the rows there are blank. A long text takes up
// to mostNotice lines. In the role MyTurn, the text is a bar of one line.
func (c *Canvas) Notice(text string, role Role) {
	if text == "" {
		return
	}
	m, y := c.Margin(), c.Height-c.Bottom()
	width := c.Width - 2*m
	if c.IsRoomy() && !c.IsTall() && c.isBlank(y-1) && c.isBlank(y) {
		y--
	}
	c.wipe(Rect{m, y, width, 1}) // the screen may have drawn there
	lines := CountLines(text, width)
	if lines > mostNotice {
		const ragged = 10 // columns that the end of a line leaves
		lines, text = mostNotice, c.Fit(text, mostNotice*(width-ragged))
	}
	if role == MyTurn {
		c.fill(m, y, width, role, " ")
		if banner := c.Banner(text); Columns(banner) <= width {
			text = banner
		}
		c.TextCenter(m, width, y, role, c.Fit(text, width))
		return
	}
	c.wipe(Rect{0, y - lines + 1, c.Width, lines - 1})
	c.Paragraph(m, y-lines+1, width, role, text)
}

// Footer writes as many of keys as fit into the last line. The last key, the help, stands at the right. Footer
// always finds room for the key before the help, the way out.
func (c *Canvas) Footer(keys []key.Help) {
	m, y := c.Margin(), c.Height-1
	if c.IsTall() {
		c.Rule(y - 1)
	}
	end := c.Width - m
	final, keys := keys[len(keys)-1], keys[:len(keys)-1]
	all := m
	for _, help := range keys {
		all += hintWidth(help) + 2
	}
	if all--; !c.IsRoomy() && all+len(final.Key) <= end && all+hintWidth(final) > end { // the help is known by its key
		final.Desc = ""
	}
	end -= hintWidth(final)
	c.Hint(end, y, final.Key, final.Desc)
	x := m
	for i, help := range keys {
		after := 0
		if i < len(keys)-1 {
			after = 2 + hintWidth(keys[len(keys)-1])
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
func (c *Canvas) Rule(y int) {
	m := c.Margin()
	c.fill(m, y, c.Width-2*m, rule, c.Glyphs.rule)
}

// FooterRule draws a line above the footer if that row is blank. In a tall window Footer draws the line instead.
func (c *Canvas) FooterRule() {
	if y := c.Height - 2; c.IsRoomy() && !c.IsTall() && c.isBlank(y) {
		c.Rule(y)
	}
}

func (c *Canvas) isBlank(y int) bool {
	for x := range c.Width {
		if c.grid.Rune(c.left+x, c.top+y) != ' ' {
			return false
		}
	}
	return true
}

// Section writes a heading, and a rule from there to the end of width.
func (c *Canvas) Section(x, y, width int, heading string) {
	end := c.Text(x, y, Strong, heading) + 1
	c.fill(end, y, x+width-end, rule, c.Glyphs.rule)
}

// Bar draws a thick bar.
func (c *Canvas) Bar(x, y, width int, role Role) { c.fill(x, y, width, role, c.Glyphs.bar[0]) }

// Gauge draws a thin bar. Its length shows value between least and best, and best takes the whole width.
func (c *Canvas) Gauge(x, y, width int, role Role, value, least, best int) {
	c.fill(x, y, 1+(width-1)*(value-least)/max(1, best-least), role, c.Glyphs.bar[1])
}

// Hint writes a key with the text on its effect, and returns the column after them.
func (c *Canvas) Hint(x, y int, name, what string) int {
	end := c.Text(c.Text(x, y, Keycap, name)+1, y, Faint, what)
	c.Target.onHint(Rect{x, y, end - x, 1}, name)
	return end
}

// Point writes the pointer of a selected entry.
func (c *Canvas) Point(x, y int) { c.Text(x, y, Cursor, c.Glyphs.More) }

// Box draws a frame and blanks its inside.
func (c *Canvas) Box(r Rect, role Role) {
	c.wipe(r)
	c.drawRing(r, role, &c.Glyphs.frame)
}

// Card draws a frame with a title, blanks the inside, and returns the area to write on.
func (c *Canvas) Card(r Rect, frame Role, title string, role Role) Rect {
	c.Box(r, frame)
	c.Text(c.Text(c.Text(r.X+2, r.Y, role, " "), r.Y, role, c.Fit(title, r.Width-6)), r.Y, role, " ")
	return Rect{r.X + 2, r.Y + 1, r.Width - 4, r.Height - 2}
}

// Banner decorates text for the role MyTurn. A terminal that cannot show the role's background gets the signs >> and
// <<.
func (c *Canvas) Banner(text string) string {
	if c.theme.family.styles.ShowsBlanks(c.theme.ids[MyTurn]) {
		return " " + c.Glyphs.Present + " " + text + " "
	}
	return ">> " + text + " <<"
}

// Target is a clicked place, and finds the row and key that are drawn there. A nil Target is valid and finds no
// target.
type Target struct {
	X, Y int
	// Row is the row of the screen's list, counted from 1, or 0.
	Row int
	// Key is the key there by its name in hints, or "". If a hint names several arrows, Key is the clicked arrow.
	Key string
}

// OnRow declares that a row of the screen's list, counted from 0, takes r.
func (t *Target) OnRow(r Rect, row int) {
	if t.isIn(r) {
		t.Row = row + 1
	}
}

// OnKey declares that r stands for a key.
func (t *Target) OnKey(r Rect, name string) {
	if t.isIn(r) {
		t.Key = name
	}
}

// OnEntry declares that a row takes r, and that a click there enters the row.
func (t *Target) OnEntry(r Rect, row int) {
	t.OnRow(r, row)
	t.OnKey(r, "Enter")
}

// OnValue declares that a click at column left turns a value down. A click on the value or at column right turns it
// up.
func (t *Target) OnValue(left, right, y int) {
	t.OnKey(Rect{left - 1, y, 3, 1}, "←")
	t.OnKey(Rect{left + 2, y, right - left, 1}, "→")
}

func (t *Target) onHint(r Rect, name string) {
	if !t.isIn(r) {
		return
	}
	t.Key = name
	if signs, at := []rune(name), t.X-r.X; at < len(signs) && IsArrow(string(signs[at])) {
		t.Key = string(signs[at])
	}
}

func (t *Target) isIn(r Rect) bool {
	return t != nil && t.X >= r.X && t.X < r.X+r.Width && t.Y >= r.Y && t.Y < r.Y+r.Height
}

// IsArrow reports whether a key is an arrow.
func IsArrow(name string) bool {
	return name == "←" || name == "↑" || name == "↓" || name == "→"
}
