package tui

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// reviewScreen goes through a match that has ended, with what perfect play would have said at each move.
type reviewScreen struct {
	result   *resultScreen
	ply      int  // the chosen move, counted from 0
	inTheory bool // whether it is told what the boards are worth, in place of the reason
	asked    bool // to play on
}

func newReview(result *resultScreen, ply int) *reviewScreen {
	return &reviewScreen{result: result, ply: max(0, ply)}
}

func (r *reviewScreen) at() *client.Table { return r.result.table }

func (r *reviewScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	if _, failed := msg.(failed); failed {
		r.asked = false
	}
	press, ok := pressed(msg)
	if !ok {
		return r.result.update(msg)
	}
	keys, final := r.result.session.keys, len(r.result.reviews)-1
	switch {
	case key.Matches(press, keys.up), key.Matches(press, keys.left):
		r.ply--
	case key.Matches(press, keys.down), key.Matches(press, keys.right):
		r.ply++
	case key.Matches(press, keys.first):
		r.ply = 0
	case key.Matches(press, keys.last):
		r.ply = final
	case key.Matches(press, keys.nextMistake):
		r.ply = r.nextMistake()
	case key.Matches(press, keys.theory):
		r.inTheory = !r.inTheory
	case key.Matches(press, keys.playOn) && final >= 0:
		return r.playOn()
	case key.Matches(press, keys.back), key.Matches(press, keys.review):
		return backTo{r.result}, nil
	case key.Matches(press, r.result.again()):
		return r.result.press(press)
	}
	r.ply = max(0, min(r.ply, final))
	return nil, nil
}

// playOn plays the chosen move again, and from there on, against the computer. A key that is held down opens one match.
func (r *reviewScreen) playOn() (navigation, tea.Cmd) {
	if r.asked {
		return nil, nil
	}
	r.asked = true
	s, at := r.result.session, r.result.table
	again := "Move " + strconv.Itoa(r.ply+1) + " again, against the computer."
	side := r.result.reviews[r.ply].Side
	return say{again}, s.commands.playComputer(s.player, at.CasualTerms(), s.choices.level, side, at.LineTo(r.ply)...)
}

func (r *reviewScreen) chooseRow(row int) { r.ply = row }

// nextMistake is the next slip after the chosen move, from the last on the first one again; the chosen move if there is
// none.
func (r *reviewScreen) nextMistake() int {
	reviews := r.result.reviews
	for i := 1; i <= len(reviews); i++ {
		if ply := (r.ply + i) % len(reviews); reviews[ply].Mistake() {
			return ply
		}
	}
	return r.ply
}

// reviewPlan is how a review's screen is divided. What there is no room for is empty.
type reviewPlan struct {
	boards draw.Arrangement
	list   draw.Rect // of the moves
	band   draw.Rect // of who was winning
	text   draw.Rect
}

// leastListed is how many moves are listed below the boards in the smallest window, without a heading.
const leastListed = 3

// planReview gives the boards what the text leaves. The list of moves stands beside them if they are no smaller for it;
// else the band with the moves below it takes its place if there is room for their names, or the list stands below.
func planReview(area draw.Rect, v rules.Variant, moves, textHeight int) reviewPlan {
	const listWidth, listHeight = 38, 7
	p := reviewPlan{text: area.Lower(area.Height - textHeight)}
	area.Height -= textHeight + 1
	band := area.Lower(area.Height - bandHeight)
	_, named := bandStep(area.Width, moves)
	top := draw.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - bandHeight - 1}
	withBand := draw.Arrange(v, top)
	top.Width -= listWidth + 2
	beside := draw.Arrange(v, top)
	below := draw.Arrange(v, draw.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - listHeight})
	fewRows := draw.Arrange(v, draw.Rect{
		X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - max(1, min(leastListed, area.Height-6)),
	})
	switch {
	case beside.Area() >= withBand.Area() && beside.Area() >= below.Area() && beside.Area() > 2:
		p.boards, p.band = beside, band
		p.list = draw.Rect{X: area.X + area.Width - listWidth, Y: area.Y, Width: listWidth, Height: top.Height}
	case named && withBand.Area() >= below.Area() && withBand.Area() > 2:
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
	session := r.result.session
	again := "match " + string(at.ID)
	if command := wording.GameCommand(session.host, "watch "+string(at.ID)); command != "" {
		again = "again: " + command
	}
	area := s.Header("Review: "+headline(at), session.either(again, session.player.Name))
	if len(r.result.reviews) == 0 {
		s.Text(area.X, area.Y, draw.Faint, "No move was made.")
		return
	}
	text, height := r.text(), 0
	for _, p := range text {
		height += draw.LinesOf(p.text, area.Width)
	}
	const least = 3 // so that the boards stay where they are from move to move
	p := planReview(area, at.Variant, len(r.result.reviews), max(least, height))
	chosen := r.result.reviews[r.ply]
	boards := draw.Boards{
		Position: chosen.Position, Digits: draw.NoDigits, Last: chosen.Move, Better: betterMove(chosen),
	}
	boards.Draw(s, p.boards)
	if p.list.Width > 0 {
		r.drawList(s, p.list)
	}
	if p.band.Width > 0 {
		drawBand(s, p.band, at, r.result.reviews, r.ply)
	}
	y := p.text.Y
	for _, paragraph := range text {
		y = s.Paragraph(p.text.X, y, p.text.Width, paragraph.role, paragraph.text)
	}
}

// paragraph is a piece of text with its role.
type paragraph struct {
	role draw.Role
	text string
}

// text is what is said of the chosen move: why it was good or not, or what the boards were worth.
func (r *reviewScreen) text() []paragraph {
	m, at := r.result.reviews[r.ply], r.result.table
	var all []paragraph
	if rule := wording.RuleOfThumb(m); rule != "" && (r.inTheory || r.result.session.roomy()) {
		all = append(all, paragraph{draw.Lesson, rule})
	}
	if theory := wording.Theory(m); r.inTheory && len(theory) > 0 {
		for _, line := range theory {
			all = append(all, paragraph{draw.Plain, line})
		}
		return all
	}
	name := strconv.Itoa(m.Ply) + " " + at.Variant.FormatMove(m.Move) + "  "
	why := wording.Review(m, func(side rules.Side) string { return subject(at, side) })
	return append([]paragraph{{draw.Plain, name + why}}, all...)
}

// betterMove is what would have been better than a slip, as its review has it; none for other moves.
func betterMove(m strategy.MoveReview) rules.Move {
	if !m.Mistake() {
		return rules.Move{}
	}
	return m.Clearest()
}

// drawList has a row for each move, and the chosen one in its middle where it can.
func (r *reviewScreen) drawList(s *draw.Canvas, area draw.Rect) {
	at, reviews := r.result.table, r.result.reviews
	rows, top := area.Height, area.Y
	if rows > leastListed {
		s.Text(area.X+2, area.Y, draw.Faint, " # move by         was   best")
		rows, top = rows-1, top+1
	}
	first := max(0, min(r.ply-rows/2, len(reviews)-rows))
	for i := first; i < min(len(reviews), first+rows); i++ {
		y, k := top+i-first, draw.Plain
		if i == r.ply {
			k = draw.Chosen
			s.Point(area.X, y)
		}
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 1}, i)
		drawReviewText(s, draw.Rect{X: area.X + 2, Y: y, Width: area.Width - 2, Height: 1}, at, reviews[i], k)
	}
}

func drawReviewText(s *draw.Canvas, row draw.Rect, at *client.Table, m strategy.MoveReview, k draw.Role) {
	g := s.Glyphs
	s.TextRight(row.X+2, row.Y, strconv.Itoa(m.Ply))
	s.Text(row.X+3, row.Y, k, at.Variant.FormatMove(m.Move))
	if m.Mistake() {
		s.Text(row.X+6, row.Y, draw.Bad, g.Flaw)
	} else if m.Before != strategy.Loss {
		s.Text(row.X+6, row.Y, draw.Good, g.Tick)
	}
	s.Text(row.X+8, row.Y, sideRole(m.Side), s.Fit(at.SeatState(m.Side).Player.Name, 10))
	s.Text(row.X+19, row.Y, k, was(m))
	s.Text(row.X+25, row.Y, draw.Faint, s.Fit(wording.BestMoves(m), row.Width-25))
}

// notice says how the rematch stands.
func (r *reviewScreen) notice() (string, draw.Role) { return r.result.notice() }

func (r *reviewScreen) title() string { return "Review" }

// ShortHelp is part of help.KeyMap.
func (r *reviewScreen) ShortHelp() []key.Binding {
	k := r.result.session.keys
	return []key.Binding{renamed(k.choose, "moves"), k.back, k.nextMistake, k.playOn, k.theory, r.result.again(), k.help}
}

// FullHelp is part of help.KeyMap.
func (r *reviewScreen) FullHelp() [][]key.Binding {
	s, k := r.result.session, r.result.session.keys
	return [][]key.Binding{{
		renamed(k.choose, "move by move"), k.nextMistake, renamed(k.first, "first move"), renamed(k.last, "last move"),
		renamed(k.playOn, s.either("play on from here", "play on")),
		renamed(k.theory, s.either("what the boards are worth", "theory")), r.result.again(), k.back,
	}, settingsOf(s, k.playOn)}
}

// reviewed brings the reviews on a match.
type reviewed struct {
	table   *client.Table
	reviews []strategy.MoveReview
}

// review looks at every move of a match that has ended.
func review(at *client.Table) tea.Cmd {
	start, moves := at.Start, at.Moves
	return func() tea.Msg { return reviewed{at, strategy.Review(start, moves)} }
}

// was is what the position was before a move.
func was(r strategy.MoveReview) string {
	switch r.Before {
	case strategy.Win:
		return "won"
	case strategy.Loss:
		return "lost"
	default:
		return "drawn"
	}
}

// summaryText is how the match ended, and the reviews on it in short: who let it slip last, by the end itself or by a
// move.
func summaryText(at *client.Table, reviews []strategy.MoveReview) string {
	end := strings.TrimSpace(pairText(at) + " " + strings.TrimSuffix(reasonText(at), "."))
	switch {
	case at.Outcome.IsVoid():
		return end + ": the match does not count."
	case strategy.ResignedWon(reviews, at.Outcome):
		return end + " a won position."
	case len(reviews) == 0:
		return end + "."
	default:
		return strings.TrimSpace(end + ".  " + wording.TurningPoint(reviews, at.Outcome))
	}
}
