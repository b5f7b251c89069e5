package tui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// tableScreen is a match that is being played, for a player or for a spectator.
type tableScreen struct {
	env           *env
	table         *client.Table
	cursor        pointer
	moves         int            // that have been shown
	position      rules.Position // that has been shown
	turnShownAt   time.Time      // when the last of them was
	refused       bool           // whether a board was named last that cannot be played on
	pending       int            // the ply that a move is on its way for, 0 for none
	bannerTimerAt int            // the number of moves after which the last lull began
	status        string         // who has come or gone
	present       [2]bool
	revealedBy    rules.Side // who had the deadly cells shown when it was last looked at
	bannerShownAt int        // the number of moves after which it was last said that it is the other's turn
	now           time.Time  // of the last second that was counted
	tickAt        time.Time  // of the next; zero if none is
}

func newTable(e *env, at *client.Table) *tableScreen {
	t := &tableScreen{
		env: e, table: at, cursor: pointer{cell: 5}, moves: len(at.Moves), bannerShownAt: len(at.Moves),
		revealedBy: at.RevealedBy(), position: at.Position,
	}
	t.placeCursor()
	t.present = t.presenceAt()
	if at.Game() == 2 && len(at.Moves) == 0 { // it has come by itself: a key on its way to the result is no move
		t.turnShownAt = time.Now().Add(e.unseen() - e.inFlight())
	}
	return t
}

func (t *tableScreen) at() *client.Table { return t.table }

func (t *tableScreen) enter() tea.Cmd {
	if t.table.IsPlaying() && len(t.table.Moves) == 0 && !t.table.IsAgainstComputer() {
		return batch(t.count(), moment{kind: momentFound}.begin(t.env))
	}
	return t.count()
}

func (t *tableScreen) presenceAt() [2]bool {
	return [2]bool{t.table.SeatState(rules.First).Present, t.table.SeatState(rules.Second).Present}
}

func (t *tableScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case *snapshotMsg:
		return t.onTableChange()
	case bannerDue:
		t.bannerShownAt = max(t.bannerShownAt, msg.moves)
	case tableClosedMsg:
		return toLobby{"The table has closed. The match is kept."}, nil
	case failed:
		t.pending = 0
	case ticked:
		if t.now = msg.now; !t.now.Before(t.tickAt) {
			t.tickAt = time.Time{}
		}
		return clearError{}, t.count()
	case tea.MouseClickMsg:
		return nil, t.click(msg)
	case tea.KeyPressMsg:
		return t.press(msg)
	}
	return nil, nil
}

// onTableChange looks at what a new snapshot has changed.
func (t *tableScreen) onTableChange() (navigation, tea.Cmd) {
	before := t.position
	if t.position = t.table.Position; t.table.Over() {
		t.env.ended++
		return toResult{t.table, died(momentEnd, before, t.position)}, nil
	}
	t.placeCursor()
	var shown tea.Cmd
	if n := len(t.table.Moves); n != t.moves {
		t.moves, t.turnShownAt = n, time.Now()
		shown = died(momentDeath, before, t.position).begin(t.env)
	}
	if by := t.table.RevealedBy(); by != t.revealedBy {
		t.revealedBy = by
		t.status = subject(t.table, by) + " showed the deadly cells to both."
	}
	now := t.presenceAt()
	for i, here := range now {
		side := rules.Side(i + 1)
		if here == t.present[i] || side == t.table.Side {
			continue
		}
		t.status = t.table.SeatState(side).Player.Name + " is back."
		if !here {
			t.status = ""
		}
	}
	t.present = now
	return nil, batch(batch(t.count(), t.delayTurnBanner()), shown)
}

// placeCursor has the cursor leave a dead board, and for the player's turn a filled cell.
func (t *tableScreen) placeCursor() {
	at := t.cursor.skipDead(t.table.Position)
	if t.table.IsMyTurn() {
		at = at.skipFilled(t.table.Position)
	}
	if at != t.cursor {
		at.byItself = true
		t.cursor = at
	}
}

// left is how long the player to move may stay away before the match is lost; counting says whether that runs at all.
func (t *tableScreen) left() (left time.Duration, counting bool) {
	if t.table.ForfeitAt.IsZero() || t.table.IsMyTurn() {
		return 0, false
	}
	return max(0, t.table.ForfeitAt.Sub(t.now)), true
}

// lastMinute is when the time for a move is short, and shown by the second.
const lastMinute = time.Minute

// shortTime returns with how much left the time for a move is short.
func (t *tableScreen) shortTime() time.Duration {
	if t.table.ClockRuns() {
		return shortClock
	}
	return lastMinute
}

// limit returns how much of the time for a move is left; ok says whether there is a limit.
func (t *tableScreen) limit() (left time.Duration, ok bool) {
	if t.table.MoveBy.IsZero() {
		return 0, false
	}
	return max(0, t.table.MoveBy.Sub(t.now)), true
}

// clockTime returns the time for which the clocks are shown: the beginning of the turn, so that they change with each
// move only, but once the time is short that of the last second that was counted.
func (t *tableScreen) clockTime() time.Time {
	if left, limited := t.limit(); limited && left <= t.shortTime() {
		return t.now
	}
	return t.table.TurnSince
}

// count has the seconds counted while someone's time to come back or to move runs out, and at no other time.
func (t *tableScreen) count() tea.Cmd {
	t.now = t.env.commands.now()
	_, counting := t.left()
	left, limited := t.limit()
	if !counting && !limited {
		return nil
	}
	pause := time.Second
	if !counting {
		pause = max(pause, left-t.shortTime())
	}
	if at := t.now.Add(pause); t.tickAt.IsZero() || at.Before(t.tickAt) {
		t.tickAt = at
		return t.env.commands.tickIn(pause, t)
	}
	return nil
}

// limitText says how much of the time for a move is left once it is short.
func (t *tableScreen) limitText() (string, draw.Role) {
	left, limited := t.limit()
	if !limited || left > t.shortTime() {
		return "", draw.Faint
	}
	s, first := strconv.Itoa(wording.Seconds(left))+" s", t.table.IsFirstMove()
	who := t.table.SeatState(t.table.Turn()).Player.Name
	switch {
	case t.table.IsMyTurn() && first && t.table.Game() != 2:
		move := "Your first move: " + s + " left"
		return t.env.either(move+", then the match is void.", move+"."), draw.Notice
	case t.table.IsMyTurn():
		return t.env.either(s+" left for your move, or you lose.", "Move within "+s+", or you lose."), draw.Notice
	case first && !t.table.SeatState(t.table.Turn()).Present:
		return t.env.either(who+" is away: "+s+" for the first move.", who+" is away: "+s+"."), draw.Notice
	case first:
		return t.env.either(who+" has "+s+" for the first move.", who+": "+s+" to move."), draw.Faint
	default:
		return t.env.either(who+" has "+s+" left to move.", who+": "+s+" to move."), draw.Faint
	}
}

func (t *tableScreen) notice() (string, draw.Role) {
	if t.table.IsGone() {
		return "The table has closed.", draw.Notice
	}
	if t.table.CutOff {
		return t.env.cutOffText(), draw.Notice
	}
	if left, counting := t.left(); counting {
		who := t.table.SeatState(t.table.Turn()).Player.Name
		s := strconv.Itoa(wording.Seconds(left)) + " s to come back"
		return t.env.either(who+" is away: "+s+", or lose the match.", who+": "+s), draw.Notice
	}
	if text, role := t.limitText(); text != "" {
		return text, role
	}
	for i, here := range t.present {
		if seatState := t.table.SeatState(rules.Side(i + 1)); !here && rules.Side(i+1) != t.table.Side &&
			!seatState.Player.IsComputer() {
			return t.env.either(seatState.Player.Name+" is away. The seat is kept.",
				seatState.Player.Name+" is away."), draw.Faint
		}
	}
	text := t.status
	if text == "" && !t.env.roomy() {
		text = footnote(t.table, t.env)
	}
	if text == "" && !t.table.IsWatching() && !t.table.Variant.IsTicTacToe() && t.env.showsDeadly(t.table) {
		text = "An X on a marked digit kills the board."
	}
	return text, draw.Faint
}

func (t *tableScreen) title() string {
	if t.table.IsWatching() {
		return "Watching"
	}
	return ""
}

// boards is where the boards stand.
func (t *tableScreen) boards() draw.Arrangement {
	return planTable(t.env.width, t.env.height, t.table.Variant).boards
}

func (t *tableScreen) draw(s *draw.Canvas) {
	p := planTable(s.Width, s.Height, t.table.Variant)
	drawTop(s, t.env, t.table, t.clockTime())
	marked := t.shownMove()
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

// shownMove is the move with an amber heart, counted from 1: the last one, to a player the opponent's last; 0 for none.
func (t *tableScreen) shownMove() int {
	n := len(t.table.Moves)
	if t.table.IsTheirTurn() {
		n--
	}
	return max(0, n)
}

// listedMoves is how many moves are listed. The player's own is listed once the banner is due, or with the answer if
// that comes first, so that over a slow line a move costs little more than its cross.
func (t *tableScreen) listedMoves() int {
	if isTurnJustChanged(t) {
		return len(t.table.Moves) - 1
	}
	return len(t.table.Moves)
}

// bannerText says whose turn it is. The other's turn is told only once it has lasted a while.
func (t *tableScreen) bannerText(s *draw.Canvas) (string, draw.Role) {
	if t.table.IsMyTurn() || isTurnJustChanged(t) {
		return turnText(s, t.table, t.table.Side), draw.MyTurn
	}
	return turnText(s, t.table, t.table.Turn()), draw.TheirTurn
}

func turnText(s *draw.Canvas, at *client.Table, side rules.Side) string {
	if side == at.Side {
		return s.Banner("Your turn")
	}
	return at.SeatState(side).Player.Name + "'s turn"
}

// drawTurn writes the banner and returns the first column that it might take in the row of moves, whosever turn it is.
// It stands in the middle below the boards, or where there is no room at the end of that row.
func (t *tableScreen) drawTurn(s *draw.Canvas, p plan) (x int) {
	text, k := t.bannerText(s)
	y := p.turn
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

// isTurnJustChanged reports whether a screen is a table at which the other's turn has only just begun.
func isTurnJustChanged(s screen) bool {
	t, ok := s.(*tableScreen)
	return ok && t.bannerShownAt != len(t.table.Moves) && !t.table.IsMyTurn() && !t.table.IsWatching()
}

// delayTurnBanner waits to say that it is the other's turn, once for each.
func (t *tableScreen) delayTurnBanner() tea.Cmd {
	moves := len(t.table.Moves)
	if !isTurnJustChanged(t) || t.bannerTimerAt == moves {
		return nil
	}
	t.bannerTimerAt = moves
	return t.env.commands.in(turnBannerDelay, func() tea.Msg { return bannerDue{t, moves} })
}

// bannerDue says that the turn after so many moves has come to last a while, if it is not over.
type bannerDue struct {
	table *tableScreen
	moves int
}
