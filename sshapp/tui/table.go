package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// tableScreen is a match that is being played, for a player or for a spectator. It owns the cursor and what of the
// match has been shown. What its keys do stands in table_keys.go.
type tableScreen struct {
	env       *env
	table     *client.Table
	countdown countdown
	cursor    cursor
	refused   bool     // whether a board was named last that cannot be played on
	pending   int      // the ply that a move is on its way for, 0 for none
	status    []string // who has come or gone, or what came of the last key
	listedFor tableKeys
	listed    []action

	// What was shown when the table was last looked at.
	moves       int
	position    rules.Position
	turnShownAt time.Time // when the last move was first shown
	switchedAt  time.Time // when the cursor last went to another board by itself
	present     [2]bool
	revealedBy  rules.Side // who had the deadly cells shown

	bannerTimerAt int // len(Moves) when the timer of the banner was set last
	bannerShownAt int // len(Moves) when that timer last ran out: the banner says that it is the opponent's turn
}

func newTable(e *env, at *client.Table) *tableScreen {
	t := &tableScreen{
		env: e, table: at, countdown: countdown{table: at}, cursor: cursor{cell: 5},
		moves: len(at.Moves), bannerShownAt: len(at.Moves), revealedBy: at.RevealedBy(), position: at.Position,
	}
	t.placeCursor()
	t.present = t.presenceAt()
	return t
}

func (t *tableScreen) at() *client.Table { return t.table }

func (t *tableScreen) enter() tea.Cmd {
	if t.table.IsPlaying() && len(t.table.Moves) == 0 && !t.table.IsAgainstComputer() {
		return batch(t.count(), moment{kind: momentFound}.begin(t.env))
	}
	return t.count()
}

// count asks for a tick while a time runs that is shown by the second.
func (t *tableScreen) count() tea.Cmd {
	if pause := t.countdown.next(t.env.now()); pause > 0 {
		return t.env.tickIn(pause, t)
	}
	return nil
}

func (t *tableScreen) presenceAt() [2]bool {
	return [2]bool{t.table.SeatState(rules.First).Present, t.table.SeatState(rules.Second).Present}
}

func (t *tableScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *snapshotMsg:
		return t.onTableChange(r)
	case tableClosedMsg:
		return r.enterLobby("The table closed. The match is kept.")
	case failed:
		t.pending = 0
	case ticked:
		t.countdown.onTick(msg.now)
		r.status.feedback = "" // it would hide the seconds
		return t.count()
	case tea.MouseClickMsg:
		return t.click(msg)
	case tea.KeyPressMsg:
		return t.press(r)
	}
	return nil
}

func (t *tableScreen) onTableChange(r *Root) tea.Cmd {
	before := t.position
	if t.position = t.table.Position; t.table.Over() {
		t.env.ended++
		result := newResult(t.env, t.table)
		cmd := batch(r.show(result), died(momentEnd, before, t.position).begin(t.env))
		result.shown = result.shown.Add(t.env.moment.kind.allLast()) // who won cannot be read before
		return cmd
	}
	t.placeCursor()
	var shown tea.Cmd
	if n := len(t.table.Moves); n != t.moves {
		t.moves, t.turnShownAt = n, time.Now()
		shown = died(momentDeath, before, t.position).begin(t.env)
	}
	if by := t.table.RevealedBy(); by != t.revealedBy {
		t.revealedBy = by
		who := subject(t.table, by)
		t.status = []string{who + " showed the deadly cells to both.", who + " showed the deadly cells."}
	}
	now := t.presenceAt()
	for i, here := range now {
		side := rules.Side(i + 1)
		if here == t.present[i] || side == t.table.Side {
			continue
		}
		t.status = []string{t.table.SeatState(side).Player.Name + " is back."}
		if !here {
			t.status = nil
		}
	}
	t.present = now
	cmd := batch(t.count(), shown)
	if n := len(t.table.Moves); t.isTurnJustChanged() && t.bannerTimerAt != n {
		t.bannerTimerAt = n
		cmd = batch(cmd, t.env.after(turnBannerDelay, func(*Root) tea.Cmd {
			t.bannerShownAt = max(t.bannerShownAt, n)
			return nil
		}))
	}
	return cmd
}

// placeCursor leaves a dead board, and for the player's turn a filled cell.
func (t *tableScreen) placeCursor() {
	at := t.cursor.skipDead(t.table.Position)
	if t.table.IsMyTurn() {
		at = at.skipFilled(t.table.Position)
	}
	if at.board != t.cursor.board {
		t.switchedAt = time.Now()
	}
	if at != t.cursor {
		at.byItself = true
		t.cursor = at
	}
}

func (t *tableScreen) notice() (string, draw.Role) {
	if t.table.IsGone() {
		return "The table has closed.", draw.Notice
	}
	if t.table.CutOff {
		return t.env.cutOffText(), draw.Notice
	}
	if text, role := t.countdown.text(t.env); text != "" {
		return text, role
	}
	for i, here := range t.present {
		if seatState := t.table.SeatState(rules.Side(i + 1)); !here && rules.Side(i+1) != t.table.Side &&
			!seatState.Player.IsComputer() {
			return t.env.either(seatState.Player.Name+" is away. The seat is kept.",
				seatState.Player.Name+" is away."), draw.Faint
		}
	}
	text := t.env.fit(t.status...)
	if text == "" && !t.env.roomy() {
		text = sentences(helpFooting(t.table, t.env), t.env.width-2)
	}
	if text == "" && !t.table.IsWatching() && !t.table.Variant.IsTicTacToe() && t.env.showsDeadly(t.table) {
		text = t.env.either("An X on a marked digit kills the board.", "An X on a marked digit kills.")
	}
	return text, draw.Faint
}

func (t *tableScreen) title() string {
	if t.table.IsWatching() {
		return "Watching"
	}
	return ""
}

func (t *tableScreen) boards() draw.Arrangement {
	return planTable(t.env.width, t.env.height, t.table.Variant).boards
}

func (t *tableScreen) draw(s *draw.Canvas) {
	p := planTable(s.Width, s.Height, t.table.Variant)
	drawTop(s, t.env, t.table, t.countdown.clockTime(), playersLine(s, p.boards, 0))
	marked := shownMove(t.table)
	shown := draw.Boards{
		Position: t.table.Position, Digits: t.env.settings.digits,
		Last: moveOf(t.table, marked), Deadly: t.env.showsDeadly(t.table), Dying: t.env.moment.boards,
		Noughts: amberSide(t.table) == rules.First,
	}
	if !t.table.IsWatching() { // only who may place has a cursor
		shown.Cursor = t.cursor.move()
		shown.Rests = !t.table.IsMyTurn() && shown.Cursor == moveOf(t.table, len(t.table.Moves))
	}
	shown.Draw(s, p.boards)
	drawMoves(s, p, t.table, t.drawTurn(s, p), t.listedMoves(), marked)
	if t.env.moment.kind == momentFound {
		drawOpponents(s, t.table)
	}
}

// listedMoves leaves the player's own move out until the banner is due or the answer comes: over a slow line a move
// should cost little more than its cross.
func (t *tableScreen) listedMoves() int {
	if t.isTurnJustChanged() {
		return len(t.table.Moves) - 1
	}
	return len(t.table.Moves)
}

func turnText(s *draw.Canvas, at *client.Table, side rules.Side) string {
	if side == at.Side {
		return s.Banner("Your turn")
	}
	return at.SeatState(side).Player.Name + "'s turn"
}

// drawTurn writes the banner, and returns the first column that it might take in the row of moves on either turn.
func (t *tableScreen) drawTurn(s *draw.Canvas, p plan) (x int) {
	text, k, y := turnText(s, t.table, t.table.Turn()), draw.TheirTurn, p.turn
	if t.table.IsMyTurn() || t.isTurnJustChanged() { // the other's turn is told only once it has lasted a while
		text, k = turnText(s, t.table, t.table.Side), draw.MyTurn
	}
	if s.Roomy() && y != p.strip {
		at := p.boards.Bounds()
		s.TextCenter(at.X, at.Width, y, k, text)
		return s.Width - s.Margin()
	}
	if !s.Roomy() {
		x = s.Text(1, y, k, text)
		s.TextRight(s.Width-1, y, s.Fit(lastMoves(t.table, t.listedMoves(), s.Width-x-3), s.Width-x-3))
		return s.Width - s.Margin()
	}
	widest := max(draw.Columns(turnText(s, t.table, rules.First)), draw.Columns(turnText(s, t.table, rules.Second)))
	end := s.Width - s.Margin()
	s.Text(end-draw.Columns(text), y, k, text)
	return end - widest
}

// After the player's own move the boards change at once, but the banner and the list of moves only once the other's
// turn has lasted a moment: a computer answers at once, and then they would only flicker.
const turnBannerDelay = 300 * time.Millisecond

func (t *tableScreen) isTurnJustChanged() bool {
	return t.bannerShownAt != len(t.table.Moves) && !t.table.IsMyTurn() && !t.table.IsWatching()
}
