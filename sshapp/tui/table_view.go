package tui

import (
	"strconv"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// panelWidth is the width of the list of moves beside the boards.
const panelWidth = 22

// plan is how a table's screen is divided.
type plan struct {
	boards draw.Arrangement
	panel  draw.Rect // for the moves, or without width
	strip  int       // the row for the moves where there is no panel, or -1
	turn   int       // the row in which it says whose turn it is
}

// planTable gives the boards all the room that the lines around them leave. The moves get a column beside them if the
// boards are no smaller for it, else a row below them if there is one.
func planTable(width, height, boards int) plan {
	s := draw.Size{Width: width, Height: height}
	m := s.Margin()
	top, bottom := 2, 2
	if s.Roomy() {
		top, bottom = 3, 3
	} else if height > minHeight {
		bottom = 3
	}
	area := draw.Rect{X: m, Y: top, Width: width - 2*m, Height: height - top - bottom}
	p := plan{boards: draw.Arrange(boards, area), strip: -1, turn: 1}
	if s.Roomy() {
		p.turn = height - 3
	}
	narrow := area
	narrow.Width -= panelWidth + 2
	if beside := draw.Arrange(boards, narrow); s.Roomy() && beside.Area() == p.boards.Area() {
		p.boards = beside
		p.panel = draw.Rect{X: width - m - panelWidth, Y: top + 1, Width: panelWidth, Height: area.Height - 1}
		return p
	}
	if bottom == 3 {
		p.strip = height - 3
	}
	return p
}

// boards is where the boards stand.
func (t *tableScreen) boards() draw.Arrangement {
	return planTable(t.session.width, t.session.height, t.table.Variant.Boards()).boards
}

func (t *tableScreen) draw(s *draw.Canvas) {
	p := planTable(s.Width, s.Height, t.table.Variant.Boards())
	drawTop(s, t.session, t.table)
	shown := draw.Boards{
		Position: t.table.Position, Digits: t.session.choices.digits,
		Last: t.lastMove(), IsOwn: !t.table.IsMyTurn() && !t.table.IsWatching(),
	}
	if !t.table.IsWatching() { // only who may place has a cursor
		shown.Cursor = t.cursor.move()
	}
	shown.Draw(s, p.boards)
	drawMoves(s, p, t.table, drawTurn(t, s, p.turn))
}

func (t *tableScreen) lastMove() rules.Move {
	if n := len(t.table.Moves); n > 0 {
		return t.table.Moves[n-1]
	}
	return rules.Move{}
}

// bannerText says whose turn it is. After the player's own move it says nothing until the other's turn has lasted a while.
func bannerText(t *tableScreen, s *draw.Canvas) (string, draw.Role) {
	switch {
	case t.table.IsMyTurn():
		return turnText(s, t.table, t.table.Side), draw.MyTurn
	case isTurnJustChanged(t):
		return "", draw.TheirTurn
	default:
		return turnText(s, t.table, t.table.Turn()), draw.TheirTurn
	}
}

func turnText(s *draw.Canvas, at *client.Table, side rules.Side) string {
	if side == at.Side {
		return s.Banner("Your turn")
	}
	return at.SeatState(side).Player.Name + "'s turn"
}

// drawTurn writes the banner and returns the first column that it might take, whosever turn it is. It stands at the end
// of a line on which there are but the moves, so that the terminal can be told of a move and wipe the banner at one go.
func drawTurn(t *tableScreen, s *draw.Canvas, y int) (x int) {
	text, k := bannerText(t, s)
	if !s.Roomy() {
		x = s.Text(1, y, k, text)
		s.TextRight(s.Width-1, y, s.Fit(lastMoves(t.table, s.Width-x-3), s.Width-x-3))
		return s.Width - s.Margin()
	}
	widest := max(draw.Columns(turnText(s, t.table, rules.First)), draw.Columns(turnText(s, t.table, rules.Second)))
	end := s.Width - s.Margin()
	s.Text(end-draw.Columns(text), y, k, text)
	return end - widest
}

// drawTop writes who plays: below the header if there is room for one, else in its place.
func drawTop(s *draw.Canvas, session *session, at *client.Table) {
	if !s.Roomy() {
		half := (s.Width - 3) / 2
		drawPlayer(s, 1, 0, half, at, rules.First)
		drawPlayer(s, 2+half, 0, half, at, rules.Second)
		return
	}
	heading := wording.Variant(at.Variant)
	if at.IsWatching() {
		heading += ", watching"
	}
	s.Header(heading, aside(session, at))
	m := s.Margin()
	drawPlayer(s, m, 2, headlineFrom(s)-m, at, rules.First)
	drawPlayerRight(s, s.Width-m, 2, headlineFrom(s)-m, at, rules.Second)
}

// headlineWidth is the room between the players.
const headlineWidth = 28

func headlineFrom(s *draw.Canvas) int { return (s.Width - headlineWidth) / 2 }

// aside is what else there is to know: who looks on, a place in the queue, a guest's way back.
func aside(session *session, at *client.Table) string {
	text := session.player.Name
	if code := at.SeatState(at.Side).Code; code != "" {
		text = "your way back: " + string(code)
	}
	if at.Spectators > 0 {
		text = strconv.Itoa(at.Spectators) + " watching  " + text
	}
	if session.queue.IsWaiting() {
		text = "in the queue  " + text
	}
	return text
}
