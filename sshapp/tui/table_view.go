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
	s := size{width, height}
	m := s.margin()
	top, bottom := 2, 2
	if s.roomy() {
		top, bottom = 3, 3
	} else if height > minHeight {
		bottom = 3
	}
	area := rect{m, top, width - 2*m, height - top - bottom}
	p := plan{boards: arrange(boards, area), strip: -1, turn: 1}
	if s.roomy() {
		p.turn = height - 3
	}
	narrow := area
	narrow.width -= panelWidth + 2
	if beside := arrange(boards, narrow); s.roomy() && beside.area() == p.boards.area() {
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
	shown := boards{
		position: t.table.Position, digits: t.session.digits,
		last: t.lastMove(), isOwn: !t.table.isMyTurn() && !t.table.isWatching(),
	}
	if !t.table.isWatching() { // only who may place has a cursor
		shown.cursor = t.cursor.move()
	}
	shown.draw(s, p.boards)
	drawMoves(s, p, t.table, t.drawTurn(s, p.turn))
}

func (t *tableScreen) lastMove() rules.Move {
	if n := len(t.table.Moves); n > 0 {
		return t.table.Moves[n-1]
	}
	return rules.Move{}
}

// banner says whose turn it is. After the player's own move it says nothing until the other's turn has lasted a while.
func (t *tableScreen) banner(s *canvas) (string, role) {
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
	if side == at.side {
		return s.banner("Your turn")
	}
	return at.SeatState(side).Player.Name + "'s turn"
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

// drawTop writes who plays: below the header if there is room for one, else in its place.
func drawTop(s *canvas, session *session, at *tableHandle) {
	if !s.roomy() {
		half := (s.width - 3) / 2
		drawPlayer(s, 1, 0, half, at, rules.First)
		drawPlayer(s, 2+half, 0, half, at, rules.Second)
		return
	}
	heading := wording.Variant(at.Variant)
	if at.isWatching() {
		heading += ", watching"
	}
	s.header(heading, aside(session, at))
	m := s.margin()
	drawPlayer(s, m, 2, headlineFrom(s)-m, at, rules.First)
	drawPlayerRight(s, s.width-m, 2, headlineFrom(s)-m, at, rules.Second)
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
