package tui

import (
	"context"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// youScreen is the player's finished matches, the newest first, and what they add up to.
type youScreen struct {
	session *session
	record  record
	state   loadState
	row     int
}

// loadState is how far a screen is with what it shows.
type loadState uint8

const (
	loading loadState = iota
	loaded
	opening // the chosen match
)

// record is what the history has of a player.
type record struct {
	totals  history.Totals
	matches []history.Entry
}

// record reads the player's history; there is nothing in that of a guest, or where none is kept.
func (w *commands) record(p match.PlayerID) tea.Cmd {
	return w.do(nil, func(ctx context.Context) (tea.Msg, error) {
		if w.history == nil {
			return record{}, nil
		}
		totals, err := w.history.Totals(ctx, p)
		if err != nil {
			return nil, err
		}
		matches, err := w.history.List(ctx, p, 0, history.MaxPage, true)
		return record{totals, matches}, err
	})
}

func newYou(s *session) *youScreen { return &youScreen{session: s} }

func (u *youScreen) enter() tea.Cmd { return u.session.commands.record(u.session.player.ID) }

func (u *youScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case record:
		u.record, u.state = msg, loaded
	case failed:
		u.state = loaded
	case tea.KeyPressMsg:
		return u.press(msg)
	}
	return nil, nil
}

func (u *youScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys := u.session.keys
	switch {
	case key.Matches(press, keys.up):
		u.row = max(0, u.row-1)
	case key.Matches(press, keys.down):
		u.row = max(0, min(u.row+1, len(u.record.matches)-1))
	case key.Matches(press, keys.back):
		return toLobby{}, nil
	case key.Matches(press, keys.enter) && u.state == loaded && u.row < len(u.record.matches):
		u.state = opening
		return nil, u.session.commands.watch(u.record.matches[u.row].Match, u.session.player.ID)
	}
	return nil, nil
}

func (u *youScreen) chooseRow(row int) { u.row = row }

func (u *youScreen) draw(s *draw.Canvas) {
	s.Narrow(96)
	area := s.Header("You", u.session.player.Name)
	if s.Roomy() {
		area = area.Lower(1)
	}
	switch {
	case u.state == loading:
		return
	case u.session.player.Guest:
		u.drawEmpty(s, area, "You are a guest: your matches are not listed.", "With a key they are. ssh-keygen makes one.")
		return
	case len(u.record.matches) == 0:
		u.drawEmpty(s, area, "No finished matches yet.", "Every match you finish is listed here, with a review.")
		return
	}
	for _, line := range wording.Totals(u.record.totals) {
		x := area.X
		if s.Roomy() {
			x += 2
		}
		s.Text(x, area.Y, draw.Plain, s.Fit(line, area.X+area.Width-x))
		area = area.Lower(1)
	}
	if s.Roomy() {
		area = area.Lower(1)
	}
	s.Section(area.X, area.Y, area.Width, "Finished matches")
	area = area.Lower(1)
	all := u.record.matches
	if len(all) > area.Height {
		area.Height-- // it says how many more there are
	}
	first := max(0, min(u.row-area.Height/2, len(all)-area.Height))
	end := min(len(all), first+area.Height)
	now := u.session.commands.now()
	for i := first; i < end; i++ {
		row := draw.Rect{X: area.X, Y: area.Y + i - first, Width: area.Width, Height: 1}
		s.Target.OnEntry(row, i)
		drawFinished(s, row, all[i], i == u.row, now)
	}
	var more []string
	if first > 0 {
		more = append(more, strconv.Itoa(first)+" before")
	}
	if older := u.record.totals.Matches - end; older > 0 {
		more = append(more, strconv.Itoa(older)+" more")
	}
	s.Text(area.X+2, area.Y+end-first, draw.Faint, strings.Join(more, ", "))
}

func (u *youScreen) drawEmpty(s *draw.Canvas, area draw.Rect, text, more string) {
	drawNothing(s, area, text, more)
}

// drawFinished writes a finished match into a row: the result and the opponent, and as much more as there is room for.
func drawFinished(s *draw.Canvas, row draw.Rect, e history.Entry, here bool, now time.Time) {
	k := draw.Plain
	if here {
		k = draw.Chosen
		s.Point(row.X, row.Y)
	}
	right := wording.Terms(e.Terms)
	if row.Width >= 60 {
		s.TextRight(row.X+row.Width, row.Y, wording.Day(e.Ended, now))
		row.Width -= dayWidth
		right += ", " + wording.Count(e.Plies, "move", "moves")
	}
	start := s.TextRight(row.X+row.Width, row.Y, right)
	role := k
	switch {
	case here:
	case e.Winner == e.Side:
		role = draw.Good
	case e.Winner == e.Side.Other():
		role = draw.Bad
	}
	verb := map[string]string{"won": "won against", "lost": "lost to", "draw": "drew with"}[e.Result()]
	s.Text(row.X+2, row.Y, role, verb)
	s.Text(row.X+14, row.Y, k, s.Fit(e.Opponent.Name, start-row.X-16))
}

// dayWidth is the width of the column of days.
const dayWidth = 15

func (u *youScreen) notice() (string, draw.Role) { return "", draw.Plain }

func (u *youScreen) title() string { return "You" }

// ShortHelp is part of help.KeyMap.
func (u *youScreen) ShortHelp() []key.Binding {
	k := u.session.keys
	if len(u.record.matches) == 0 {
		return []key.Binding{k.back, k.help}
	}
	return []key.Binding{k.choose, renamed(k.enter, "review"), k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (u *youScreen) FullHelp() [][]key.Binding {
	k := u.session.keys
	return [][]key.Binding{{k.choose, renamed(k.enter, "review the match"), k.back}, settingsOf(u.session)}
}
