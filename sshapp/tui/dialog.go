package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/tui/draw"
)

type dialog struct {
	question string
	lines    []string
	yes      navigation
	yesText  string
	noText   string // "" for a text without a question
	givesUp  bool   // yes gives something up, and counts only after readTime
	quits    bool   // yes ends the session
	asked    time.Time
	readTime time.Duration // the least time from asked to an answer
}

func (r *Root) ask(d dialog) tea.Cmd {
	d.asked, d.readTime = time.Now(), r.env.answerDelay()
	r.dialog = &d
	return nil
}

func askToQuit(r *Root) tea.Cmd {
	d := dialog{
		question: "Quit Notakto?", yesText: "quit", noText: "stay", quits: true,
		yes: func(*Root) tea.Cmd { return tea.Quit },
	}
	if table := tableOf(r.screen); table != nil && !table.IsWatching() && table.HasStarted() && !table.IsOver() {
		d.lines = []string{keptText(table, r.env)}
	}
	return r.ask(d)
}

func (r *Root) answer() tea.Cmd {
	e, d := r.env, r.dialog
	isRead := d.noText == "" && e.pressed(&e.keys.enter) // the dialog only informs
	isYes := isRead || e.pressed(&e.keys.yes)
	if isYes && d.isTooSoon() || !isYes && !e.pressed(&e.keys.no) {
		return nil
	}
	r.dialog = nil
	e.attention.uncover()
	if isYes {
		return d.yes(r)
	}
	return nil
}

func (d *dialog) isTooSoon() bool { return d.givesUp && time.Since(d.asked) < d.readTime }

func (d *dialog) draw(s *draw.Canvas, keys *keyMap) {
	width := min(s.Width-2, max(38, draw.Columns(d.question)+4))
	inner := width - 4
	height := 5
	for _, line := range d.lines {
		height += draw.CountLines(line, inner)
	}
	if len(d.lines) > 0 {
		height++
	}
	bounds := draw.Rect{X: (s.Width - width) / 2, Y: max(0, (s.Height-height)/2), Width: width, Height: height}
	s.Box(bounds, draw.Cursor)
	y := bounds.Y + 1
	s.Text(bounds.X+2, y, draw.Strong, d.question)
	y += 2
	for _, line := range d.lines {
		y = s.Paragraph(bounds.X+2, y, inner, draw.Plain, line)
	}
	if len(d.lines) > 0 {
		y++
	}
	x := bounds.X + 2
	x = s.Hint(x, y, keys.yes.Help().Key, d.yesText) + 3
	if d.noText != "" {
		s.Hint(x, y, keys.no.Help().Key, d.noText)
	}
}
