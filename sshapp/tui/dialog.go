package tui

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// dialog is a question over the screen that is answered with y or n.
type dialog struct {
	question string
	lines    []string
	yes      navigation
	yesText  string
	noText   string
	asked    time.Time
	unseen   time.Duration // how long it has to be shown
}

// newDialog asks a question now.
func newDialog(e *env, d dialog) *dialog {
	d.asked, d.unseen = time.Now(), e.answerDelay()
	return &d
}

// quitDialog asks before the session ends.
func quitDialog(at *client.Table, e *env) *dialog {
	d := &dialog{question: "Quit Notakto?", yes: quit{}, yesText: "quit", noText: "stay"}
	if at != nil && !at.IsWatching() && at.Started() && !at.Over() {
		d.lines = []string{keptText(at, e)}
	}
	return d
}

// bindings are the keys that answer, yes first.
func (d *dialog) bindings(keys *keyMap) []key.Binding {
	return []key.Binding{renamed(keys.yes, d.yesText), renamed(keys.no, d.noText)}
}

// answer takes a key in; done says that the question is answered.
func (d *dialog) answer(press tea.KeyPressMsg, keys *keyMap) (to navigation, done bool) {
	switch {
	case key.Matches(press, keys.yes) && d.isTooSoon():
		return nil, false
	case key.Matches(press, keys.yes):
		return d.yes, true
	case key.Matches(press, keys.no):
		return nil, true
	default:
		return nil, false
	}
}

// isTooSoon reports whether the player cannot have read what is given up.
func (d *dialog) isTooSoon() bool {
	_, gives := d.yes.(giveUp)
	return gives && time.Since(d.asked) < d.unseen
}

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
	for _, binding := range d.bindings(keys) {
		x = s.Hint(x, y, binding.Help().Key, binding.Help().Desc) + 3
	}
}
