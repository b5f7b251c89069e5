package tui

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules/strategy"
)

// reviewScreen goes through a match that has ended, with what perfect play would have said at each move.
type reviewScreen struct {
	result *resultScreen
	ply    int // the chosen move, counted from 0
}

func newReview(result *resultScreen, ply int) *reviewScreen {
	return &reviewScreen{result: result, ply: max(0, ply)}
}

func (r *reviewScreen) at() *tableHandle { return r.result.table }

func (r *reviewScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	press, ok := pressed(msg)
	if !ok {
		return r.result.update(msg)
	}
	keys, final := r.result.session.keys, len(r.result.reviews)-1
	switch {
	case key.Matches(press, keys.up), key.Matches(press, keys.left):
		r.ply--
	case key.Matches(press, keys.down), key.Matches(press, keys.right):
		r.ply++
	case key.Matches(press, keys.first):
		r.ply = 0
	case key.Matches(press, keys.last):
		r.ply = final
	case key.Matches(press, keys.back), key.Matches(press, keys.review):
		return backTo{r.result}, nil
	case key.Matches(press, r.result.again()):
		return r.result.press(press)
	}
	r.ply = max(0, min(r.ply, final))
	return nil, nil
}

// planReview divides the screen between the boards and the list: side by side or one above the other, as makes the
// boards larger. Where there is no room for boards there is only the list.
func planReview(area rect, boards int) (arrangement, rect) {
	const listWidth, listHeight = 38, 7
	above := arrange(boards, rect{area.x, area.y, area.width, area.height - listHeight})
	beside := arrange(boards, rect{area.x, area.y, area.width - listWidth - 2, area.height})
	switch {
	case beside.area() >= above.area() && beside.area() > 2:
		return beside, rect{area.x + area.width - listWidth, area.y, listWidth, area.height}
	case above.area() > 2:
		return above.atTop(area), area.lower(above.bounds().height + 1)
	default:
		return arrangement{}, area
	}
}

func (r *reviewScreen) draw(s *canvas) {
	at := r.result.table
	session := r.result.session
	again := "again: ssh -t " + session.host + " watch " + string(at.id)
	area := s.header("Review: "+headline(at), session.either(again, session.player.Name))
	if len(r.result.reviews) == 0 {
		s.text(area.x, area.y, faint, "No move was made.")
		return
	}
	area.height--
	s.text(area.x, area.y+area.height, plain, s.fit(r.moveReview(), area.width))
	arranged, list := planReview(area, at.Variant.Boards())
	chosenMove := r.result.reviews[r.ply]
	(&boards{position: chosenMove.Position, digits: noDigits, last: chosenMove.Move}).draw(s, arranged)
	r.drawList(s, list)
}

// drawList has a row for each move, and the chosen one in its middle where it can.
func (r *reviewScreen) drawList(s *canvas, area rect) {
	at, reviews := r.result.table, r.result.reviews
	s.text(area.x+2, area.y, faint, " # move by         was   best")
	rows := area.height - 1
	first := max(0, min(r.ply-rows/2, len(reviews)-rows))
	for i := first; i < min(len(reviews), first+rows); i++ {
		y, k := area.y+1+i-first, plain
		if i == r.ply {
			k = chosen
			s.point(area.x, y)
		}
		drawReviewText(s, rect{area.x + 2, y, area.width - 2, 1}, at, reviews[i], k)
	}
}

func drawReviewText(s *canvas, row rect, at *tableHandle, m strategy.MoveReview, k role) {
	g := s.glyphs
	s.textRight(row.x+2, row.y, strconv.Itoa(m.Ply))
	s.text(row.x+3, row.y, k, at.Variant.FormatMove(m.Move))
	if m.Mistake() {
		s.text(row.x+6, row.y, bad, g.flaw)
	} else if m.Before != strategy.Loss {
		s.text(row.x+6, row.y, good, g.tick)
	}
	s.text(row.x+8, row.y, sideRole(m.Side), s.fit(at.SeatState(m.Side).Player.Name, 10))
	s.text(row.x+19, row.y, k, was(m))
	s.text(row.x+25, row.y, faint, s.fit(bestText(at.Variant, m), row.width-25))
}

// moveReview says of the chosen move what its row has no room for.
func (r *reviewScreen) moveReview() string {
	m := r.result.reviews[r.ply]
	switch best := bestText(r.result.table.Variant, m); {
	case m.Mistake():
		return "A slip. Better: " + best
	case m.Before == strategy.Loss:
		const lost = "Lost already: every move loses"
		return r.result.session.either(lost+" against perfect play.", lost+".")
	default:
		return "As good as any. Best: " + best
	}
}

// notice says how the rematch stands.
func (r *reviewScreen) notice() (string, role) { return r.result.notice() }

func (r *reviewScreen) title() string { return "Review" }

// ShortHelp is part of help.KeyMap.
func (r *reviewScreen) ShortHelp() []key.Binding {
	k := r.result.session.keys
	return []key.Binding{renamed(k.choose, "move by move"), k.back, r.result.again(), k.help}
}

// FullHelp is part of help.KeyMap.
func (r *reviewScreen) FullHelp() [][]key.Binding {
	k := r.result.session.keys
	return [][]key.Binding{{renamed(k.choose, "move by move"), k.first, k.last, r.result.again(), k.back}, k.settings()}
}
