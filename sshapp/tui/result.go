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
	env     *env
	table   *client.Table
	rated   rated                 // the rating change of the rated pair that the match ended; zero until it is read
	reviews []strategy.MoveReview // the verdict of perfect play on each move; nil until it is known
	wanted  reviewStart           // where the review starts that is shown once reviews is known
	list    *youScreen            // the list from which the player came; nil for another screen
	shownAt time.Time             // when the result came up, or when the animations before it end
	now     time.Time             // the last tick before the second game of a pair
	asked   bool                  // a match at the next level has been requested
}

type reviewStart uint8

const (
	noReview  reviewStart = iota
	fromFirst             // from the first move: the player came to see the match again
	fromLast              // from the last move: the player pressed the key
)

func newResult(e *env, at *client.Table) *resultScreen {
	return &resultScreen{env: e, table: at, shownAt: time.Now()}
}

// newReplay returns the screen of a match that was over when the player came to watch. It leads on to the review. If
// the player came from a list, it leads back to that list.
func newReplay(e *env, at *client.Table, from screen) *resultScreen {
	r := &resultScreen{env: e, table: at, wanted: fromFirst}
	switch from := from.(type) {
	case *youScreen:
		r.list = from
	case *reviewScreen:
		r.list = from.result.list
	}
	return r
}

func (r *resultScreen) at() *client.Table { return r.table }

func (r *resultScreen) enter() tea.Cmd {
	cmd := batch(r.count(r.env.now()), r.env.readRating(r.table))
	if r.env.playsRated() {
		return cmd
	}
	at, start, moves := r.table, r.table.Start, r.table.Moves
	return batch(cmd, func() tea.Msg { return reviewed{at, strategy.Review(start, moves)} })
}

type reviewed struct {
	table   *client.Table
	reviews []strategy.MoveReview
}

func (r *resultScreen) count(now time.Time) tea.Cmd {
	if r.now = now; r.table.SecondGameAt().IsZero() {
		return nil
	}
	return r.env.tickIn(time.Second, r)
}

func (r *resultScreen) update(root *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case reviewed:
		if msg.table == r.table {
			r.reviews = msg.reviews
			return r.lookBack(root)
		}
	case failed:
		r.asked = false
	case rated:
		if msg.table == r.table {
			r.rated = msg
		}
	case ticked:
		return r.count(msg.now)
	case tea.KeyPressMsg:
		return root.do(r.actions())
	}
	return nil
}

func (r *resultScreen) actions() []action {
	e, at, why := r.env, r.table, "review"
	if at.IsAgainstComputer() && at.IsSeated() && at.Outcome.Winner == at.Side.Other() {
		why = "why"
	}
	again := r.again()
	hasReview := at.SecondGameAt().IsZero() && len(at.Moves) > 0 && !at.Outcome.IsVoid() // not between a pair's games
	return []action{
		{key: &e.keys.rematch, short: again, long: again, do: r.playAgain},
		{
			key: &e.keys.review, short: when(hasReview, why), long: when(hasReview, e.either("review the match", "review")),
			do: func(root *Root) tea.Cmd {
				switch {
				case e.playsRated():
					return root.say(wording.ForError(match.ErrRated).Short)
				case !hasReview:
					return nil
				}
				r.wanted, r.shownAt = fromLast, time.Time{} // a player who asks for the review has seen the result
				return r.lookBack(root)
			},
		},
		{
			key: &e.keys.share, short: when(e.roomy() && r.canShare(), "share"), long: when(r.canShare(), "share"),
			do: func(root *Root) tea.Cmd {
				if r.reviews == nil || !r.canShare() {
					return nil
				}
				root.shared = r.shareLine()
				return root.say(e.either("Copied if your terminal allows it. It is printed when you quit.",
					"It is printed when you quit."))
			},
		},
		{key: &e.keys.lobby, short: "back", long: "back", do: func(root *Root) tea.Cmd { return root.toList(r.list) }},
	}
}

// lookBack shows the wanted review if reviews is known.
func (r *resultScreen) lookBack(root *Root) tea.Cmd {
	wanted, last := r.wanted, len(r.reviews)-1
	if wanted == noReview || last < 0 {
		return nil
	}
	r.wanted = noReview
	if wanted == fromFirst {
		last = 0
	}
	return root.show(&reviewScreen{result: r, ply: last})
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

func (r *resultScreen) next() nextMatch {
	switch at := r.table; {
	case at.IsWatching() && at.Next != "" && !at.IsGone():
		return watchedNext
	case at.IsWatching(), at.AwaitsSecondGame():
		return noMatch
	case at.Outcome.IsVoid() && at.Origin == match.QueueOrigin:
		return anotherOpponent
	case at.Origin == match.ComputerOrigin && at.Outcome.Winner == at.Side && r.table.NextLevel() != 0:
		return nextLevel
	case at.IsGone(), at.RematchOffered(at.Side), r.deserted():
		return noMatch
	default:
		return rematch
	}
}

// playAgain does what next returns. It ignores a key that was pressed before the result could be read.
func (r *resultScreen) playAgain(root *Root) tea.Cmd {
	e, at := r.env, r.table
	if time.Since(r.shownAt) < e.answerDelay() || e.attention.beganBefore(r.shownAt) {
		return nil
	}
	switch r.next() {
	case watchedNext:
		return e.watch(at.Next)
	case rematch:
		return e.act(at, at.OfferRematch)
	case anotherOpponent:
		return toWaiting(root)
	case nextLevel:
		if r.asked {
			return nil
		}
		r.asked, e.choices.level = true, at.NextLevel()
		side := cmp.Or(e.choices.first, at.Side.Other())
		return e.playComputer(at.CasualTerms(), at.NextLevel(), side)
	default:
		return nil
	}
}

func (r *resultScreen) draw(s *draw.Canvas) {
	at := r.table
	p := planTable(s.Width, s.Height, at.Variant)
	now := r.env.moment
	marked := shownMove(at)
	boards := draw.Boards{
		Position: at.Position, Digits: draw.NoDigits, Last: moveOf(at, marked), Dying: now.boards,
		Final: true, Given: !isByMove(at.Outcome),
		Noughts: amberSide(at) == rules.First,
	}
	won, role := " "+headline(at)+" ", headlineRole(at)
	small := smallResult(s, p)
	isSmall := !small.IsEmpty() && now.kind != momentEnd &&
		drawLargeHeadline(s, draw.Rect{Y: 1, Width: s.Width, Height: 2}, role, now.kind == momentHeadline)
	if isSmall {
		p.boards = small
	}
	if s.Roomy() { // the band and the summary have room below, and a large headline above
		place, y := p.boards.Bounds(), 3
		if s.Tall() {
			y = min(place.Y, max(4, s.Height-s.Bottom()-bandHeight-2-place.Height))
		}
		p.boards = p.boards.MovedTo(place.X, y)
	}
	line := playersLine(s, p.boards, 1+2*headlineScale(s, p.boards.Bounds().Y-3))
	drawTop(s, r.env, at, at.EndedAt, line)
	boards.Draw(s, p.boards)
	if now.kind == momentEnd {
		return
	}
	if isSmall { // only the end text and the band without moves fit around the boards
		m := s.Margin()
		s.Text(m, smallHeadline-1, draw.Plain, r.endText(s, s.Width-2*m))
		if rows := bandHeight - 1; len(r.reviews) > 0 {
			band := draw.Rect{X: m, Y: s.Height - s.Bottom() - rows, Width: s.Width - 2*m, Height: rows}
			drawBand(s, band, at, r.reviews, -1)
		}
		return
	}
	if p.panel.Width > 0 {
		drawMoveList(s, p.panel, at, len(at.Moves), r.reviews, marked)
	}
	if !s.Roomy() {
		const most = 8 // columns by which a name in the end text may be cut for the headline, which says nothing new
		x := 1
		if draw.Columns(won+" "+cmp.Or(pairText(at), reasonText(at)))-(s.Width-2) <= most {
			x = s.Text(x, 1, role, won) + 1
		}
		s.Text(x, 1, draw.Plain, r.endText(s, s.Width-x-1))
		return
	}
	bounds := p.boards.Bounds()
	above := draw.Rect{Y: 2, Width: s.Width, Height: bounds.Y - 3}
	if !s.Tall() { // between the players, who have no header above them
		above.Y, above.Height = 0, 2
	} else if above.Height > 2 { // below the players' line, in the middle above the boards
		above.X, above.Width = bounds.X, bounds.Width
	}
	if s.Tall() && bounds.Y <= 3 || !drawLargeHeadline(s, above, role, now.kind == momentHeadline) {
		y := above.Y
		if s.Tall() {
			y = line.Y
		}
		s.TextCenter(line.X, line.Width, y, role, won)
	}
	below := draw.Rect{X: line.X, Y: bounds.Y + bounds.Height, Width: s.Width - s.Margin() - line.X}
	below.Height = s.Height - s.Bottom() - below.Y
	if !s.Tall() && below.Height > bandHeight+2 { // for a rule above the keys
		below.Height--
	}
	if isTaken := r.drawSummary(s, below); !isTaken && r.showsShare() {
		s.Text(below.X, below.Y+below.Height, draw.Faint, s.Fit(r.shareText(below.Width), below.Width))
	}
}

const smallHeadline = 4

// smallResult places the boards of a small window below a large headline. If their cells would have to shrink, it
// returns an empty arrangement.
func smallResult(s *draw.Canvas, p plan) draw.Arrangement {
	m := s.Margin()
	area := draw.Rect{X: m, Y: smallHeadline, Width: s.Width - 2*m}
	area.Height = s.Height - s.Bottom() - area.Y - bandHeight // the players' rows of the band, and its label
	boards := draw.Arrange(p.boards.Variant(), area)
	if s.Roomy() || boards.IsEmpty() || boards.Board(0).Height != p.boards.Board(0).Height {
		return draw.Arrangement{}
	}
	at := boards.Bounds()
	return boards.MovedTo(at.X, area.Y+area.Height-at.Height)
}

func (r *resultScreen) endText(s *draw.Canvas, width int) string {
	at := r.table
	if at.Outcome.IsVoid() && at.Outcome.Reason == rules.Abandoned && draw.Columns(reasonText(at)) > width {
		return "No first move."
	}
	return cmp.Or(r.ratedText(width), endText(s, at, width))
}

// drawSummary draws who was winning, how the match ended and the lesson, as far as there are rows. It reports whether
// it took the row below area, which the line to share would use.
func (r *resultScreen) drawSummary(s *draw.Canvas, area draw.Rect) (isBelow bool) {
	const (
		high = bandHeight + 4 // with its moves and its label, and a blank row around it and below
		low  = 5              // with a blank row above and below, and the text
	)
	y := area.Y + area.Height - 1
	switch {
	case len(r.reviews) == 0:
	case area.Height >= high:
		band := draw.Rect{X: area.X, Y: area.Y + 2, Width: area.Width, Height: bandHeight}
		drawBand(s, band, r.table, r.reviews, -1)
		y = band.Y + band.Height + 1
	case area.Height >= low-1:
		band := draw.Rect{X: area.X, Y: area.Y + 1, Width: area.Width, Height: area.Height - 2}
		drawBand(s, band, r.table, r.reviews, -1)
	}
	pair := pairText(r.table)
	if rated := r.ratedText(area.Width); rated != "" {
		s.Text(area.X, y, draw.Strong, rated)
		if y++; y == area.Y+area.Height && !r.showsShare() {
			return false
		}
		isBelow, pair = y == area.Y+area.Height, ""
	}
	text := s.Fit(summaryText(r.table, pair, r.reviews, area.Width), area.Width)
	better := wording.WouldHaveWon(r.reviews, r.table.Outcome)
	at := max(0, strings.LastIndex(text, strings.TrimSuffix(better, ".")))
	hasAll := better != "" && at > 0
	if hasAll {
		s.Text(s.Text(area.X, y, draw.Strong, text[:at]), y, draw.Good, text[at:])
	} else {
		s.Text(area.X, y, draw.Strong, text)
	}
	if r, found := strategy.TurningPoint(r.reviews, r.table.Outcome); found && hasAll && y+2 < area.Y+area.Height {
		y = min(y+2, area.Y+area.Height-2)
		s.Text(area.X, y, draw.Lesson, s.Fit(wording.RuleOfThumb(r), area.Width))
	}
	return isBelow
}

// ratedText returns how the rated pair ended and what it changed, in the longest form that fits, or "" until that is
// known.
func (r *resultScreen) ratedText(width int) string {
	at := r.rated.table
	if at == nil {
		return ""
	}
	change, progress := wording.RatingChange(r.rated.pair), wording.LadderProgress(r.rated.pair, r.rated.standing)
	score := wording.PairScore(at.State, ownSide(at)) + "  " + change
	if progress == "" {
		return fit(width, pairText(at)+"  "+change+".", score, change)
	}
	return fit(width, pairText(at)+"  "+change+", "+progress+".", score+", "+progress,
		score+", "+briefProgress(progress), score, change)
}

func briefProgress(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, " for the ladder"), " on the ladder")
}

// drawLargeHeadline writes YOU WON or YOU LOST at the lower edge of area, or only the first word. It reports whether it
// wrote anything.
func drawLargeHeadline(s *draw.Canvas, area draw.Rect, role draw.Role, onlyFirst bool) bool {
	text, color := "YOU WON", draw.Good
	switch role {
	case draw.Won:
	case draw.Lost:
		text, color = "YOU LOST", draw.Bad
	default:
		return false
	}
	scale := headlineScale(s, area.Height)
	x, y := area.X+(area.Width-scale*draw.LetteringWidth(text))/2, area.Y+max(0, area.Height-2*scale)
	if onlyFirst {
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

func headlineRole(at *client.Table) draw.Role {
	switch winner, own := at.Outcome.Winner, ownSide(at); {
	case winner == rules.Nobody || own == rules.Nobody:
		return draw.Over
	case winner == own:
		return draw.Won
	default:
		return draw.Lost
	}
}

func (r *resultScreen) notice() (string, draw.Role) {
	text, role := r.rematchText()
	switch {
	case text != "" || r.env.roomy():
		return text, role
	case r.isCutShort():
		return r.env.fit(r.cutShort()...), draw.Faint
	}
	if r.rated.table != nil && wording.WouldHaveWon(r.reviews, r.table.Outcome) == "" {
		return wording.LadderProgress(r.rated.pair, r.rated.standing), draw.Faint
	}
	if len(r.reviews) == 0 {
		return "", draw.Plain
	}
	summary, short := wording.TurningPoint(r.reviews, r.table.Outcome, func(side rules.Side) string {
		return subject(r.table, side)
	})
	if better := wording.WouldHaveWon(r.reviews, r.table.Outcome); better != "" {
		mistake, _ := strategy.TurningPoint(r.reviews, r.table.Outcome)
		if text := subject(r.table, mistake.Side) + " slipped: " + better; draw.Columns(text) <= r.env.width-2 {
			return text, draw.Good
		}
		return short, draw.Good
	}
	switch leader := r.reviews[len(r.reviews)-1].Leader(); {
	case r.table.Outcome.IsVoid() || isByMove(r.table.Outcome):
		return summary, draw.Faint
	case leader == rules.Nobody:
		return "It was a draw until then.", draw.Faint
	case leader == ownSide(r.table):
		return "You were winning.", draw.Faint
	default:
		return r.table.SeatState(leader).Player.Name + " was winning.", draw.Faint
	}
}

// isCutShort reports whether a rated pair ended with its first game because the loser stayed away.
func (r *resultScreen) isCutShort() bool { return r.table.IsPairOver() && r.table.Game() == 1 }

func (r *resultScreen) cutShort() []string {
	loser := subject(r.table, r.table.Outcome.Winner.Other())
	return []string{reasonText(r.table), loser + " stayed away: no game 2.", "No game 2: a player was away."}
}

// showsShare reports whether the line to share takes the row of the notices.
func (r *resultScreen) showsShare() bool {
	text, _ := r.rematchText()
	return text == "" && r.env.roomy() && r.reviews != nil && r.canShare()
}

func (r *resultScreen) rematchText() (string, draw.Role) {
	at := r.table
	if next := wording.SecondGame(at.State, r.now); next != "" && !r.now.IsZero() {
		return next, draw.Notice
	}
	switch other := opponent(at); {
	case at.IsWatching() && at.Next != "" && r.list != nil: // a match of long ago
		if at.AwaitsSecondGame() {
			return "Enter shows the second game.", draw.Notice
		}
		return "Enter shows the rematch.", draw.Notice
	case at.IsWatching() && at.AwaitsSecondGame() && at.Next != "":
		return "The second game is on: Enter watches.", draw.Notice
	case at.IsWatching() && at.Next != "":
		return "They play again: Enter watches.", draw.Notice
	case at.IsWatching():
		return "", draw.Plain
	case at.IsGone():
		return "The table has been closed.", draw.Faint
	case r.deserted() && r.isCutShort():
		return r.env.fit(r.cutShort()...), draw.Faint
	case r.deserted():
		return r.env.fit(other+" has left the table.", "Your opponent has left the table."), draw.Faint
	case at.RematchOffered(at.Side.Other()) && !at.RematchOffered(at.Side):
		return r.env.either(other+" wants a rematch: Enter accepts.", "A rematch? Enter accepts."), draw.Notice
	case at.RematchWithdrawn(at.Side.Other()):
		return r.env.either(other+" has begun another match: no rematch for now.", "No rematch: they play elsewhere now."),
			draw.Faint
	case at.RematchWithdrawn(at.Side):
		return r.env.either("You have begun another match: your offer of a rematch has ended.",
			"Your offer of a rematch has ended."), draw.Faint
	case at.RematchOffered(at.Side):
		return r.env.either("You want a rematch. Waiting for "+other+".", "You want a rematch: waiting."), draw.Plain
	default:
		return "", draw.Faint
	}
}

func (r *resultScreen) shareLine() string {
	ascii := r.env.theme.Charset() != draw.Unicode
	return wording.ShareLine(r.table.State, r.table.Side, r.reviews, r.rated.pair, r.env.host, ascii)
}

// shareText returns the line to share in the longest form that fits: whole, without its command, or without the match
// ID too.
func (r *resultScreen) shareText(width int) string {
	whole, id := r.shareLine(), "  match "+string(r.table.ID)
	text, _, _ := strings.Cut(whole, "  ssh ")
	text = strings.TrimSuffix(text, id)
	return fit(width, whole, text+id, text)
}

func (r *resultScreen) title() string { return "Match over" }

// again returns what Enter does, or "" for nothing.
func (r *resultScreen) again() string {
	at, next := r.table, r.next()
	hasLost := at.IsSeated() && at.Outcome.Winner == at.Side.Other()
	switch {
	case next == noMatch:
		return ""
	case at.IsWatching():
		return "watch"
	case next == anotherOpponent:
		return r.env.either("find another opponent", "new opponent")
	case next == nextLevel:
		return "next: " + at.NextLevel().String()
	case hasLost && r.reviews != nil && strategy.IsFlawless(r.reviews, at.Outcome):
		return "the other seat"
	case hasLost && at.IsAgainstComputer():
		return "try again"
	default:
		return "rematch"
	}
}

func (r *resultScreen) canShare() bool {
	return !r.table.IsWatching() && r.table.SecondGameAt().IsZero() && !r.table.Outcome.IsVoid()
}

func (r *resultScreen) deserted() bool {
	return r.table.IsSeated() && r.table.SeatState(r.table.Opponent()).IsAway()
}
