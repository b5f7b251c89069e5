package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// moment is a short animation: a frame that is shown for a while before the picture that it leads to.
type moment struct {
	kind   momentKind
	boards draw.BoardSet // those that die
}

type momentKind uint8

const (
	noMoment       momentKind = iota
	momentFound               // who plays, in place of the boards
	momentDeath               // the crosses that have killed a board flash
	momentEnd                 // the same for the last board, before it is said who won
	momentHeadline            // the first word of who won
)

// longest is the slowest round trip with which moments are shown. On a slower link a frame would come when the next is
// due.
const longest = 200 * time.Millisecond

func (m momentKind) lasts() time.Duration {
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

// allLast is how long a moment lasts with those that follow.
func (m momentKind) allLast() time.Duration {
	if m == noMoment {
		return 0
	}
	return m.lasts() + m.next().allLast()
}

// begin shows a moment in place of another one, unless the player wants none or the link is too slow.
func (m moment) begin(e *env) tea.Cmd {
	if e.settings.still || e.inFlight() > longest || m.kind == noMoment {
		e.moment = new(moment)
		return nil
	}
	e.moment = &m
	return e.after(m.kind.lasts(), func(*Root) tea.Cmd {
		if e.moment != &m {
			return nil
		}
		if m.kind == momentFound {
			e.attention.uncover()
		}
		return moment{kind: m.kind.next()}.begin(e)
	})
}

// died returns the moment of the boards that have died since before.
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
