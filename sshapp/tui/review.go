package tui

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/account"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type reviewScreen struct {
	result        *resultScreen
	ply           int  // the chosen move, counted from 0
	theoryToggled bool // the player has toggled the theory (on by default in a tall window)
	asked         bool // a match to play on has been requested
}

func (r *reviewScreen) shownTable() *client.Table { return r.result.table }

func (r *reviewScreen) update(root *Root, msg tea.Msg) tea.Cmd {
	if _, failed := msg.(failedMsg); failed {
		r.asked = false
	}
	if _, isKey := msg.(tea.KeyPressMsg); isKey {
		return root.runAction(r.actions())
	}
	return r.result.update(root, msg)
}

func (r *reviewScreen) actions() []action {
	e, keys := r.result.env, r.result.env.keys
	isRoomy, slip := e.isRoomy(), "next slip"
	if !isRoomy {
		slip = "slip"
	}
	back := func(root *Root) tea.Cmd {
		if r.result.list != nil && !e.pressed(&keys.review) {
			return root.toList(r.result.list)
		}
		root.screen = r.result
		e.attention.uncover()
		return nil
	}
	return []action{
		{key: &keys.change, short: textIf(!isRoomy, "move")}, // the help lists all four arrows instead
		{key: &keys.move, short: textIf(isRoomy, "moves"), long: "move by move", run: func(*Root) tea.Cmd {
			d := e.pressedArrow()
			return r.choose(r.ply + d.dx + d.dy)
		}},
		{key: &keys.nextMistake, short: slip, long: "next slip", run: r.toNextMistake},
		{key: &keys.first, long: "first move", run: func(*Root) tea.Cmd { return r.choose(0) }},
		{key: &keys.last, long: "last move", run: func(*Root) tea.Cmd { return r.choose(len(r.result.reviews) - 1) }},
		{
			key: &keys.playOn, short: textIf(isRoomy, "play on"), long: e.either("play on from here", "play on"),
			run: r.playOn,
		},
		{
			key: &keys.theory, short: "theory", long: e.either("what the boards are worth", "theory"),
			run: func(*Root) tea.Cmd {
				r.theoryToggled = !r.theoryToggled
				return nil
			},
		},
		{key: &keys.rematch, long: r.result.enterText(), run: r.result.playAgain},
		{key: &keys.back, short: "back", long: "back", run: back},
		{key: &keys.review, run: back},
	}
}

func (r *reviewScreen) choose(ply int) tea.Cmd {
	r.ply = max(0, min(ply, len(r.result.reviews)-1))
	return nil
}

func (r *reviewScreen) chooseRow(row int) { r.ply = row }

// playOn opens a match against the computer from the position before the chosen move. A held key opens one match
// only.
func (r *reviewScreen) playOn(root *Root) tea.Cmd {
	if r.asked || len(r.result.reviews) == 0 {
		return nil
	}
	r.asked = true
	e, table := r.result.env, r.result.table
	root.status.say("Replay move " + strconv.Itoa(r.ply+1) + " against the computer.")
	side := r.result.reviews[r.ply].Side
	return e.playComputer(table.CasualTerms(), e.choices.level, side, table.LineTo(r.ply)...)
}

func (r *reviewScreen) toNextMistake(root *Root) tea.Cmd {
	reviews, before := r.result.reviews, r.ply
	for i := 1; i <= len(reviews); i++ {
		r.ply = (before + i) % len(reviews)
		switch {
		case reviews[r.ply].IsMistake() && r.ply == before:
			return root.say("This is the only slip of the match.")
		case reviews[r.ply].IsMistake():
			return nil
		}
	}
	if len(reviews) > 0 {
		root.status.say("There is no slip in this match.")
	}
	return nil
}

type reviewPlan struct {
	boards draw.Arrangement
	list   draw.Rect
	band   draw.Rect
	text   draw.Rect
}

const (
	listHeight  = 7 // rows of a list below the boards, with a blank row
	leastListed = 3 // rows of a list in a window that is too small for listHeight
)

// planReview places the text at the foot of area. The other parts take the first of these layouts that fits:
//  1. The list of moves stands beside boards that are nearly as large as in layouts 2 and 3.
//  2. The band, with the names of its moves, stands below boards that are not smaller than in layout 3.
//  3. The list stands below the boards, with listHeight rows.
//  4. The list stands below the boards, with about leastListed rows.
//  5. The list stands alone.
func planReview(area draw.Rect, v rules.Variant, moves, textHeight int) reviewPlan {
	p := reviewPlan{text: area.Lower(area.Height - textHeight)}
	area.Height -= textHeight + 1
	// arrangeAbove leaves out rows at the foot of area.
	arrangeAbove := func(rows int) draw.Arrangement {
		return draw.Arrange(v, draw.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - rows})
	}
	aboveBand, aboveList := arrangeAbove(bandHeight+1), arrangeAbove(listHeight)
	aboveShortList := arrangeAbove(max(1, min(leastListed, area.Height-6)))
	largest := aboveBand
	if aboveList.BoardArea() > aboveBand.BoardArea() {
		largest = aboveList
	}
	beside, list, isBeside := placeBeside(area, v, largest)
	_, isNamed := bandStep(area.Width, moves)
	switch {
	case isBeside && area.Width >= 72:
		p.boards, p.list = beside, list
		p.list.Height = area.Y + area.Height - list.Y
		bounds := beside.Bounds()
		// Half of the spare rows stand above the boards, half below the text.
		if spare := p.text.Y - area.Y - bounds.Height - 2; spare > 0 {
			p.boards = beside.MovedTo(bounds.X, area.Y+spare/2)
			p.list.Y, p.list.Height = area.Y+spare/2, bounds.Height
			p.text = p.text.Lower(spare/2 - spare)
		}
	case area.Width >= 68 && isNamed && !aboveBand.IsEmpty() && aboveBand.BoardArea() >= aboveList.BoardArea():
		p.boards, p.band = aboveBand, area.Lower(area.Height-bandHeight)
	case !aboveList.IsEmpty():
		p.boards, p.list = aboveList.AtTop(area), area.Lower(aboveList.Bounds().Height+1)
	case !aboveShortList.IsEmpty():
		p.boards, p.list = aboveShortList.AtTop(area), area.Lower(aboveShortList.Bounds().Height)
	default:
		p.list = area
	}
	return p
}

func (r *reviewScreen) draw(s *draw.Canvas) {
	table := r.result.table
	e := r.result.env
	area := s.Header(r.heading(s), e.either(e.player.Name, ""))
	if len(r.result.reviews) == 0 {
		s.Text(area.X, area.Y, draw.Faint, "No move was made.")
		return
	}
	text, height, gap := r.text(s), 0, s.Pick(0, 0, 1)
	least := s.Pick(3, 3, 9) // rows of text, to keep the boards in place from move to move
	width, columns := min(area.Width, 110), [][]paragraph{text}
	// The heading of the theory is the only strong paragraph. In a wide window the theory stands at the right.
	theoryAt := slices.IndexFunc(text, func(p paragraph) bool { return p.role == draw.Strong })
	if theoryAt > 0 && area.Width >= 160 {
		width, columns, least = area.Width/2-4, [][]paragraph{text[:theoryAt], text[theoryAt:]}, 6
	}
	for _, column := range columns {
		rows := 0
		for _, p := range column {
			rows += draw.CountLines(p.text, width)
		}
		height = max(height, rows)
	}
	p := planReview(area, table.Variant, len(r.result.reviews), max(least, height))
	// In a small window, the rule of thumb may also take the row of the notice.
	if rule := wording.RuleOfThumb(r.result.reviews[r.ply]); !e.isRoomy() && !r.theoryToggled && rule != "" &&
		height+draw.CountLines(rule, width) <= least+1 {
		columns[0] = append(columns[0], paragraph{role: draw.Lesson, text: rule})
	}
	r.boards().Draw(s, p.boards)
	if p.list.Width > 0 {
		r.drawList(s, p.list)
	}
	if p.band.Width > 0 {
		drawBand(s, p.band, table, r.result.reviews, r.ply)
	}
	for i, column := range columns {
		drawText(s, draw.Rect{X: p.text.X + i*area.Width/2, Y: p.text.Y, Width: width}, column, gap)
	}
}

func drawText(s *draw.Canvas, area draw.Rect, text []paragraph, gap int) {
	x, y, width := area.X, area.Y, area.Width
	for i, paragraph := range text {
		top := y
		y = s.Paragraph(x, top, width, paragraph.role, paragraph.text)
		s.Accent(x, top, width, paragraph.text, paragraph.mistake, draw.Bad)
		s.Accent(x, top, width, paragraph.text, paragraph.better, draw.Good)
		if i+1 < len(text) && text[i+1].role != paragraph.role && paragraph.role != draw.Strong {
			y += gap
		}
	}
}

func (r *reviewScreen) heading(s *draw.Canvas) string {
	table := r.result.table
	players := [2]match.Player{table.Seat(rules.First).Player, table.Seat(rules.Second).Player}
	won := headline(table)
	if table.Outcome.Winner == rules.NoSide || ownSide(table) != rules.NoSide {
		won = strings.ToLower(won[:1]) + won[1:] // unlike a player's name
	}
	if s.IsRoomy() {
		return "Review: " + fitNames(s, players, 40) + ", " + wording.Variant(table.Variant) + ", " + won
	}
	heading := "Review: "
	room := s.Width - 2*s.Margin() - draw.Columns("Notakto · "+heading)
	names := fitNames(s, players, room)
	if draw.Columns(names+", "+won) <= room {
		names += ", " + won
	}
	return heading + names
}

// boards returns the boards after the chosen move. If the move kills a board, boards returns the boards before the
// move, with the move in brackets, because a dead board hides its cells.
func (r *reviewScreen) boards() *draw.Boards {
	m, digits := r.result.reviews[r.ply], r.result.env.settings.digits
	shown := &draw.Boards{Position: m.PositionAfter, Digits: digits, Last: m.Move,
		Deadly: !r.result.table.Variant.IsTicTacToe(), Noughts: amberSide(r.result.table) == rules.First}
	if m.IsMistake() {
		shown.Better = m.Clearest()
	}
	if m.PositionAfter.IsDead(int(m.Move.Board)) {
		shown.Position, shown.Last, shown.Tried = m.PositionBefore, rules.Move{}, m.Move
	}
	return shown
}

type paragraph struct {
	role            draw.Role
	text            string
	mistake, better string
}

// text returns the verdict on the chosen move, the rule of thumb, and the theory if it is on. In a window that is not
// tall, the theory replaces the verdict.
func (r *reviewScreen) text(s *draw.Canvas) []paragraph {
	m, table := r.result.reviews[r.ply], r.result.table
	showsTheory := r.theoryToggled != s.IsTall()
	var all []paragraph
	if rule := wording.RuleOfThumb(m); rule != "" && (showsTheory || r.result.env.isRoomy()) {
		all = append(all, paragraph{role: draw.Lesson, text: rule})
	}
	theory := wording.Theory(m)
	if showsTheory && len(theory) > 0 {
		all = append(all, paragraph{role: draw.Strong, text: wording.TheoryHeading})
		for _, line := range theory {
			all = append(all, paragraph{role: draw.Plain, text: line})
		}
	}
	if showsTheory && len(theory) > 0 && !s.IsTall() {
		return all
	}
	start, review := strconv.Itoa(m.Ply)+" "+table.Variant.FormatMove(m.Move), wording.Review(m)
	mover := nameOrYou(table, m.Side)
	switch because, isLost := strings.CutPrefix(review, "Lost by now"); {
	case m.Side == ownSide(table):
		start += " by you  "
	case isLost:
		start, review = start+"  ", mover+" was lost by now"+because
	default:
		start += " by " + mover + "  "
	}
	said := paragraph{role: draw.Plain, text: start + review}
	if m.IsMistake() {
		best := table.Variant.FormatMove(m.Clearest())
		said.better = best + " " + s.Glyphs.Better
		what, _, _ := strings.Cut(review, ".")
		said.mistake = start + what
		said.text = said.mistake + strings.Replace(said.text[len(said.mistake):], best, said.better, 1)
	}
	subject := func(side rules.Side) string { return nameOrYou(table, side) }
	if before := wording.TookBackBefore(table.State, m.Ply, subject); before != "" {
		said.text += " " + before
	}
	if end := reasonText(table); m.Ply == len(table.Moves) && end != "" && !isByMove(table.Outcome) {
		if rest, isYou := strings.CutPrefix(end, "You "); isYou {
			end = "you " + rest
		}
		said.text += " Then " + end
	}
	return append([]paragraph{said}, all...)
}

func (r *reviewScreen) drawList(s *draw.Canvas, area draw.Rect) {
	table, reviews := r.result.table, r.result.reviews
	if area.Width == panelWidth {
		s.Text(area.X, area.Y, draw.Faint, "Who was winning")
		for i, side := range rules.Sides() {
			name := strings.TrimPrefix(table.Seat(side).Player.Name, account.GivenPrefix)
			_, initial := utf8.DecodeRuneInString(name)
			s.Text(area.X+barsColumn+3*i, area.Y, sideRole(table, side), name[:initial])
		}
		area = area.Lower(1)
	}
	moves := list[strategy.MoveReview]{rows: reviews, row: r.ply}
	moves.draw(s, area, func(row draw.Rect, m strategy.MoveReview, role draw.Role) {
		drawReviewed(s, row, table, m, role)
	})
}

// bestMoves lists the moves that would have been better than a mistake, in at most width columns. The result is "any C"
// if these moves are all nine cells of board C.
func bestMoves(m strategy.MoveReview, width int) string {
	if len(m.Best) == 9 && m.Best[0].Board == m.Best[8].Board {
		return "any " + rules.BoardName(int(m.Best[0].Board))
	}
	if all := wording.BestMoves(m); draw.Columns(all) <= width {
		return all
	}
	return m.PositionAfter.Variant().FormatMove(m.Clearest()) + ", " + strconv.Itoa(len(m.Best)-1) + " more"
}

// barsColumn is the column of the bars in a row of the panel.
const barsColumn = 17

// drawReviewed writes a move into a row of the list. A row of the panel also shows the winning player, and a wider
// row the better moves.
func drawReviewed(s *draw.Canvas, row draw.Rect, table *client.Table, m strategy.MoveReview, role draw.Role) {
	g, nameWidth := s.Glyphs, 14
	s.TextRight(row.X+4, row.Y, strconv.Itoa(m.Ply))
	if m.IsMistake() {
		s.Text(row.X+8, row.Y, draw.Bad, g.Flaw)
		if role == draw.Plain {
			role = draw.Bad
		}
	} else if m.VerdictBefore != strategy.Loss {
		s.Text(row.X+8, row.Y, draw.Good, g.Tick)
	}
	s.Text(row.X+5, row.Y, role, table.Variant.FormatMove(m.Move))
	if row.Width == panelWidth {
		nameWidth = barsColumn - 11
		if leader := m.Leader(); leader != rules.NoSide {
			s.Bar(row.X+barsColumn+3*int(leader-rules.First), row.Y, 2, sideRole(table, leader))
		}
	} else if m.IsMistake() {
		s.Text(row.X+25, row.Y, draw.Good, g.Better+" "+bestMoves(m, row.Width-27))
	}
	s.Text(row.X+10, row.Y, sideRole(table, m.Side), cutName(s, table.Seat(m.Side).Player.Name, nameWidth))
}

func (r *reviewScreen) notice() (string, draw.Role) {
	text, role := r.result.nextMatchText()
	if text != "" || !r.result.env.isRoomy() {
		return text, role
	}
	if hints := wording.HintsUsed(r.result.table.State); hints != "" {
		return hints, draw.Faint
	}
	if r.result.table.IsDemonstration() {
		return "", draw.Plain
	}
	id := string(r.result.table.ID)
	if command := wording.GameCommand(r.result.env.host, "watch "+id); command != "" {
		return "To see it again: " + command, draw.Faint
	}
	return "Match " + id, draw.Faint
}

func (r *reviewScreen) title() string { return "Review" }
