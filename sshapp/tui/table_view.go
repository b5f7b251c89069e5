package tui

import (
	"strconv"

	"notakto/rules"
)

// panelWidth is the width of the list of moves beside the boards.
const panelWidth = 22

// plan is how a table's screen is divided.
type plan struct {
	boards arrangement
	panel  rect // for the moves, or without width
	strip  int  // the row for the last moves, or -1
}

// planTable gives the boards all the room that the lines around them leave. The moves get a column beside them if the boards are no smaller for
// it, else a row below them if there is one.
func planTable(width, height, boards int) plan {
	s := &sheet{width: width, height: height}
	m := s.margin()
	top, bottom := 2, 2
	if s.roomy() {
		top, bottom = 3, 3
	} else if height > MinHeight {
		bottom = 3
	}
	area := rect{m, top, width - 2*m, height - top - bottom}
	p := plan{boards: arrange(boards, area), strip: -1}
	narrow := area
	narrow.width -= panelWidth + 2
	if beside := arrange(boards, narrow); s.roomy() && beside.size == p.boards.size {
		p.boards = beside
		p.panel = rect{width - m - panelWidth, top + 1, panelWidth, area.height - 1}
		return p
	}
	if bottom == 3 {
		p.strip = height - 3
	}
	return p
}

// boards is where the boards stand.
func (t *tableScreen) boards() arrangement {
	return planTable(t.session.width, t.session.height, t.sitting.Variant.Boards()).boards
}

func (t *tableScreen) draw(s *sheet) {
	p := planTable(s.width, s.height, t.sitting.Variant.Boards())
	text, k := t.banner(s)
	drawTop(s, t.session, t.sitting, text, k)
	drawBoards(s, p.boards, t.sitting.Position, t.lastMove(), t.shown(), t.session.digits)
	drawMoves(s, p, t.sitting, 0)
}

// shown is the cursor, which only who may place has.
func (t *tableScreen) shown() pointer {
	if t.sitting.watching() {
		return pointer{board: -1}
	}
	return t.cursor
}

func (t *tableScreen) lastMove() rules.Move {
	if n := len(t.sitting.Moves); n > 0 {
		return t.sitting.Moves[n-1]
	}
	return rules.Move{}
}

// banner says whose turn it is.
func (t *tableScreen) banner(s *sheet) (string, ink) {
	switch {
	case t.sitting.mine() && s.theme.pens[myTurn].paints:
		return " " + s.theme.glyphs.here + " Your turn ", myTurn
	case t.sitting.mine():
		return ">> Your turn <<", myTurn
	}
	return t.sitting.Chair(t.sitting.Turn()).Player.Name + "'s turn", theirTurn
}

// drawBoards draws all boards of a position.
func drawBoards(s *sheet, a arrangement, p rules.Position, last rules.Move, at pointer, d digits) {
	for i := range a.boards {
		x, y := a.board(i)
		v := boardView{position: p, index: i, digits: d, here: i == at.board && a.boards > 1}
		if i == at.board {
			v.cursor = at.cell
		}
		if i == int(last.Board) {
			v.last = last.Cell
		}
		if a.boards > 1 {
			s.boardTitle(x, y-1, a.size, v)
		}
		s.board(x, y, a.size, v)
	}
}

// drawTop writes who plays and whose turn it is: below the header if there is room for one, else in its place.
func drawTop(s *sheet, session *session, at *sitting, banner string, k ink) {
	if !s.roomy() {
		half := (s.width - 3) / 2
		s.player(1, 0, half, at, rules.First)
		s.player(2+half, 0, half, at, rules.Second)
		x := s.text(1, 1, k, banner)
		s.textRight(s.width-1, 1, s.fit(lastMoves(at, s.width-x-3), s.width-x-3))
		return
	}
	heading := boardsText(at.Variant)
	if at.watching() {
		heading += ", watching"
	}
	s.header(heading, aside(session, at))
	m := s.margin()
	third := (s.width - 2*m - 28) / 2
	s.player(m, 2, third, at, rules.First)
	s.playerRight(s.width-m, 2, third, at, rules.Second)
	s.textCentre(m+third, 28, 2, k, banner)
}

// aside is what else there is to know: who looks on, a place in the queue, a guest's way back.
func aside(session *session, at *sitting) string {
	text := session.player.Name
	if code := at.Chair(at.side).Code; code != "" {
		text = "your way back: " + string(code)
	}
	if at.Spectators > 0 {
		text = strconv.Itoa(at.Spectators) + " watching  " + text
	}
	if session.queue != nil {
		text = "in the queue  " + text
	}
	return text
}
