package tui

import (
	"strconv"

	"notakto/rules"
	"notakto/sshapp/wording"
)

// panelWidth is the width of the list of moves beside the boards.
const panelWidth = 22

// plan is how a table's screen is divided.
type plan struct {
	boards arrangement
	panel  rect // for the moves, or without width
	strip  int  // the row for the moves where there is no panel, or -1
	turn   int  // the row in which it says whose turn it is
}

// planTable gives the boards all the room that the lines around them leave. The moves get a column beside them if the
// boards are no smaller for it, else a row below them if there is one.
func planTable(width, height, boards int) plan {
	s := &canvas{width: width, height: height}
	m := s.margin()
	top, bottom := 2, 2
	if s.roomy() {
		top, bottom = 3, 3
	} else if height > MinHeight {
		bottom = 3
	}
	area := rect{m, top, width - 2*m, height - top - bottom}
	p := plan{boards: arrange(boards, area), strip: -1, turn: 1}
	if s.roomy() {
		p.turn = height - 3
	}
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
	return planTable(t.session.width, t.session.height, t.table.Variant.Boards()).boards
}

func (t *tableScreen) draw(s *canvas) {
	p := planTable(s.width, s.height, t.table.Variant.Boards())
	drawTop(s, t.session, t.table)
	last := lastMove{t.lastMove(), !t.table.isMyTurn() && !t.table.isWatching()}
	drawBoards(s, p.boards, t.table.Position, last, t.shown(), t.session.digits)
	drawMoves(s, p, t.table, t.drawTurn(s, p.turn))
}

// shown is the cursor, which only who may place has.
func (t *tableScreen) shown() pointer {
	if t.table.isWatching() {
		return pointer{board: -1}
	}
	return t.cursor
}

func (t *tableScreen) lastMove() rules.Move {
	if n := len(t.table.Moves); n > 0 {
		return t.table.Moves[n-1]
	}
	return rules.Move{}
}

// banner says whose turn it is. After the player's own move it says nothing until the other's turn has lasted a while.
func (t *tableScreen) banner(s *canvas) (string, styleRole) {
	switch {
	case t.table.isMyTurn():
		return turnText(s, t.table, t.table.side), myTurn
	case t.isTurnJustChanged():
		return "", theirTurn
	default:
		return turnText(s, t.table, t.table.Turn()), theirTurn
	}
}

func turnText(s *canvas, at *tableHandle, side rules.Side) string {
	switch {
	case side != at.side:
		return at.SeatState(side).Player.Name + "'s turn"
	case s.theme.family.styles.ShowsBlanks(s.theme.ids[myTurn]):
		return " " + s.theme.glyphs.present + " Your turn "
	default:
		return ">> Your turn <<"
	}
}

// drawTurn writes the banner and returns the first column that it might take, whosever turn it is. It stands at the end
// of a line on which there are but the moves, so that the terminal can be told of a move and wipe the banner at one go.
func (t *tableScreen) drawTurn(s *canvas, y int) (x int) {
	text, k := t.banner(s)
	if !s.roomy() {
		x = s.text(1, y, k, text)
		s.textRight(s.width-1, y, s.fit(lastMoves(t.table, s.width-x-3), s.width-x-3))
		return s.width - s.margin()
	}
	widest := max(columns(turnText(s, t.table, rules.First)), columns(turnText(s, t.table, rules.Second)))
	end := s.width - s.margin()
	s.text(end-columns(text), y, k, text)
	return end - widest
}

// lastMove is the last move, and whether the player has made it, who knows of it.
type lastMove struct {
	rules.Move
	isOwn bool
}

// drawBoards draws all boards of a position.
func drawBoards(s *canvas, a arrangement, p rules.Position, last lastMove, at pointer, d digits) {
	for i := range a.boards {
		x, y := a.board(i)
		v := boardView{position: p, index: i, digits: d, isCursorBoard: i == at.board && a.boards > 1}
		if i == at.board {
			v.cursor = at.cell
		}
		if i == int(last.Board) {
			v.last, v.isOwn = last.Cell, last.isOwn
		}
		if a.boards > 1 {
			s.boardTitle(x, y-1, a.size, v)
		}
		s.board(x, y, a.size, v)
	}
}

// drawTop writes who plays: below the header if there is room for one, else in its place.
func drawTop(s *canvas, session *session, at *tableHandle) {
	if !s.roomy() {
		half := (s.width - 3) / 2
		s.player(1, 0, half, at, rules.First)
		s.player(2+half, 0, half, at, rules.Second)
		return
	}
	heading := wording.Variant(at.Variant)
	if at.isWatching() {
		heading += ", watching"
	}
	s.header(heading, aside(session, at))
	m := s.margin()
	s.player(m, 2, headlineFrom(s)-m, at, rules.First)
	s.playerRight(s.width-m, 2, headlineFrom(s)-m, at, rules.Second)
}

// headlineWidth is the room between the players.
const headlineWidth = 28

func headlineFrom(s *canvas) int { return (s.width - headlineWidth) / 2 }

// aside is what else there is to know: who looks on, a place in the queue, a guest's way back.
func aside(session *session, at *tableHandle) string {
	text := session.player.Name
	if code := at.SeatState(at.side).Code; code != "" {
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
