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

func (l *ladderScreen) enter() tea.Cmd { return l.env.do(nil, l.read()) }

func (l *ladderScreen) read() historyQuery {
	h, p := l.env.history, l.env.player.ID // now: a command runs in a goroutine of its own
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
		return l.env.nextRead(msg.version, l.read())
	case failed:
		l.state = loaded
	case tea.KeyPressMsg:
		return r.do(l.actions())
	}
	return nil
}

func (l *ladderScreen) actions() []action {
	k := l.env.keys
	return []action{
		{key: &k.choose, short: when(l.state == loaded, "scroll"), long: "scroll", do: l.move},
		{key: &k.back, short: "back", long: "back", do: toLobby},
	}
}

// take shows a new ladder. The first time it chooses the player's own row.
func (l *ladderScreen) take(best []history.Standing, own history.Standing) {
	l.best, l.own = best, own
	rows := rungs(best, own)
	if l.state == loading {
		isOwn := func(s history.Standing) bool { return s.Player.ID == l.env.player.ID }
		l.row = max(0, slices.IndexFunc(rows, isOwn))
	}
	l.show(rows, func(a, b history.Standing) bool { return a.Player.ID == b.Player.ID })
}

// rungs returns the rated players and the computer's levels, the best first. It adds own by rating if the player has no
// rank yet. If best is a full page, rungs leaves out the levels below its last player.
func rungs(best []history.Standing, own history.Standing) []history.Standing {
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
		if s.Roomy() {
			s.Text(area.X, area.Y, draw.Faint, "Choose Play someone, and there a rated pair.")
			area = area.Lower(2)
		}
	}
	ladderSection(s, area, "Players and computers")
	if area = area.Lower(1); area.Width >= wideRow {
		drawHeads(s, area, head{"#", 5}, head{"Player", 8}, head{"Rating", ratingColumn},
			head{"lost", 0}, head{"split", -pairsWidth}, head{"won", -2 * pairsWidth})
		area = area.Lower(1)
	}
	beaten := l.env.client.Beaten()
	l.list.draw(s, area, func(at draw.Rect, p history.Standing, k draw.Role) {
		s.Target.OnKey(at, "Enter")
		drawStanding(s, at, p, l.rows, l.own.Rank, beaten, k)
	})
}

// standingText returns a standing in the longest form that fits: with the pairs, without them, or only the rating.
func standingText(standing history.Standing, width int) string {
	text := wording.Standing(standing)
	short, _, hasPairs := strings.Cut(text, ". ")
	if !hasPairs {
		return text
	}
	return fit(width, text, short+".", "Rating "+standing.Rating.String()+".")
}

// ladderSection writes the heading of a ladder. Above narrow rows it also names the numbers at their ends.
func ladderSection(s *draw.Canvas, area draw.Rect, heading string) {
	s.Section(area.X, area.Y, area.Width, heading)
	if area.Width < wideRow {
		s.TextRight(area.X+area.Width, area.Y, " won-split-lost")
	}
}

const ratingColumn = 26

// drawStanding writes player p of rows into a row. ownRank is the rank of the player at this screen. The lowest beaten
// levels of the computer get a tick.
func drawStanding(
	s *draw.Canvas, row draw.Rect, p history.Standing, rows []history.Standing, ownRank, beaten int, k draw.Role,
) {
	line, role := draw.Other, draw.Plain
	isOwn := !p.Player.IsComputer() && p.Rank == ownRank
	switch {
	case p.Player.IsComputer():
		line, role = draw.Grid, draw.Faint
	case isOwn:
		line, role = draw.Here, draw.Strong
	}
	if k == draw.Plain {
		k = role
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
	x := s.Text(row.X+8, row.Y, k, s.Fit(p.Player.Name, rating-row.X-9))
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
	x = s.Text(rating, row.Y, k, p.Rating.String())
	ladder := strategy.Ladder()
	if i := slices.Index(ladder, p.Player.Level); i >= 0 && i < beaten {
		s.Text(x+1, row.Y, draw.Good, s.Glyphs.Tick)
	}
	x = rating + 7
	if room := start - x - 2; room >= 8 {
		s.Gauge(x, row.Y, room, line, p.Rating.Value(), rows[len(rows)-1].Rating.Value(), rows[0].Rating.Value())
	}
}

func (l *ladderScreen) notice() (string, draw.Role) {
	const pair = "A rated pair is two games"
	return l.env.either(pair+": each player begins one.", pair+"."), draw.Faint
}
