package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
)

// tableScreen shows a match in progress to a player or a spectator. It owns the cursor, and remembers what it has shown
// of the match. Its keys are in table_keys.go.
type tableScreen struct {
	env       *env
	table     *client.Table
	countdown countdown
	cursor    cursor
	refused   bool     // the last key named a board that is dead or does not exist
	pending   int      // the ply of the move sent and not yet answered; 0 for none
	status    []string // news of the opponent or of the last key, in texts from long to short
	listedFor tableKeys
	listed    []action

	// What the last update has shown.
	moves       int
	position    rules.Position
	turnShownAt time.Time // when the last move was first shown
	switchedAt  time.Time // when the program last moved the cursor to another board
	present     [2]bool
	revealedBy  rules.Side // who revealed the deadly cells

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

// count requests a tick while a countdown runs.
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
		r.status.feedback = "" // feedback would hide the seconds
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
		result.shownAt = result.shownAt.Add(t.env.moment.kind.totalDuration()) // the animations hide the result
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
	if n := len(t.table.Moves); t.isBannerDelayed() && t.bannerTimerAt != n {
		t.bannerTimerAt = n
		cmd = batch(cmd, t.env.after(turnBannerDelay, func(*Root) tea.Cmd {
			t.bannerShownAt = max(t.bannerShownAt, n)
			return nil
		}))
	}
	return cmd
}

// placeCursor moves the cursor off a dead board, and in the player's turn off a filled cell.
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

// listedMoves returns the number of moves to list. It leaves out the player's own move while the banner is delayed.
// Over a slow link a move should cost little more than its X.
func (t *tableScreen) listedMoves() int {
	if t.isBannerDelayed() {
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

// drawTurn writes the banner. It returns the first column that the banner of either turn may take in the row of moves.
func (t *tableScreen) drawTurn(s *draw.Canvas, p plan) (x int) {
	text, k, y := turnText(s, t.table, t.table.Turn()), draw.TheirTurn, p.turn
	if t.table.IsMyTurn() || t.isBannerDelayed() { // the banner of the opponent's turn is delayed
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

// turnBannerDelay is the pause after the player's own move before the banner and the list of moves change. The boards
// change at once. A computer answers at once, so the banner would only flicker.
const turnBannerDelay = 300 * time.Millisecond

func (t *tableScreen) isBannerDelayed() bool {
	return t.bannerShownAt != len(t.table.Moves) && !t.table.IsMyTurn() && !t.table.IsWatching()
}
