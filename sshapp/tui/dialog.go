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
	noText   string
	givesUp  bool // yes gives something up, so it counts only after readTime
	quits    bool // yes ends the session
	asked    time.Time
	readTime time.Duration // how long the question must be shown before a key can answer it
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
	if at := tableOf(r.screen); at != nil && !at.IsWatching() && at.Started() && !at.Over() {
		d.lines = []string{keptText(at, r.env)}
	}
	return r.ask(d)
}

func (r *Root) answer() tea.Cmd {
	e, d := r.env, r.dialog
	isYes := e.pressed(&e.keys.yes)
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

// isTooSoon reports whether the player cannot have read yet what yes gives up.
func (d *dialog) isTooSoon() bool { return d.givesUp && time.Since(d.asked) < d.readTime }

func (d *dialog) draw(s *draw.Canvas, keys *keyMap) {
	width := min(s.Width-2, max(38, draw.Columns(d.question)+4))
	inner := width - 4
	height := 5
	for _, line := range d.lines {
		height += draw.LinesOf(line, inner)
	}
	if len(d.lines) > 0 {
		height++
	}
	at := draw.Rect{X: (s.Width - width) / 2, Y: max(0, (s.Height-height)/2), Width: width, Height: height}
	s.Box(at, draw.Cursor)
	y := at.Y + 1
	s.Text(at.X+2, y, draw.Strong, d.question)
	y += 2
	for _, line := range d.lines {
		y = s.Paragraph(at.X+2, y, inner, draw.Plain, line)
	}
	if len(d.lines) > 0 {
		y++
	}
	x := at.X + 2
	x = s.Hint(x, y, keys.yes.Help().Key, d.yesText) + 3
	s.Hint(x, y, keys.no.Help().Key, d.noText)
}
