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
	result *resultScreen
	ply    int // the chosen move, counted from 0
}

func newReview(result *resultScreen, ply int) *reviewScreen {
	return &reviewScreen{result: result, ply: max(0, ply)}
}

func (r *reviewScreen) at() *client.Table { return r.result.table }

func (r *reviewScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
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
	case key.Matches(press, keys.back), key.Matches(press, keys.review):
		return backTo{r.result}, nil
	case key.Matches(press, r.result.again()):
		return r.result.press(press)
	}
	r.ply = max(0, min(r.ply, final))
	return nil, nil
}

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

// planReview divides the screen between the boards and the list: side by side or one above the other, as makes the
// boards larger. Where there is no room for boards there is only the list.
func planReview(area draw.Rect, v rules.Variant) (draw.Arrangement, draw.Rect) {
	const listWidth, listHeight = 38, 7
	above := draw.Arrange(v, draw.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height - listHeight})
	beside := draw.Arrange(v, draw.Rect{X: area.X, Y: area.Y, Width: area.Width - listWidth - 2, Height: area.Height})
	switch {
	case beside.Area() >= above.Area() && beside.Area() > 2:
		return beside, draw.Rect{X: area.X + area.Width - listWidth, Y: area.Y, Width: listWidth, Height: area.Height}
	case above.Area() > 2:
		return above.AtTop(area), area.Lower(above.Bounds().Height + 1)
	default:
		return draw.Arrangement{}, area
	}
}

func (r *reviewScreen) draw(s *draw.Canvas) {
	at := r.result.table
	session := r.result.session
	again := "again: ssh -t " + session.host + " watch " + string(at.ID)
	area := s.Header("Review: "+headline(at), session.either(again, session.player.Name))
	if len(r.result.reviews) == 0 {
		s.Text(area.X, area.Y, draw.Faint, "No move was made.")
		return
	}
	area.Height--
	s.Text(area.X, area.Y+area.Height, draw.Plain, s.Fit(r.moveReview(), area.Width))
	arranged, list := planReview(area, at.Variant)
	chosenMove := r.result.reviews[r.ply]
	(&draw.Boards{Position: chosenMove.Position, Digits: draw.NoDigits, Last: chosenMove.Move, Better: betterMove(chosenMove)}).Draw(s, arranged)
	r.drawList(s, list)
}

// betterMove is what would have been better than a slip, the first in the order of boards and cells; none for other
// moves.
func betterMove(m strategy.MoveReview) rules.Move {
	if !m.Mistake() {
		return rules.Move{}
	}
	return m.Best[0]
}

// drawList has a row for each move, and the chosen one in its middle where it can.
func (r *reviewScreen) drawList(s *draw.Canvas, area draw.Rect) {
	at, reviews := r.result.table, r.result.reviews
	s.Text(area.X+2, area.Y, draw.Faint, " # move by         was   best")
	rows := area.Height - 1
	first := max(0, min(r.ply-rows/2, len(reviews)-rows))
	for i := first; i < min(len(reviews), first+rows); i++ {
		y, k := area.Y+1+i-first, draw.Plain
		if i == r.ply {
			k = draw.Chosen
			s.Point(area.X, y)
		}
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
	s.Text(row.X+25, row.Y, draw.Faint, s.Fit(bestText(at.Variant, m), row.Width-25))
}

// moveReview says of the chosen move what its row has no room for.
func (r *reviewScreen) moveReview() string {
	m := r.result.reviews[r.ply]
	switch best := bestText(r.result.table.Variant, m); {
	case m.Mistake():
		why := wording.Mistake(m, func(side rules.Side) string { return subject(r.result.table, side) })
		return r.result.session.either(strings.TrimSpace("A slip. "+why+" Better: "+best), "A slip. Better: "+best)
	case m.Before == strategy.Loss:
		const lost = "Lost already: every move loses"
		return r.result.session.either(lost+" against perfect play.", lost+".")
	default:
		return "As good as any. Best: " + best
	}
}

// notice says how the rematch stands.
func (r *reviewScreen) notice() (string, draw.Role) { return r.result.notice() }

func (r *reviewScreen) title() string { return "Review" }

// ShortHelp is part of help.KeyMap.
func (r *reviewScreen) ShortHelp() []key.Binding {
	k := r.result.session.keys
	return []key.Binding{renamed(k.choose, "move by move"), k.back, k.nextMistake, r.result.again(), k.help}
}

// FullHelp is part of help.KeyMap.
func (r *reviewScreen) FullHelp() [][]key.Binding {
	k := r.result.session.keys
	return [][]key.Binding{{renamed(k.choose, "move by move"), k.nextMistake, k.first, k.last, r.result.again(), k.back}, k.settings()}
}

// reviewed brings the reviews on a match.
type reviewed struct {
	table   *client.Table
	reviews []strategy.MoveReview
}

// review looks at every move of a match that has ended.
func review(at *client.Table) tea.Cmd {
	variant, moves := at.Variant, at.Moves
	return func() tea.Msg { return reviewed{at, strategy.Review(variant, moves)} }
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

// bestText is the moves that perfect play would have chosen from.
func bestText(v rules.Variant, r strategy.MoveReview) string {
	switch {
	case len(r.Best) == 0:
		return "none"
	case len(r.Best) == r.Choices:
		return "any move"
	case len(r.Best) > 6:
		return byBoard(r.Best)
	}
	words := make([]string, len(r.Best))
	for i, m := range r.Best {
		words[i] = v.FormatMove(m)
	}
	return strings.Join(words, " ")
}

// byBoard lists moves with each board's letter once: "A125 C7".
func byBoard(moves []rules.Move) string {
	var text strings.Builder
	for i, m := range moves {
		if i == 0 || m.Board != moves[i-1].Board {
			if i > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(rules.BoardName(int(m.Board)))
		}
		text.WriteString(strconv.Itoa(int(m.Cell)))
	}
	return text.String()
}

// summaryText is how the match ended, and the reviews on it in short: who let it slip last, by the end itself or by a
// move.
func summaryText(at *client.Table, reviews []strategy.MoveReview) string {
	end := reasonText(at)
	switch r, found := strategy.TurningPoint(reviews, at.Outcome); {
	case at.Outcome.IsVoid():
		return strings.TrimSuffix(end, ".") + ": the match does not count."
	case len(reviews) == 0:
		return end
	case strategy.ResignedWon(reviews, at.Outcome):
		return strings.TrimSuffix(end, ".") + " a won position."
	case found:
		return end + "  The turning point: move " + strconv.Itoa(r.Ply) + " (" + at.Variant.FormatMove(r.Move) + ")."
	case strategy.IsFlawless(reviews, at.Outcome):
		return end + "  Perfect play agrees with every move."
	default:
		return end
	}
}
