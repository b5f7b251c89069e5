package tui

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

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

const (
	reaction = 300 * time.Millisecond // in less time no person reads what has come up and answers it
	slowLink = 50 * time.Millisecond  // there and back; on a quicker link a key is hardly ever on its way
)

// unseen is how long something has to be shown before a key can be an answer to it: a key that was pressed before the
// screen could be seen, or read, is none. On a very slow link twice the way there and back allows for a slower packet.
func (s *session) unseen() time.Duration {
	took := s.inFlight()
	return took + max(reaction, took)
}

// inFlight is how old a key may be that comes just now: the way there and back on a slow link.
func (s *session) inFlight() time.Duration {
	if s.roundTrip == nil {
		return 0
	}
	if took := s.roundTrip(); took >= slowLink {
		return took
	}
	return 0
}

// newDialog asks a question now.
func (s *session) newDialog(d dialog) *dialog {
	d.asked, d.unseen = time.Now(), s.unseen()
	return &d
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
