package tui

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type reviewScreen struct {
	result   *resultScreen
	ply      int  // the chosen move, counted from 0
	inTheory bool // the player has toggled the theory, which a tall window shows by default
	asked    bool // to play on
}

func (r *reviewScreen) at() *client.Table { return r.result.table }

func (r *reviewScreen) update(root *Root, msg tea.Msg) tea.Cmd {
	if _, failed := msg.(failed); failed {
		r.asked = false
	}
	if _, isKey := msg.(tea.KeyPressMsg); isKey {
		return root.do(r.actions())
	}
	return r.result.update(root, msg)
}

func (r *reviewScreen) actions() []action {
	e, k := r.result.env, r.result.env.keys
	isRoomy, slip := e.roomy(), "next slip"
	if !isRoomy {
		slip = "slip"
	}
	back := func(root *Root) tea.Cmd {
		if r.result.list != nil && !e.pressed(&k.review) {
			return root.toList(r.result.list)
		}
		root.screen = r.result
		e.attention.uncover()
		return nil
	}
	return []action{
		{key: &k.change, short: when(!isRoomy, "move")}, // the help has the others
		{key: &k.move, short: when(isRoomy, "moves"), long: "move by move", do: func(*Root) tea.Cmd {
			d := e.arrow()
			return r.choose(r.ply + d.dx + d.dy)
		}},
		{key: &k.nextMistake, short: slip, long: "next slip", do: r.toNextMistake},
		{key: &k.first, long: "first move", do: func(*Root) tea.Cmd { return r.choose(0) }},
		{key: &k.last, long: "last move", do: func(*Root) tea.Cmd { return r.choose(len(r.result.reviews) - 1) }},
		{key: &k.playOn, short: when(isRoomy, "play on"), long: e.either("play on from here", "play on"), do: r.playOn},
		{key: &k.theory, short: "theory", long: e.either("what the boards are worth", "theory"), do: func(*Root) tea.Cmd {
			r.inTheory = !r.inTheory
			return nil
		}},
		{key: &k.rematch, long: r.result.again(), do: r.result.playAgain},
		{key: &k.back, short: "back", long: "back", do: back},
		{key: &k.review, do: back},
	}
}

func (r *reviewScreen) choose(ply int) tea.Cmd {
	r.ply = max(0, min(ply, len(r.result.reviews)-1))
	return nil
}

func (r *reviewScreen) chooseRow(row int) { r.ply = row }

// playOn opens a match against the computer from the position before the chosen move. A key that is held down opens one
// match only.
func (r *reviewScreen) playOn(root *Root) tea.Cmd {
	if r.asked || len(r.result.reviews) == 0 {
		return nil
	}
	r.asked = true
	e, at := r.result.env, r.result.table
	root.status.say("Move " + strconv.Itoa(r.ply+1) + " again, against the computer.")
	side := r.result.reviews[r.ply].Side
	return e.playComputer(at.CasualTerms(), e.choices.level, side, at.LineTo(r.ply)...)
}

func (r *reviewScreen) toNextMistake(root *Root) tea.Cmd {
	reviews, before := r.result.reviews, r.ply
	for i := 1; i <= len(reviews); i++ {
		r.ply = (before + i) % len(reviews)
		switch {
		case reviews[r.ply].Mistake() && r.ply == before:
			return root.say("This is the only slip of the match.")
		case reviews[r.ply].Mistake():
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
	list   draw.Rect // of the moves
	band   draw.Rect // of who was winning
	text   draw.Rect
}

const leastListed = 3

// planReview gives the boards the room that the text leaves. The list of moves stands beside the boards if they stay
// nearly as large. Else the band stands below them if its moves have names, else the list does.
func planReview(area draw.Rect, v rules.Variant, moves, textHeight int) reviewPlan {
	const listHeight = 7
	p := reviewPlan{text: area.Lower(area.Height - textHeight)}
	area.Height -= textHeight + 1
	band := area.Lower(area.Height - bandHeight)
	_, named := bandStep(area.Width, moves)
	top := draw.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - bandHeight - 1}
	withBand := draw.Arrange(v, top)
	below := draw.Arrange(v, draw.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - listHeight})
	fewRows := draw.Arrange(v, draw.Rect{
		X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - max(1, min(leastListed, area.Height-6)),
	})
	largest := withBand
	if below.Area() > withBand.Area() {
		largest = below
	}
	boards, list, isBeside := beside(area, v, largest)
	switch {
	case isBeside && area.Width >= 72 && boards.Area() > 2:
		p.boards, p.list = boards, list
		p.list.Height = area.Y + area.Height - list.Y
		at := boards.Bounds()
		if spare := p.text.Y - area.Y - at.Height - 2; spare > 0 { // half above the boards, half below the text
			p.boards = boards.MovedTo(at.X, area.Y+spare/2)
			p.list.Y, p.list.Height = area.Y+spare/2, at.Height
			p.text = p.text.Lower(spare/2 - spare)
		}
	case area.Width >= 68 && named && withBand.Area() >= below.Area() && withBand.Area() > 2:
		p.boards, p.band = withBand, band
	case below.Area() > 2:
		p.boards, p.list = below.AtTop(area), area.Lower(below.Bounds().Height+1)
	case fewRows.Area() > 2:
		p.boards, p.list = fewRows.AtTop(area), area.Lower(fewRows.Bounds().Height)
	default:
		p.list = area
	}
	return p
}

func (r *reviewScreen) draw(s *draw.Canvas) {
	at := r.result.table
	e := r.result.env
	area := s.Header(r.heading(s), e.either(e.player.Name, ""))
	if len(r.result.reviews) == 0 {
		s.Text(area.X, area.Y, draw.Faint, "No move was made.")
		return
	}
	text, height, gap := r.text(s), 0, s.Pick(0, 0, 1)
	least := s.Pick(3, 3, 9) // so that the boards stay where they are from move to move
	width, columns := min(area.Width, 110), [][]paragraph{text}
	theory := slices.IndexFunc(text, func(p paragraph) bool { return p.role == draw.Strong })
	if theory > 0 && area.Width >= 160 { // the theory stands beside the rest
		width, columns, least = area.Width/2-4, [][]paragraph{text[:theory], text[theory:]}, 6
	}
	for _, column := range columns {
		rows := 0
		for _, p := range column {
			rows += draw.LinesOf(p.text, width)
		}
		height = max(height, rows)
	}
	p := planReview(area, at.Variant, len(r.result.reviews), max(least, height))
	if rule := wording.RuleOfThumb(r.result.reviews[r.ply]); !e.roomy() && !r.inTheory && rule != "" &&
		height+draw.LinesOf(rule, width) <= least+1 { // with the row of notices
		columns[0] = append(columns[0], paragraph{role: draw.Lesson, text: rule})
	}
	r.boards().Draw(s, p.boards)
	if p.list.Width > 0 {
		r.drawList(s, p.list)
	}
	if p.band.Width > 0 {
		drawBand(s, p.band, at, r.result.reviews, r.ply)
	}
	for i, column := range columns {
		drawText(s, draw.Rect{X: p.text.X + i*area.Width/2, Y: p.text.Y, Width: width}, column, gap)
	}
}

// drawText writes paragraphs. A gap separates two roles, except after a heading.
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
	at := r.result.table
	players := [2]match.Player{at.SeatState(rules.First).Player, at.SeatState(rules.Second).Player}
	won := headline(at)
	if at.Outcome.Winner == rules.Nobody || ownSide(at) != rules.Nobody {
		won = strings.ToLower(won[:1]) + won[1:] // not a player's name
	}
	if s.Roomy() {
		return "Review: " + fitNames(s, players, 40) + ", " + wording.Variant(at.Variant) + ", " + won
	}
	heading := "Review: "
	room := s.Width - 2*s.Margin() - draw.Columns("Notakto · "+heading)
	names := fitNames(s, players, room)
	if draw.Columns(names+", "+won) <= room {
		names += ", " + won
	}
	return heading + names
}

// boards returns the boards after the chosen move. If the move kills a board, the boards before the move, with the move
// in brackets, so that the cells stay visible.
func (r *reviewScreen) boards() *draw.Boards {
	m, digits := r.result.reviews[r.ply], r.result.env.settings.digits
	shown := &draw.Boards{Position: m.Position, Digits: digits, Last: m.Move,
		Deadly: !r.result.table.Variant.IsTicTacToe(), Noughts: amberSide(r.result.table) == rules.First}
	if m.Mistake() {
		shown.Better = m.Clearest()
	}
	if m.Position.Dead(int(m.Move.Board)) {
		shown.Position, shown.Last, shown.Tried = m.Previous, rules.Move{}, m.Move
	}
	return shown
}

type paragraph struct {
	role            draw.Role
	text            string
	mistake, better string
}

// text returns the verdict on the chosen move, the rule of thumb, and the theory if it is on. In a small or roomy
// window the theory replaces the verdict.
func (r *reviewScreen) text(s *draw.Canvas) []paragraph {
	m, at := r.result.reviews[r.ply], r.result.table
	inTheory := r.inTheory != s.Tall()
	var all []paragraph
	if rule := wording.RuleOfThumb(m); rule != "" && (inTheory || r.result.env.roomy()) {
		all = append(all, paragraph{role: draw.Lesson, text: rule})
	}
	theory := wording.Theory(m)
	if inTheory && len(theory) > 0 {
		all = append(all, paragraph{role: draw.Strong, text: wording.TheoryHeading})
		for _, line := range theory {
			all = append(all, paragraph{role: draw.Plain, text: line})
		}
	}
	if inTheory && len(theory) > 0 && !s.Tall() {
		return all
	}
	start, review := strconv.Itoa(m.Ply)+" "+at.Variant.FormatMove(m.Move), wording.Review(m)
	mover := subject(at, m.Side)
	switch because, isLost := strings.CutPrefix(review, "Already lost"); {
	case m.Side == ownSide(at):
		start += " by you  "
	case isLost:
		start, review = start+"  ", mover+" was already lost"+because
	default:
		start += " by " + mover + "  "
	}
	said := paragraph{role: draw.Plain, text: start + review}
	if m.Mistake() {
		best := at.Variant.FormatMove(m.Clearest())
		said.better = best + " " + s.Glyphs.Better
		what, _, _ := strings.Cut(review, ".")
		said.mistake = start + what
		said.text = said.mistake + strings.Replace(said.text[len(said.mistake):], best, said.better, 1)
	}
	if end := reasonText(at); m.Ply == len(at.Moves) && end != "" && !isByMove(at.Outcome) {
		if rest, isYou := strings.CutPrefix(end, "You "); isYou {
			end = "you " + rest
		}
		said.text += " Then " + end
	}
	return append([]paragraph{said}, all...)
}

func (r *reviewScreen) drawList(s *draw.Canvas, area draw.Rect) {
	at, reviews := r.result.table, r.result.reviews
	if area.Width == panelWidth {
		s.Text(area.X, area.Y, draw.Faint, "Who was winning")
		for i, side := range rules.Sides() {
			name := at.SeatState(side).Player.Name
			_, initial := utf8.DecodeRuneInString(name)
			s.Text(area.X+listBars+3*i, area.Y, sideRole(at, side), name[:initial])
		}
		area = area.Lower(1)
	}
	moves := list[strategy.MoveReview]{rows: reviews, row: r.ply}
	moves.draw(s, area, func(row draw.Rect, m strategy.MoveReview, k draw.Role) { drawReviewed(s, row, at, m, k) })
}

// bestMoves lists the moves better than a mistake within width columns. It returns "any C" if they are the nine cells
// of board C.
func bestMoves(m strategy.MoveReview, width int) string {
	if len(m.Best) == 9 && m.Best[0].Board == m.Best[8].Board {
		return "any " + rules.BoardName(int(m.Best[0].Board))
	}
	if all := wording.BestMoves(m); draw.Columns(all) <= width {
		return all
	}
	return m.Position.Variant().FormatMove(m.Clearest()) + ", " + strconv.Itoa(len(m.Best)-1) + " more"
}

const listBars = 17

// drawReviewed writes a move into a row of the list. A row in the panel also shows who was winning, a wider row the
// better moves.
func drawReviewed(s *draw.Canvas, row draw.Rect, at *client.Table, m strategy.MoveReview, k draw.Role) {
	g, who := s.Glyphs, 14
	s.TextRight(row.X+4, row.Y, strconv.Itoa(m.Ply))
	if m.Mistake() {
		s.Text(row.X+8, row.Y, draw.Bad, g.Flaw)
		if k == draw.Plain {
			k = draw.Bad
		}
	} else if m.Before != strategy.Loss {
		s.Text(row.X+8, row.Y, draw.Good, g.Tick)
	}
	s.Text(row.X+5, row.Y, k, at.Variant.FormatMove(m.Move))
	if row.Width == panelWidth {
		who = listBars - 11
		if leader := m.Leader(); leader != rules.Nobody {
			s.Bar(row.X+listBars+3*int(leader-rules.First), row.Y, 2, sideRole(at, leader))
		}
	} else if m.Mistake() {
		s.Text(row.X+25, row.Y, draw.Good, g.Better+" "+bestMoves(m, row.Width-27))
	}
	s.Text(row.X+10, row.Y, sideRole(at, m.Side), s.Fit(at.SeatState(m.Side).Player.Name, who))
}

func (r *reviewScreen) notice() (string, draw.Role) {
	text, role := r.result.rematchText()
	if text != "" || !r.result.env.roomy() {
		return text, role
	}
	id := string(r.result.table.ID)
	if command := wording.GameCommand(r.result.env.host, "watch "+id); command != "" {
		return "To see it again: " + command, draw.Faint
	}
	return "Match " + id, draw.Faint
}

func (r *reviewScreen) title() string { return "Review" }
