package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// ladderScreen is the players with the best ratings.
type ladderScreen struct {
	env   *env
	best  []history.Standing
	own   history.Standing
	state loadState
	listRow
}

// standings is the ladder, and where the player stands on it, as far as the history has been read.
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
		case l.move(msg, keys, len(l.best)):
		case key.Matches(msg, keys.back):
			return toLobby{}, nil
		}
	}
	return nil, nil
}

// show takes a ladder. The chosen row is the player's own at first, and then stays at the chosen player.
func (l *ladderScreen) show(next standings) {
	chosen := l.env.player.ID
	if l.row < len(l.best) {
		chosen = l.best[l.row].Player.ID
	}
	at := slices.IndexFunc(next.best, func(s history.Standing) bool { return s.Player.ID == chosen })
	if at >= 0 {
		l.row = at
	}
	l.best, l.own, l.state = next.best, next.own, loaded
	l.row = max(0, min(l.row, len(l.best)-1))
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
	if text := standingText(s, l.own); text != "" {
		s.Text(area.X+2, area.Y, draw.Plain, s.Fit(text, area.Width-2))
		if area = area.Lower(1); s.Roomy() {
			area = area.Lower(1)
		}
	}
	if area.Height >= 12 && area.Width >= wideRow {
		const height = 3
		below := area.Lower(area.Height - height)
		area.Height -= height + 1
		if n := len(l.best); n > 0 {
			below.Y = min(below.Y, area.Y+n+3)
		}
		drawRungs(s, below, l.env.commands.client.Beaten())
	}
	if len(l.best) == 0 {
		text, more, _ := strings.Cut(wording.NoLadder, ". ")
		drawNothing(s, area, text+".", more+"\nChoose Play someone "+s.Glyphs.Less+" rated pair "+s.Glyphs.More)
		return
	}
	ladderSection(s, area, "Rated players")
	if area = area.Lower(1); area.Width >= wideRow {
		drawHeads(s, area)
		area = area.Lower(1)
	}
	l.listRow.draw(s, area, len(l.best), func(at draw.Rect, i int, here bool) {
		l.drawStanding(s, at, l.best[i], here)
	})
}

// standingText is a player's standing, in a small window without the pairs.
func standingText(s *draw.Canvas, standing history.Standing) string {
	text := wording.Standing(standing)
	if short, _, hasPairs := strings.Cut(text, ". "); hasPairs && !s.Roomy() {
		return short + "."
	}
	return text
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

// drawStanding writes a player of the ladder into a row: the rank, the name and the rating, and as much more as there
// is room for.
func (l *ladderScreen) drawStanding(s *draw.Canvas, row draw.Rect, p history.Standing, here bool) {
	k, line := draw.Plain, draw.Other
	if p.Rank == l.own.Rank {
		k, line = draw.Strong, draw.Here
	}
	if here {
		k = draw.Chosen
		s.Point(row.X, row.Y)
	}
	start := row.X + row.Width
	if row.Width >= wideRow {
		for i, pairs := range [...]int{p.Lost, p.Split, p.Won} {
			s.TextRight(start-i*pairsWidth, row.Y, strconv.Itoa(pairs))
		}
		start -= 3 * pairsWidth
	} else {
		start = s.TextRight(start, row.Y, fmt.Sprintf("%d-%d-%d", p.Won, p.Split, p.Lost))
	}
	s.TextRight(row.X+6, row.Y, strconv.Itoa(p.Rank))
	rating := row.X + min(ratingColumn, row.Width-6)
	x := s.Text(row.X+8, row.Y, k, s.Fit(p.Player.Name, rating-row.X-9))
	if p.Rank == l.own.Rank && x+4 < rating {
		s.Text(x+1, row.Y, draw.Faint, "you")
	}
	x = s.Text(rating, row.Y, k, p.Rating.String()) + 2
	if room := start - x - 2; room >= 8 {
		best, least := l.best[0].Rating.Value(), l.best[len(l.best)-1].Rating.Value()
		s.Gauge(x, row.Y, room, line, p.Rating.Value(), least, best)
	}
}

// drawRungs writes the computer players with their ratings, which stand between those of people, and a sign at those
// that the player has beaten.
func drawRungs(s *draw.Canvas, area draw.Rect, beaten int) {
	s.Section(area.X, area.Y, area.Width, "Computers")
	levels := strategy.Ladder()
	width := area.Width / len(levels)
	for i, level := range levels {
		x := area.X + 2 + i*width
		s.Text(x, area.Y+1, draw.Plain, s.Fit(level.String(), width-1))
		end := s.Text(x, area.Y+2, draw.Faint, strconv.Itoa(level.Rating()))
		if i < beaten {
			s.Text(end+1, area.Y+2, draw.Good, s.Glyphs.Tick)
		}
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
	choose.SetEnabled(len(l.best) > 1)
	return []key.Binding{choose, k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (l *ladderScreen) FullHelp() [][]key.Binding {
	k := l.env.keys
	return [][]key.Binding{{renamed(k.choose, "scroll"), k.back}, l.env.settingsOf()}
}
