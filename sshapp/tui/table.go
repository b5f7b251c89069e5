package tui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// tableScreen shows a match in progress to a player or a spectator. The screen owns the cursor and remembers the last
// shown state of the match. The actions of its keys are in table_keys.go.
type tableScreen struct {
	env           *env
	table         *client.Table
	countdown     countdown
	cursor        cursor
	pending       int      // the ply of the move that is sent and not yet answered, or 0
	status        []string // news of the opponent or of the last key, in texts from long to short
	cachedActions cachedActions[actionState]
	turns         turnTexts

	// The state after the last update.
	moves       int
	position    rules.Position
	turnShownAt time.Time // when the last move was first shown
	switchedAt  time.Time // when the program last moved the cursor to another board
	wasPresent  [2]bool
	revealedBy  rules.Side
	takebacks   int // number of takebacks
	request     match.Request
	requestedAt time.Time // when request was first shown
	requestedIn int       // TurnNumber when request was first shown
	wantsHint   bool      // the player waits for the first part of a hint
	hint        []string  // in forms from long to short, shown until the next key

	bannerTimerMoves int // len(Moves) when the timer of the turn banner was last set
	// len(Moves) when that timer last ran out. From then on the banner says that it is the opponent's turn.
	bannerShownMoves int
}

func newTable(e *env, table *client.Table) *tableScreen {
	t := &tableScreen{
		env: e, table: table, countdown: countdown{table: table}, cursor: cursor{cell: 5},
		moves: len(table.Moves), bannerShownMoves: len(table.Moves), revealedBy: table.RevealedBy(),
		position: table.Position, takebacks: len(table.Takebacks), request: table.Request,
	}
	t.placeCursor()
	t.wasPresent = t.presence()
	return t
}

func (t *tableScreen) shownTable() *client.Table { return t.table }

func (t *tableScreen) enter() tea.Cmd {
	if t.table.IsPlaying() && len(t.table.Moves) == 0 && !t.table.IsAgainstComputer() {
		return batch(t.scheduleTick(), moment{kind: momentFound}.begin(t.env))
	}
	return t.scheduleTick()
}

func (t *tableScreen) scheduleTick() tea.Cmd {
	if pause := t.countdown.nextPause(t.env.now()); pause > 0 {
		return t.env.tickIn(pause, t)
	}
	return nil
}

func (t *tableScreen) presence() [2]bool {
	return [2]bool{t.table.Seat(rules.First).Present, t.table.Seat(rules.Second).Present}
}

func (t *tableScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshotMsg:
		return t.onTableChange(r)
	case tableClosedMsg:
		if t.table.IsDemonstration() {
			return t.env.watch("")
		}
		return r.enterLobby("The table closed. The match is kept.")
	case failedMsg:
		t.pending, t.wantsHint = 0, false
	case tickMsg:
		t.countdown.onTick(msg.now)
		r.status.feedback = "" // feedback would hide the seconds
		return t.scheduleTick()
	case tea.MouseClickMsg:
		if t.status, t.hint = nil, nil; !t.table.IsWatching() {
			return t.placing().click(msg)
		}
	case tea.KeyPressMsg:
		return t.press(r)
	}
	return nil
}

func (t *tableScreen) onTableChange(r *Root) tea.Cmd {
	before := t.position
	if t.position = t.table.Position; t.table.IsOver() {
		if t.table.IsSeated() {
			t.env.endedMatches++
		}
		result := newResult(t.env, t.table)
		cmd := batch(r.show(result), deathMoment(momentEnd, before, t.position).begin(t.env))
		result.shownAt = result.shownAt.Add(t.env.moment.kind.totalDuration()) // the animations hide the result
		return cmd
	}
	t.placeCursor()
	var shown tea.Cmd
	if n := len(t.table.Moves); n != t.moves {
		t.moves, t.turnShownAt = n, time.Now()
		if r, ok := t.table.Comment(); ok {
			t.status = wording.ReviewForms(r, t.table.Seat(r.Side).Player.Name)
		}
		shown = deathMoment(momentDeath, before, t.position).begin(t.env)
	}
	t.followRequests()
	if by := t.table.RevealedBy(); by != t.revealedBy {
		t.revealedBy = by
		who := nameOrYou(t.table, by)
		t.status = []string{who + " showed the deadly cells to both.", who + " showed the deadly cells."}
	}
	now := t.presence()
	for i, here := range now {
		side := rules.Side(i + 1)
		if here == t.wasPresent[i] || side == t.table.Side {
			continue
		}
		t.status = []string{t.table.Seat(side).Player.Name + " is back."}
		if !here {
			t.status = nil
		}
	}
	t.wasPresent = now
	cmd := batch(t.scheduleTick(), shown)
	if t.wantsHint && t.table.Hinted {
		cmd = batch(cmd, t.showHint(r))
	}
	if n := len(t.table.Moves); t.isBannerDelayed() && t.bannerTimerMoves != n {
		t.bannerTimerMoves = n
		cmd = batch(cmd, t.env.after(turnBannerDelay, func(*Root) tea.Cmd {
			if t.bannerTimerMoves == n {
				t.bannerShownMoves = n
			}
			return nil
		}))
	}
	return cmd
}

func (t *tableScreen) placeCursor() {
	at := t.cursor.skipDead(t.table.Position)
	if t.table.IsMyTurn() {
		at = at.skipFilled(t.table.Position)
	}
	if at.board != t.cursor.board {
		t.switchedAt = time.Now()
	}
	if at != t.cursor {
		at.movedByProgram = true
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
	if t.hint != nil {
		return t.env.fit(t.hint...), draw.Notice
	}
	request := t.requestText()
	if t.table.RequestTo(t.table.Side) != 0 { // the player has to answer, and the header has the clock
		return request, draw.Notice
	}
	if text, role := t.countdown.text(t.env); text != "" {
		return text, role
	}
	if request != "" {
		return request, draw.Notice
	}
	if until := t.untilTexts(); until != nil && len(t.status) == 0 {
		return t.env.fit(until...), draw.Faint
	}
	for i, here := range t.wasPresent {
		if seatState := t.table.Seat(rules.Side(i + 1)); !here && rules.Side(i+1) != t.table.Side &&
			!seatState.Player.IsComputer() && !t.table.Clock.IsCorrespondence() {
			return t.env.either(seatState.Player.Name+" is away. The seat is kept.",
				seatState.Player.Name+" is away."), draw.Faint
		}
	}
	text := t.env.fit(t.status...)
	if text == "" && !t.env.isRoomy() {
		text = joinSentences(helpFooting(t.table, t.env), t.env.width-2)
	}
	if text == "" && !t.table.IsWatching() && !t.table.Variant.IsTicTacToe() && t.env.showsDeadly(t.table) {
		text = t.env.either("An X on a marked digit kills the board.", "An X on a marked digit kills.")
	}
	return text, draw.Faint
}

// untilTexts tells when the opponent's move with a clock of days is due, and which key leads to the next match that
// waits. The forms go from long to short. The result is nil if the player is to move.
func (t *tableScreen) untilTexts() []string {
	if !t.table.Clock.IsCorrespondence() || !t.table.IsTheirTurn() || t.table.MoveBy.IsZero() {
		return nil
	}
	now := t.env.now()
	long, until := wording.HasUntil(opponentName(t.table), t.table.Snapshot, now)
	played := ""
	if len(t.table.Moves) > 0 {
		played = "Played. "
	}
	next, key := "", t.env.keys.nextMatch.Help().Key
	switch n := len(t.env.matches.waiting()); {
	case n == 1:
		next = "   " + key + " your other match"
	case n > 1:
		next = "   " + key + " next of your " + strconv.Itoa(n) + " matches"
	}
	return []string{
		played + long + next, played + until + next, until + next, played + long, played + until, until,
		"Until " + wording.Until(t.table.MoveBy, now) + ".",
	}
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
	if !t.table.IsWatching() {
		shown.Cursor = t.cursor.move()
		shown.Rests = !t.table.IsMyTurn() && shown.Cursor == moveOf(t.table, len(t.table.Moves))
	}
	shown.Draw(s, p.boards)
	drawMoves(s, p, t.table, t.drawTurn(s, p), t.listedMoves(), marked)
	if t.env.moment.kind == momentFound {
		drawOpponents(s, t.table)
	}
}

// listedMoves returns the number of moves to list. listedMoves leaves the player's own move out while the turn banner
// is delayed, to send few bytes with the X.
func (t *tableScreen) listedMoves() int {
	if t.isBannerDelayed() {
		return len(t.table.Moves) - 1
	}
	return len(t.table.Moves)
}

// turnTexts keeps the texts on both turns, because every frame shows one of them.
type turnTexts struct {
	theme *draw.Theme
	names [2]string
	texts [2]string
}

func (t *tableScreen) turnText(s *draw.Canvas, side rules.Side) string {
	cache, names := &t.turns, [2]string{t.table.Seat(rules.First).Player.Name, t.table.Seat(rules.Second).Player.Name}
	if cache.theme != t.env.theme || cache.names != names {
		*cache = turnTexts{t.env.theme, names, [2]string{names[0] + "'s turn", names[1] + "'s turn"}}
		if t.table.IsSeated() {
			cache.texts[t.table.Side-1] = s.Banner("Your turn")
		}
	}
	if !side.IsValid() {
		return ""
	}
	return cache.texts[side-1]
}

// drawTurn writes the turn banner. The row of moves must end before the column x, to leave room for the banner of
// either turn.
func (t *tableScreen) drawTurn(s *draw.Canvas, p plan) (x int) {
	text, role, y := t.turnText(s, t.table.Turn()), draw.TheirTurn, p.turn
	if t.table.IsMyTurn() || t.isBannerDelayed() {
		text, role = t.turnText(s, t.table.Side), draw.MyTurn
	}
	if s.IsRoomy() && y != p.strip {
		bounds := p.boards.Bounds()
		s.TextCenter(bounds.X, bounds.Width, y, role, text)
		return s.Width - s.Margin()
	}
	if !s.IsRoomy() {
		x = s.Text(1, y, role, text)
		right := lastMoves(t.table, t.listedMoves(), s.Width-x-3)
		if right == "" { // before the first move, as no header says this
			right = wording.PairGame(t.table.State)
		}
		s.TextRight(s.Width-1, y, s.Fit(right, s.Width-x-3))
		return s.Width - s.Margin()
	}
	widest := max(draw.Columns(t.turnText(s, rules.First)), draw.Columns(t.turnText(s, rules.Second)))
	end := s.Width - s.Margin()
	s.Text(end-draw.Columns(text), y, role, text)
	return end - widest
}

// turnBannerDelay is the pause after the player's own move before the turn banner and the list of moves change. The
// boards change at once. The delay keeps the banner from flickering for an opponent that answers within it, such as a
// bot.
const turnBannerDelay = 300 * time.Millisecond

func (t *tableScreen) isBannerDelayed() bool {
	return t.bannerShownMoves != len(t.table.Moves) && !t.table.IsMyTurn() && !t.table.IsWatching()
}
