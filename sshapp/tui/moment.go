package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// moment is a short animation. Its single frame is shown for a while before the final picture.
type moment struct {
	kind   momentKind
	boards draw.BoardSet // the boards that die
}

type momentKind uint8

const (
	noMoment       momentKind = iota
	momentFound               // the players' names in a box over the boards
	momentDeath               // the crosses that killed a board flash
	momentEnd                 // as momentDeath for the last board, before the result is shown
	momentHeadline            // the first word of the headline
	momentAnswer              // the last answer of a rush, before the next question
)

// slowestAnimated is the slowest round trip of a session with moments. On a slower link a frame would arrive when the
// next frame is due.
const slowestAnimated = 200 * time.Millisecond

func (m momentKind) duration() time.Duration {
	switch m {
	case momentFound:
		return 500 * time.Millisecond
	case momentHeadline:
		return 250 * time.Millisecond
	default:
		return 140 * time.Millisecond
	}
}

func (m momentKind) nextKind() momentKind {
	if m == momentEnd {
		return momentHeadline
	}
	return noMoment
}

func (m momentKind) totalDuration() time.Duration {
	if m == noMoment {
		return 0
	}
	return m.duration() + m.nextKind().totalDuration()
}

// begin shows m in place of the current moment, unless animation is off or the link is too slow.
func (m moment) begin(e *env) tea.Cmd {
	if e.settings.still || e.inFlight() > slowestAnimated || m.kind == noMoment {
		e.endMoment()
		return nil
	}
	e.moment = &m
	return e.after(m.kind.duration(), func(*Root) tea.Cmd {
		if e.moment != &m {
			return nil
		}
		if m.kind == momentFound {
			e.attention.uncover()
		}
		return moment{kind: m.kind.nextKind()}.begin(e)
	})
}

func (e *env) endMoment() {
	if e.moment.kind != noMoment {
		e.moment = new(moment)
	}
}

// deathMoment returns the moment for the boards that died between before and now. If no board died, it returns the
// kind that follows.
func deathMoment(kind momentKind, before, now rules.Position) moment {
	m := moment{kind: kind}
	for i := range now.Variant().Boards() {
		if now.IsDead(i) && !before.IsDead(i) {
			m.boards |= 1 << i
		}
	}
	if m.boards == 0 {
		m.kind = kind.nextKind()
	}
	return m
}

func drawOpponents(s *draw.Canvas, table *client.Table) {
	first, second := table.Seat(rules.First).Player.Name, table.Seat(rules.Second).Player.Name
	names, begins := first+" - "+second, first+" moves first."
	if table.Side == rules.First {
		begins = "You move first."
	}
	width := min(s.Width-2, max(draw.Columns(names), draw.Columns(begins))+6)
	box := draw.Rect{X: (s.Width - width) / 2, Y: s.Height/2 - 3, Width: width, Height: 5}
	s.Box(box, draw.Cursor)
	s.TextCenter(box.X, width, box.Y+1, draw.Strong, names)
	s.TextCenter(box.X, width, box.Y+3, draw.Faint, begins)
}
