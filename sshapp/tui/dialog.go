package tui

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// dialog is a question over the screen that is answered with y or n.
type dialog struct {
	question string
	lines    []string
	yes      navigation
	yesText  string
	noText   string
	asked    time.Time
}

// giveUpPause is how long a question whether to give something up stands at least before it is answered with yes:
// keys that came together with the one that asked are no answer.
const giveUpPause = 5 * time.Millisecond

// newDialog asks a question now.
func newDialog(d dialog) *dialog {
	d.asked = time.Now()
	return &d
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
	return gives && time.Since(d.asked) < giveUpPause
}

func (d *dialog) draw(s *canvas) {
	width := min(s.width-2, max(38, columns(d.question)+4))
	inner := width - 4
	height := 5
	for _, line := range d.lines {
		height += linesOf(line, inner)
	}
	if len(d.lines) > 0 {
		height++
	}
	at := rect{(s.width - width) / 2, max(0, (s.height-height)/2), width, height}
	s.box(at, cursor)
	y := at.y + 1
	s.text(at.x+2, y, strong, d.question)
	y += 2
	for _, line := range d.lines {
		y = s.paragraph(at.x+2, y, inner, plain, line)
	}
	if len(d.lines) > 0 {
		y++
	}
	x := s.hint(at.x+2, y, "y", d.yesText)
	s.hint(x+3, y, "n", d.noText)
}
