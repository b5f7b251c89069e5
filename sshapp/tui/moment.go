package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// moment is a short animation. Each kind shows one frame for a while before the final picture.
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
)

// slowestAnimated is the slowest round trip with which moments are shown. On a slower link a frame would arrive when
// the next one is due.
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

func (m momentKind) next() momentKind {
	if m == momentEnd {
		return momentHeadline
	}
	return noMoment
}

// totalDuration returns the duration of a moment and of those that follow.
func (m momentKind) totalDuration() time.Duration {
	if m == noMoment {
		return 0
	}
	return m.duration() + m.next().totalDuration()
}

// begin shows m in place of the current moment. It shows none if the player has turned animation off or the link is too
// slow.
func (m moment) begin(e *env) tea.Cmd {
	if e.settings.still || e.inFlight() > slowestAnimated || m.kind == noMoment {
		e.moment = new(moment)
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
		return moment{kind: m.kind.next()}.begin(e)
	})
}

// died returns the moment for the boards that are dead in now and were alive in before. Without such a board it returns
// the kind that follows.
func died(kind momentKind, before, now rules.Position) moment {
	m := moment{kind: kind}
	for i := range now.Variant().Boards() {
		if now.Dead(i) && !before.Dead(i) {
			m.boards |= 1 << i
		}
	}
	if m.boards == 0 {
		m.kind = kind.next()
	}
	return m
}

func drawOpponents(s *draw.Canvas, at *client.Table) {
	first, second := at.SeatState(rules.First).Player.Name, at.SeatState(rules.Second).Player.Name
	names, begins := first+" - "+second, first+" begins."
	if at.Side == rules.First {
		begins = "You begin."
	}
	width := min(s.Width-2, max(draw.Columns(names), draw.Columns(begins))+6)
	box := draw.Rect{X: (s.Width - width) / 2, Y: s.Height/2 - 3, Width: width, Height: 5}
	s.Box(box, draw.Cursor)
	s.TextCenter(box.X, width, box.Y+1, draw.Strong, names)
	s.TextCenter(box.X, width, box.Y+3, draw.Faint, begins)
}
