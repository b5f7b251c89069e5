package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type ladderScreen struct {
	page
	best []history.Standing
	own  history.Standing
	list[history.Standing]
}

type standings struct {
	version uint64
	best    []history.Standing
	own     history.Standing
}

func newLadder(e *env) *ladderScreen { return &ladderScreen{page: page{e, "Ladder"}} }

func (l *ladderScreen) enter() tea.Cmd { return l.env.readLatest(&l.env.page, l.read()) }

func (l *ladderScreen) read() historyQuery {
	// A command runs in another goroutine, and must not read l.
	h, p := l.env.history, l.env.player.ID
	return func(ctx context.Context) (tea.Msg, error) {
		if h == nil {
			return standings{}, nil
		}
		version := h.Version()
		own, err := h.Standing(ctx, match.PeoplePool, p)
		return standings{version, h.Ladder(match.PeoplePool, 0, history.MaxPage), own}, err
	}
}

func (l *ladderScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case standings:
		l.take(msg.best, msg.own)
		return l.env.awaitHistory(msg.version, l.read())
	case failedMsg:
		l.state = loaded
	case tea.KeyPressMsg:
		return r.runAction(l.actions())
	}
	return nil
}

func (l *ladderScreen) actions() []action {
	keys := l.env.keys
	return []action{
		{key: &keys.choose, short: textIf(l.state == loaded, "scroll"), long: "scroll", run: l.move},
		{key: &keys.back, short: "back", long: "back", run: toLobby},
	}
}

// take shows a new ladder. The first time it chooses the player's own row.
func (l *ladderScreen) take(best []history.Standing, own history.Standing) {
	l.best, l.own = best, own
	rows := ladderRows(best, own)
	if l.state == loading {
		isOwn := func(s history.Standing) bool { return s.Player.ID == l.env.player.ID }
		l.row = max(0, slices.IndexFunc(rows, isOwn))
	}
	l.show(rows, func(a, b history.Standing) bool { return a.Player.ID == b.Player.ID })
}

// ladderRows returns the rated players and the computer's levels, the best first. The player's standing own is added if
// it has a rating but no rank. If best is a full page, the levels below its last player are left out.
func ladderRows(best []history.Standing, own history.Standing) []history.Standing {
	rows := slices.Clone(best)
	for _, level := range strategy.Ladder() {
		rung := history.Standing{Player: match.Computer(level), Rating: rating.Rating{Points: level.Rating() * 1000}}
		if len(best) < history.MaxPage || rung.Rating.Points > best[len(best)-1].Rating.Points {
			rows = append(rows, rung)
		}
	}
	if own.Rank == 0 && !own.Ended.IsZero() {
		rows = append(rows, own)
	}
	slices.SortStableFunc(rows, func(a, b history.Standing) int { return cmp.Compare(b.Rating.Points, a.Rating.Points) })
	return rows
}

func (l *ladderScreen) draw(s *draw.Canvas) {
	area := l.header(s)
	if l.state == loading {
		return
	}
	area = area.Lower(s.Pick(0, 1, 1))
	if text := standingText(l.own, area.Width-2); text != "" {
		s.Text(area.X+2, area.Y, draw.Plain, s.Fit(text, area.Width-2))
		area = area.Lower(s.Pick(1, 2, 2))
	}
	if len(l.best) == 0 {
		y := s.Paragraph(area.X, area.Y, area.Width, draw.Strong, wording.NoLadder)
		area = area.Lower(y - area.Y)
		if s.IsRoomy() {
			s.Text(area.X, area.Y, draw.Faint, "Choose Play someone, then a rated pair.")
			area = area.Lower(2)
		}
	}
	ladderSection(s, area, "Players and computers")
	if area = area.Lower(1); area.Width >= wideRow {
		drawHeads(s, area, column{"#", 5}, column{"Player", 8}, column{"Rating", ratingColumn},
			column{"lost", 0}, column{"split", -pairsWidth}, column{"won", -2 * pairsWidth})
		area = area.Lower(1)
	}
	beaten := l.env.client.Beaten()
	l.list.draw(s, area, func(bounds draw.Rect, p history.Standing, role draw.Role) {
		s.Target.OnKey(bounds, "Enter")
		drawStanding(s, bounds, p, l.rows, l.own.Rank, beaten, role)
	})
}

func standingText(standing history.Standing, width int) string {
	text := wording.Standing(standing)
	short, _, hasPairs := strings.Cut(text, ". ")
	if !hasPairs {
		return text
	}
	return fit(width, text, short+".", "Rating "+standing.Rating.String()+".")
}

func ladderSection(s *draw.Canvas, area draw.Rect, heading string) {
	s.Section(area.X, area.Y, area.Width, heading)
	if area.Width < wideRow {
		s.TextRight(area.X+area.Width, area.Y, " won-split-lost")
	}
}

const ratingColumn = 26

// drawStanding draws the standing p into the line row. The gauge spans the ratings of rows. ownRank is the rank of the
// player at this screen. The lowest levels of the computer get a tick, as many as the parameter beaten.
func drawStanding(
	s *draw.Canvas, row draw.Rect, p history.Standing, rows []history.Standing, ownRank, beaten int, role draw.Role,
) {
	line, unchosen := draw.Opponent, draw.Plain
	isOwn := !p.Player.IsComputer() && p.Rank == ownRank
	switch {
	case p.Player.IsComputer():
		line, unchosen = draw.Grid, draw.Faint
	case isOwn:
		line, unchosen = draw.Own, draw.Strong
	}
	if role == draw.Plain {
		role = unchosen
	}
	start := row.X + row.Width
	switch {
	case p.Player.IsComputer():
		if row.Width >= wideRow {
			start -= 3 * pairsWidth
		}
	case row.Width >= wideRow:
		for i, pairs := range [...]int{p.Lost, p.Split, p.Won} {
			s.TextRight(start-i*pairsWidth, row.Y, strconv.Itoa(pairs))
		}
		start -= 3 * pairsWidth
	default:
		start = s.TextRight(start, row.Y, fmt.Sprintf("%d-%d-%d", p.Won, p.Split, p.Lost))
	}
	if p.Rank > 0 {
		s.TextRight(row.X+6, row.Y, strconv.Itoa(p.Rank))
	}
	rating := row.X + min(ratingColumn, row.Width-6)
	x := s.Text(row.X+8, row.Y, role, cutName(s, p.Player.Name, rating-row.X-9))
	note := ""
	switch {
	case isOwn:
		note = "you"
	case p.Player.IsComputer():
		note = "computer"
	}
	if x+1+draw.Columns(note) < rating {
		s.Text(x+1, row.Y, draw.Faint, note)
	}
	x = s.Text(rating, row.Y, role, p.Rating.String())
	ladder := strategy.Ladder()
	if i := slices.Index(ladder, p.Player.Level); i >= 0 && i < beaten {
		s.Text(x+1, row.Y, draw.Good, s.Glyphs.Tick)
	}
	x = rating + 7
	if room := start - x - 2; room >= 8 {
		least, best := rows[len(rows)-1].Rating, rows[0].Rating
		s.Gauge(x, row.Y, room, line, p.Rating.WholePoints(), least.WholePoints(), best.WholePoints())
	}
}

func (l *ladderScreen) notice() (string, draw.Role) {
	const pair = "A rated pair is two games"
	return l.env.either(pair+": each player starts one.", pair+"."), draw.Faint
}
