package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// ladderScreen is the players with the best ratings.
type ladderScreen struct {
	env    *env
	best   []history.Standing
	own    history.Standing
	beaten int // how many of the computers the player has beaten, from the lowest on
	state  loadState
	listRow
}

// standings is the ladder, and where the player stands on it.
type standings struct {
	version uint64
	best    []history.Standing
	own     history.Standing
}

func newLadder(e *env) *ladderScreen { return &ladderScreen{env: e} }

func (l *ladderScreen) enter() tea.Cmd { return l.env.commands.do(nil, l.read()) }

// read reads the ladder, which is empty where no history is kept.
func (l *ladderScreen) read() historyQuery {
	h, p := l.env.commands.history, l.env.player.ID // now: a command runs in a goroutine of its own
	return func(ctx context.Context) (tea.Msg, error) {
		if h == nil {
			return standings{}, nil
		}
		version := h.Version()
		own, err := h.Standing(ctx, match.PeoplePool, p)
		return standings{version, h.Ladder(match.PeoplePool, 0, history.MaxPage), own}, err
	}
}

func (l *ladderScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case standings:
		l.show(msg)
		return nil, l.env.commands.nextRead(msg.version, l.read())
	case failed:
		l.state = loaded
	case tea.KeyPressMsg:
		keys := l.env.keys
		switch {
		case l.move(msg, keys, len(l.rows())):
		case key.Matches(msg, keys.back):
			return toLobby{}, nil
		}
	}
	return nil, nil
}

// show takes a ladder. The chosen row is the player's own at first, and then stays at the chosen player.
func (l *ladderScreen) show(next standings) {
	chosen := l.env.player.ID
	if rows := l.rows(); l.state == loaded && l.row < len(rows) {
		chosen = rows[l.row].Player.ID
	}
	l.best, l.own, l.state = next.best, next.own, loaded
	l.beaten = l.env.commands.client.Beaten()
	rows := l.rows()
	if at := slices.IndexFunc(rows, func(s history.Standing) bool { return s.Player.ID == chosen }); at >= 0 {
		l.row = at
	}
	l.row = min(l.row, len(rows)-1)
}

// rows returns the rated players with the computers as rungs between them, the best first, and the player where they
// would stand if they are not listed yet. The rungs below a page that is full are not shown.
func (l *ladderScreen) rows() []history.Standing {
	rows := slices.Clone(l.best)
	for _, level := range strategy.Ladder() {
		rung := history.Standing{Player: match.Computer(level), Rating: rating.Rating{Points: level.Rating() * 1000}}
		if len(l.best) < history.MaxPage || rung.Rating.Points > l.best[len(l.best)-1].Rating.Points {
			rows = append(rows, rung)
		}
	}
	if l.own.Rank == 0 && !l.own.Ended.IsZero() {
		rows = append(rows, l.own)
	}
	slices.SortStableFunc(rows, func(a, b history.Standing) int { return cmp.Compare(b.Rating.Points, a.Rating.Points) })
	return rows
}

func (l *ladderScreen) draw(s *draw.Canvas) {
	s.Page()
	area := s.Header("Ladder", l.env.player.Name)
	if l.state == loading {
		return
	}
	if s.Roomy() {
		area = area.Lower(1)
	}
	if text := standingText(l.own, area.Width-2); text != "" {
		s.Text(area.X+2, area.Y, draw.Plain, s.Fit(text, area.Width-2))
		if area = area.Lower(1); s.Roomy() {
			area = area.Lower(1)
		}
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
		drawHeads(s, area)
		area = area.Lower(1)
	}
	rows := l.rows()
	l.listRow.draw(s, area, len(rows), func(at draw.Rect, i int, here bool) {
		l.drawStanding(s, at, rows[i], rows, here)
	})
}

// standingText is a player's standing in the longest form that fits into a width: with the pairs, without, or in short.
func standingText(standing history.Standing, width int) string {
	text := wording.Standing(standing)
	short, _, hasPairs := strings.Cut(text, ". ")
	if !hasPairs {
		return text
	}
	return fitting(width, text, short+".", "Rating "+standing.Rating.String()+".")
}

// ladderSection is the heading of a ladder. Where the rows are narrow it says what the numbers at their ends are.
func ladderSection(s *draw.Canvas, area draw.Rect, heading string) {
	s.Section(area.X, area.Y, area.Width, heading)
	if area.Width < wideRow {
		s.TextRight(area.X+area.Width, area.Y, " won-split-lost")
	}
}

// drawHeads names the columns of the ladder.
func drawHeads(s *draw.Canvas, row draw.Rect) {
	s.TextRight(row.X+6, row.Y, "#")
	s.Text(row.X+8, row.Y, draw.Faint, "Player")
	s.Text(row.X+ratingColumn, row.Y, draw.Faint, "Rating")
	for i, head := range [...]string{"lost", "split", "won"} {
		s.TextRight(row.X+row.Width-i*pairsWidth, row.Y, head)
	}
}

// ratingColumn is where the ratings of the ladder stand.
const ratingColumn = 26

// drawStanding writes a player of some rows of the ladder into a row: the rank, the name and the rating, and as much
// more as there is room for. Of a computer it says whether the player has beaten it.
func (l *ladderScreen) drawStanding(
	s *draw.Canvas, row draw.Rect, p history.Standing, rows []history.Standing, here bool,
) {
	k, line := draw.Plain, draw.Other
	isOwn := !p.Player.IsComputer() && p.Rank == l.own.Rank
	switch {
	case p.Player.IsComputer():
		k, line = draw.Faint, draw.Grid
	case isOwn:
		k, line = draw.Strong, draw.Here
	}
	if here {
		k = draw.Chosen
		s.Point(row.X, row.Y)
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
	if i := slices.Index(ladder, p.Player.Level); i >= 0 && i < l.beaten {
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

func (l *ladderScreen) title() string { return "Ladder" }

// ShortHelp is part of help.KeyMap.
func (l *ladderScreen) ShortHelp() []key.Binding {
	k := l.env.keys
	choose := renamed(k.choose, "scroll")
	choose.SetEnabled(l.state == loaded)
	return []key.Binding{choose, k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (l *ladderScreen) FullHelp() [][]key.Binding {
	k := l.env.keys
	return [][]key.Binding{{renamed(k.choose, "scroll"), k.back}, l.env.settingsOf()}
}
