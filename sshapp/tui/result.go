package tui

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type resultScreen struct {
	env        *env
	table      *client.Table
	ratedPair  ratedPairMsg          // the rating change if the match ended a pair, zero until it is read
	reviews    []strategy.MoveReview // the verdict of perfect play on each move, nil until it is known
	reviewFrom reviewStart           // the start of the review to show once reviews is known
	list       screen                // the list that led the player here, or nil
	shownAt    time.Time             // when the result came up, or when the animations before it end
	now        time.Time             // the time of enter or of the last tick, zero in RenderMatch
	asked      bool                  // a match at the next level has been requested
}

type reviewStart uint8

const (
	noReview  reviewStart = iota
	fromFirst             // the first move, after the choice of a finished match
	fromLast              // the last move, after the key for the review
)

func newResult(e *env, table *client.Table) *resultScreen {
	return &resultScreen{env: e, table: table, shownAt: time.Now()}
}

// newReviewedResult returns the screen of a match that was over when the player came. The screen leads on to the
// review, and back to the list if the player came from one.
func newReviewedResult(e *env, table *client.Table, from screen) *resultScreen {
	r := &resultScreen{env: e, table: table, reviewFrom: fromFirst}
	switch from := from.(type) {
	case *youScreen:
		r.list = from
	case *awayScreen:
		r.list = from
	case *reviewScreen:
		r.list = from.result.list
	}
	return r
}

func (r *resultScreen) shownTable() *client.Table { return r.table }

func (r *resultScreen) enter() tea.Cmd {
	cmd := batch(r.scheduleTick(r.env.now()), r.env.readRating(r.table))
	if r.env.playsRated(r.table.Positions()...) {
		return cmd
	}
	table, start, moves := r.table, r.table.Start, r.table.Moves
	return batch(cmd, func() tea.Msg { return reviewedMsg{table, strategy.Review(start, moves)} })
}

type reviewedMsg struct {
	table   *client.Table
	reviews []strategy.MoveReview
}

func (r *resultScreen) scheduleTick(now time.Time) tea.Cmd {
	if r.now = now; r.table.SecondGameAt().IsZero() {
		return nil
	}
	return r.env.tickIn(time.Second, r)
}

func (r *resultScreen) update(root *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tableClosedMsg:
		if r.table.IsDemonstration() && root.screen == r { // a review may still be open
			return r.env.watch("")
		}
	case reviewedMsg:
		if msg.table == r.table {
			r.reviews = msg.reviews
			return r.showReview(root)
		}
	case failedMsg:
		r.asked = false
	case ratedPairMsg:
		if msg.table == r.table {
			r.ratedPair = msg
		}
	case tickMsg:
		return r.scheduleTick(msg.now)
	case tea.KeyPressMsg:
		return root.runAction(r.actions())
	}
	return nil
}

func (r *resultScreen) actions() []action {
	e, table, review := r.env, r.table, "review"
	if table.IsAgainstComputer() && table.IsSeated() && table.Outcome.Winner == table.Side.Other() {
		review = "why"
	}
	again := r.enterText()
	// A pair's first game cannot be reviewed before the second game.
	hasReview := table.SecondGameAt().IsZero() && len(table.Moves) > 0 && !table.Outcome.IsVoid()
	return []action{
		{key: &e.keys.rematch, short: again, long: again, run: r.playAgain},
		{
			key: &e.keys.review, short: textIf(hasReview, review),
			long: textIf(hasReview, e.either("review the match", "review")),
			run: func(root *Root) tea.Cmd {
				switch {
				case e.playsRated(table.Positions()...):
					return root.say(wording.Explain(match.ErrRated).Short)
				case !hasReview:
					return nil
				}
				// The result has been read, because the player asks for the review.
				r.reviewFrom, r.shownAt = fromLast, time.Time{}
				return r.showReview(root)
			},
		},
		{
			key: &e.keys.share, short: textIf(e.isRoomy() && r.canShare(), "share"), long: textIf(r.canShare(), "share"),
			run: func(root *Root) tea.Cmd {
				if r.reviews == nil || !r.canShare() {
					return nil
				}
				return root.share(r.shareLine())
			},
		},
		{
			key: &e.keys.nextMatch, short: textIf(table.IsWatching() && r.list == nil, e.either("next match", "next")),
			long: textIf(table.IsWatching() && r.list == nil, "next match"),
			run: func(root *Root) tea.Cmd {
				if !table.IsWatching() || r.list != nil {
					return nil
				}
				return root.watchNext(table)
			},
		},
		{key: &e.keys.lobby, short: "back", long: "back", run: func(root *Root) tea.Cmd { return root.toList(r.list) }},
	}
}

// showReview shows the review at the move that reviewFrom names, if reviews is known.
func (r *resultScreen) showReview(root *Root) tea.Cmd {
	ply := len(r.reviews) - 1
	if r.reviewFrom == noReview || ply < 0 {
		return nil
	}
	if r.reviewFrom == fromFirst {
		ply = 0
	}
	r.reviewFrom = noReview
	return root.show(&reviewScreen{result: r, ply: ply})
}

// nextMatch is the match that Enter leads to.
type nextMatch uint8

const (
	noMatch         nextMatch = iota
	watchedNext               // the next match of the watched players
	rematch                   // with the seats swapped
	nextLevel                 // against the next level of the computer
	anotherOpponent           // after a match that is void because a player made no first move
)

func (r *resultScreen) nextMatch() nextMatch {
	switch table := r.table; {
	case table.IsWatching() && table.Next != "" && !table.IsGone():
		return watchedNext
	case table.IsWatching(), table.AwaitsSecondGame():
		return noMatch
	case table.Outcome.IsVoid() && table.Origin == match.QueueOrigin:
		return anotherOpponent
	case table.Origin == match.ComputerOrigin && table.Outcome.Winner == table.Side && r.table.RungAbove() != 0:
		return nextLevel
	case table.IsGone(), table.RematchOffered(table.Side), r.hasOpponentLeft():
		return noMatch
	default:
		return rematch
	}
}

// playAgain opens the match that nextMatch returns. A key that was pressed before the player could read the result is
// ignored.
func (r *resultScreen) playAgain(root *Root) tea.Cmd {
	e, table := r.env, r.table
	if time.Since(r.shownAt) < e.answerDelay() || e.attention.beganBefore(r.shownAt) {
		return nil
	}
	switch r.nextMatch() {
	case watchedNext:
		return e.watch(table.Next)
	case rematch:
		return e.act(table, table.OfferRematch)
	case anotherOpponent:
		return toWaiting(root)
	case nextLevel:
		if r.asked {
			return nil
		}
		r.asked, e.choices.level = true, table.RungAbove()
		side := cmp.Or(e.choices.side, table.Side.Other())
		return e.playComputer(table.CasualTerms(), table.RungAbove(), side)
	default:
		return nil
	}
}

// draw draws the end of the match. In momentEnd it draws only the players and the boards.
func (r *resultScreen) draw(s *draw.Canvas) {
	if s.IsRoomy() {
		r.drawRoomy(s)
	} else {
		r.drawSmall(s)
	}
}

// drawSmall draws one of two layouts. The left layout is for a decided match of the player's, with boards that fit into
// fewer rows.
//
//	players      players
//	YOU WON      You won  end text
//	end text     boards
//	boards
//	band
func (r *resultScreen) drawSmall(s *draw.Canvas) {
	table, kind := r.table, r.env.moment.kind
	boards := planTable(s.Width, s.Height, table.Variant).boards
	low := lowBoards(s, boards)
	isLarge := kind != momentEnd && !low.IsEmpty() && r.drawLargeHeadline(s, draw.Rect{Y: 1, Width: s.Width, Height: 2})
	if isLarge {
		boards = low
	}
	drawTop(s, r.env, table, table.EndedAt, draw.Rect{})
	r.drawBoards(s, boards)
	switch {
	case kind == momentEnd:
	case isLarge:
		m := s.Margin()
		s.Text(m, rowBelowHeadline, draw.Plain, r.endText(s, s.Width-2*m))
		if rows := bandHeight - 1; len(r.reviews) > 0 { // without the names of the moves
			band := draw.Rect{X: m, Y: s.Height - s.Bottom() - rows, Width: s.Width - 2*m, Height: rows}
			drawBand(s, band, table, r.reviews, -1)
		}
	default:
		// The headline only repeats the end text. If it would cut more than mostCut columns of the end text, it is left out.
		mostCut := 8
		if table.IsDemonstration() {
			mostCut = 0
		}
		x, won := 1, " "+headline(table)+" "
		if draw.Columns(won+" "+cmp.Or(pairText(table), reasonText(table)))-(s.Width-2) <= mostCut {
			x = s.Text(x, 1, headlineRole(table), won) + 1
		}
		s.Text(x, 1, draw.Plain, r.endText(s, s.Width-x-1))
	}
}

// rowBelowHeadline is the row of the end text in a small window with a large headline.
const rowBelowHeadline = 3

// lowBoards places the boards of a small window between the end text and the band. lowBoards returns an empty
// arrangement if the boards would have another height there.
func lowBoards(s *draw.Canvas, boards draw.Arrangement) draw.Arrangement {
	m := s.Margin()
	area := draw.Rect{X: m, Y: rowBelowHeadline + 1, Width: s.Width - 2*m}
	area.Height = s.Height - s.Bottom() - area.Y - bandHeight // the caption and the players' rows of the band
	low := draw.Arrange(boards.Variant(), area)
	if low.IsEmpty() || low.Board(0).Height != boards.Board(0).Height {
		return draw.Arrangement{}
	}
	bounds := low.Bounds()
	return low.MovedTo(bounds.X, area.Y+area.Height-bounds.Height)
}

// drawRoomy draws one of two layouts, the right one in a tall window.
//
//	players  YOU WON     header
//	boards               players
//	band                 YOU WON
//	summary              boards
//	line to share        band
//	                     summary
//	                     line to share
//
// The list of moves stands beside the boards if there is room.
func (r *resultScreen) drawRoomy(s *draw.Canvas) {
	table, p := r.table, planTable(s.Width, s.Height, r.table.Variant)
	bounds := p.boards.Bounds()
	top := 3
	if s.IsTall() { // the boards move up only as far as the band needs rows
		top = min(bounds.Y, max(4, s.Height-s.Bottom()-bandHeight-2-bounds.Height))
	}
	p.boards = p.boards.MovedTo(bounds.X, top)
	bounds = p.boards.Bounds()
	line := playersLine(s, p.boards, 1+2*headlineScale(s, bounds.Y-3))
	drawTop(s, r.env, table, table.EndedAt, line)
	r.drawBoards(s, p.boards)
	if r.env.moment.kind == momentEnd {
		return
	}
	if p.panel.Width > 0 {
		drawMoveList(s, p.panel, table, len(table.Moves), r.reviews, shownMove(table))
	}
	r.drawHeadline(s, line, bounds)
	summary := draw.Rect{X: line.X, Y: bounds.Y + bounds.Height, Width: s.Width - s.Margin() - line.X}
	summary.Height = s.Height - s.Bottom() - summary.Y
	if !s.IsTall() && summary.Height > bandHeight+2 { // leaves a row for the rule above the keys
		summary.Height--
	}
	r.drawSummary(s, summary)
}

func (r *resultScreen) drawBoards(s *draw.Canvas, boards draw.Arrangement) {
	shown := draw.Boards{
		Position: r.table.Position, Digits: draw.NoDigits, Last: moveOf(r.table, shownMove(r.table)),
		Dying: r.env.moment.boards, Final: true, EndedEarly: !isByMove(r.table.Outcome),
		Noughts: amberSide(r.table) == rules.First,
	}
	shown.Draw(s, boards)
}

// drawHeadline writes YOU WON between the players in the first rows of the window. In a tall window it writes YOU WON
// between the players' line and the boards, or without the rows for it between the players. Without room or a winner,
// the headline is text between the players.
func (r *resultScreen) drawHeadline(s *draw.Canvas, line, boards draw.Rect) {
	area, row := draw.Rect{Width: s.Width, Height: 2}, 0
	if s.IsTall() {
		row = line.Y
		area = draw.Rect{X: boards.X, Y: row + 1, Width: boards.Width}
		area.Height = boards.Y - 1 - area.Y // with a blank row above the boards
		if area.Height < 2 {
			area = draw.Rect{X: line.X, Y: row, Width: line.Width, Height: min(2, boards.Y-row)}
		}
	}
	if !r.drawLargeHeadline(s, area) {
		s.TextCenter(line.X, line.Width, row, headlineRole(r.table), " "+headline(r.table)+" ")
	}
}

func (r *resultScreen) endText(s *draw.Canvas, width int) string {
	table := r.table
	if table.Outcome.IsVoid() && table.Outcome.Reason == rules.ReasonAbandoned && draw.Columns(reasonText(table)) > width {
		return "No first move."
	}
	return cmp.Or(r.ratedText(width), endText(s, table, width))
}

// drawSummary draws the band, how the match ended and the lesson, as far as area has rows. The row below area belongs
// to the notice. If showsShare is true, that row shows the line to share. The summary takes that row instead if
// ratedText fills the last row of area.
func (r *resultScreen) drawSummary(s *draw.Canvas, area draw.Rect) {
	const (
		roomy = 1 + 1 + bandHeight + 1 + 1 // a blank row, the caption, the band, a blank row, the text
		tight = 1 + bandHeight - 1 + 1     // the caption, the band without the moves, the text
	)
	noticeRow := area.Y + area.Height
	y, showsShare := noticeRow-1, r.showsShare()
	switch {
	case len(r.reviews) == 0:
	case area.Height >= roomy:
		band := draw.Rect{X: area.X, Y: area.Y + 2, Width: area.Width, Height: bandHeight}
		drawBand(s, band, r.table, r.reviews, -1)
		y = band.Y + band.Height + 1
	case area.Height >= tight:
		band := draw.Rect{X: area.X, Y: area.Y + 1, Width: area.Width, Height: area.Height - 2}
		drawBand(s, band, r.table, r.reviews, -1)
	}
	pair := pairText(r.table)
	if rated := r.ratedText(area.Width); rated != "" {
		s.Text(area.X, y, draw.Strong, rated)
		y, pair = y+1, ""
	}
	if y == noticeRow {
		if !showsShare { // the row belongs to the notice
			return
		}
		showsShare = false
	}
	text := s.Fit(summaryText(r.table, pair, r.reviews, area.Width), area.Width)
	better := wording.BetterMove(r.reviews, r.table.Outcome)
	at := max(0, strings.LastIndex(text, strings.TrimSuffix(better, ".")))
	showsBetter := better != "" && at > 0 // the text was not cut before the better move
	if showsBetter {
		s.Text(s.Text(area.X, y, draw.Strong, text[:at]), y, draw.Good, text[at:])
	} else {
		s.Text(area.X, y, draw.Strong, text)
	}
	if mistake, found := strategy.TurningPoint(r.reviews, r.table.Outcome); found && showsBetter {
		rule := wording.RuleOfThumb(mistake)
		row := min(y+2, noticeRow-1-draw.CountLines(rule, area.Width)) // with a blank row below, rather than above
		if row > y {
			s.Paragraph(area.X, row, area.Width, draw.Lesson, rule)
		}
	}
	if showsShare {
		s.Text(area.X, noticeRow, draw.Faint, s.Fit(r.shareText(area.Width), area.Width))
	}
}

// ratedText returns how the rated pair ended and how the rating changed, in the longest form that fits. The text is
// "" until the change is read.
func (r *resultScreen) ratedText(width int) string {
	table := r.ratedPair.table
	if table == nil {
		return ""
	}
	change := wording.RatingChange(r.ratedPair.pair)
	progress := wording.LadderProgress(r.ratedPair.pair, r.ratedPair.standing)
	score := wording.PairScore(table.State, ownSide(table)) + "  " + change
	if progress == "" {
		return fit(width, pairText(table)+"  "+change+".", score, change)
	}
	return fit(width, pairText(table)+"  "+change+", "+progress+".", score+", "+progress,
		score+", "+shortenProgress(progress), score, change)
}

func shortenProgress(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, " for the ladder"), " on the ladder")
}

// drawLargeHeadline writes YOU WON or YOU LOST at the lower edge of area, and only YOU in momentHeadline. The result is
// false without a winner, for a spectator, and for an area that is too small.
func (r *resultScreen) drawLargeHeadline(s *draw.Canvas, area draw.Rect) bool {
	text, color := "YOU WON", draw.Good
	switch headlineRole(r.table) {
	case draw.Won:
	case draw.Lost:
		text, color = "YOU LOST", draw.Bad
	default:
		return false
	}
	scale := headlineScale(s, area.Height)
	x, y := area.X+(area.Width-scale*draw.LetteringWidth(text))/2, area.Y+area.Height-2*scale
	if y < area.Y {
		return false
	}
	if r.env.moment.kind == momentHeadline {
		text, _, _ = strings.Cut(text, " ")
	}
	return s.Lettering(x, y, color, color, text, scale)
}

func headlineScale(s *draw.Canvas, rows int) int {
	if s.Width >= 160 && rows >= 4 {
		return 2
	}
	return 1
}

func headlineRole(table *client.Table) draw.Role {
	switch winner, own := table.Outcome.Winner, ownSide(table); {
	case winner == rules.NoSide || own == rules.NoSide:
		return draw.Over
	case winner == own:
		return draw.Won
	default:
		return draw.Lost
	}
}

// notice returns nextMatchText. In a small window without such a text, notice returns the main part of the summary.
func (r *resultScreen) notice() (string, draw.Role) {
	text, role := r.nextMatchText()
	switch {
	case text != "" || r.env.isRoomy():
		return text, role
	case r.isCutShort():
		return r.env.fit(r.cutShortTexts()...), draw.Faint
	}
	if r.ratedPair.table != nil && wording.BetterMove(r.reviews, r.table.Outcome) == "" {
		return wording.LadderProgress(r.ratedPair.pair, r.ratedPair.standing), draw.Faint
	}
	if len(r.reviews) == 0 {
		return "", draw.Plain
	}
	summary, short := wording.TurningPoint(r.reviews, r.table.Outcome, func(side rules.Side) string {
		return nameOrYou(r.table, side)
	})
	if better := wording.BetterMove(r.reviews, r.table.Outcome); better != "" {
		mistake, _ := strategy.TurningPoint(r.reviews, r.table.Outcome)
		if text := nameOrYou(r.table, mistake.Side) + " slipped: " + better; draw.Columns(text) <= r.env.width-2 {
			return text, draw.Good
		}
		return short, draw.Good
	}
	switch leader := r.reviews[len(r.reviews)-1].Leader(); {
	case r.table.Outcome.IsVoid() || isByMove(r.table.Outcome):
		return summary, draw.Faint
	case leader == rules.NoSide:
		return "It was a draw until then.", draw.Faint
	case leader == ownSide(r.table):
		return "You were winning.", draw.Faint
	default:
		return r.table.Seat(leader).Player.Name + " was winning.", draw.Faint
	}
}

// isCutShort reports whether a rated pair ended with its first game because the loser stayed away.
func (r *resultScreen) isCutShort() bool {
	return r.table.IsPairOver() && r.table.Pair.OtherWinner == rules.NoSide
}

func (r *resultScreen) cutShortTexts() []string {
	loser := nameOrYou(r.table, r.table.Outcome.Winner.Other())
	return []string{reasonText(r.table), loser + " stayed away: no game 2.", "No game 2: a player was away."}
}

// showsShare reports whether the row of the notice shows the line to share.
func (r *resultScreen) showsShare() bool {
	text, _ := r.nextMatchText()
	return text == "" && r.env.isRoomy() && r.reviews != nil && r.canShare()
}

// nextMatchText returns the notice on a rematch, the second game of a pair or a closed table, or "".
func (r *resultScreen) nextMatchText() (string, draw.Role) {
	table := r.table
	if next := wording.SecondGame(table.State, r.now); next != "" && !r.now.IsZero() {
		return next, draw.Notice
	}
	switch other := opponentName(table); {
	case table.IsWatching() && table.Next != "" && r.list != nil: // an old match
		if table.AwaitsSecondGame() {
			return "Enter shows the second game.", draw.Notice
		}
		return "Enter shows the rematch.", draw.Notice
	case table.IsWatching() && table.AwaitsSecondGame() && table.Next != "":
		return "Enter watches the second game.", draw.Notice
	case table.IsWatching() && table.Next != "":
		return "Enter watches the rematch.", draw.Notice
	case table.IsWatching():
		return "", draw.Plain
	case table.IsGone():
		return "The table has been closed.", draw.Faint
	case r.hasOpponentLeft() && r.isCutShort():
		return r.env.fit(r.cutShortTexts()...), draw.Faint
	case r.hasOpponentLeft():
		return r.env.fit(other+" has left the table.", "Your opponent has left the table."), draw.Faint
	case table.RematchOffered(table.Side.Other()) && !table.RematchOffered(table.Side):
		return r.env.either(other+" wants a rematch: Enter accepts.", "A rematch? Enter accepts."), draw.Notice
	case table.RematchWithdrawn(table.Side.Other()):
		return r.env.either(other+" has begun another match: no rematch for now.", "No rematch: they play elsewhere now."),
			draw.Faint
	case table.RematchWithdrawn(table.Side):
		return r.env.either("You have begun another match, so your rematch offer has ended.",
			"Your rematch offer has ended."), draw.Faint
	case table.RematchOffered(table.Side):
		return r.env.either("You want a rematch. Waiting for "+other+".", "You want a rematch: waiting."), draw.Plain
	default:
		return "", draw.Faint
	}
}

func (r *resultScreen) shareLine() string {
	ascii := r.env.theme.Charset() != draw.Unicode
	return wording.ShareLine(r.table.State, r.table.Side, r.reviews, r.ratedPair.pair, r.env.host, ascii)
}

// shareText returns the line to share in the longest form that fits. The shorter forms leave out the command, and
// then also the match ID.
func (r *resultScreen) shareText(width int) string {
	whole, id := r.shareLine(), "  match "+string(r.table.ID)
	text, _, _ := strings.Cut(whole, "  ssh ")
	text = strings.TrimSuffix(text, id)
	return fit(width, whole, text+id, text)
}

func (r *resultScreen) title() string { return "Match over" }

func (r *resultScreen) enterText() string {
	table, next := r.table, r.nextMatch()
	hasLost := table.IsSeated() && table.Outcome.Winner == table.Side.Other()
	switch {
	case next == noMatch:
		return ""
	case table.IsWatching():
		return "watch"
	case next == anotherOpponent:
		return r.env.either("find another opponent", "new opponent")
	case next == nextLevel:
		return "next: " + table.RungAbove().String()
	case hasLost && r.reviews != nil && strategy.IsFlawless(r.reviews, table.Outcome):
		return "swap seats"
	case hasLost && table.IsAgainstComputer():
		return "try again"
	default:
		return "rematch"
	}
}

func (r *resultScreen) canShare() bool {
	return !r.table.IsWatching() && r.table.SecondGameAt().IsZero() && !r.table.Outcome.IsVoid()
}

func (r *resultScreen) hasOpponentLeft() bool {
	return r.table.IsSeated() && r.table.Seat(r.table.Opponent()).IsAway()
}
