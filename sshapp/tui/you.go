package tui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type youScreen struct {
	page
	record record
	list[history.Entry]
}

type record struct {
	version  uint64
	totals   history.Totals
	standing history.Standing
	last     history.RatedPair // zero without a rated pair
	matches  []history.Entry
}

// toList shows the list from which the player came to a match, or the lobby if y is nil.
func (r *Root) toList(y *youScreen) tea.Cmd {
	if y == nil {
		return r.enterLobby("")
	}
	y.state = loaded
	return r.show(y)
}

func newYou(e *env) *youScreen { return &youScreen{page: page{e, "You"}} }

func (y *youScreen) enter() tea.Cmd { return y.env.do(nil, y.read()) }

func (y *youScreen) read() historyQuery {
	h, p := y.env.history, y.env.player.ID // now: a command runs in a goroutine of its own
	return func(ctx context.Context) (tea.Msg, error) {
		if h == nil {
			return record{}, nil
		}
		version := h.Version()
		totals, err := h.Totals(ctx, p)
		if err != nil {
			return nil, err
		}
		standing, err := h.Standing(ctx, match.PeoplePool, p)
		if err != nil {
			return nil, err
		}
		next := record{version: version, totals: totals, standing: standing}
		pairs, err := h.RatedPairs(ctx, match.PeoplePool, p, history.RatedPair{}, 1)
		if err != nil {
			return nil, err
		}
		if len(pairs) > 0 {
			next.last = pairs[0]
		}
		next.matches, err = h.List(ctx, p, 0, history.MaxPage, true)
		return next, err
	}
}

func (y *youScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case record:
		y.take(msg)
		return y.env.nextRead(msg.version, y.read())
	case failed:
		y.state = loaded
	case tea.KeyPressMsg:
		return r.do(y.actions())
	}
	return nil
}

// take shows a new record. If the first row is chosen, the first row stays chosen.
func (y *youScreen) take(next record) {
	y.record = next
	if y.row == 0 {
		y.rows = nil
	}
	y.show(next.matches, func(a, b history.Entry) bool { return a.Match == b.Match })
}

func (y *youScreen) actions() []action {
	k := y.env.keys
	return []action{
		{key: &k.choose, short: when(len(y.rows) > 1, "choose"), long: "choose", do: y.move},
		{key: &k.enter, short: when(len(y.rows) > 0, "review"), long: "review the match", do: func(*Root) tea.Cmd {
			if y.state != loaded || y.row >= len(y.rows) {
				return nil
			}
			y.state = opening
			return y.env.watch(y.rows[y.row].Match)
		}},
		{key: &k.back, short: "back", long: "back", do: toLobby},
	}
}

func (y *youScreen) draw(s *draw.Canvas) {
	area := y.header(s).Lower(s.Pick(0, 1, 1))
	switch {
	case y.state == loading:
		return
	case y.env.player.Guest:
		drawNothing(s, area, "You are a guest, so your matches are not listed.",
			"Connect with an SSH key to list them: ssh-keygen makes one.")
		return
	case len(y.rows) == 0:
		drawNothing(s, area, "No finished matches yet.", "Every match you finish is listed here, with a review.")
		return
	}
	lines := wording.Totals(y.record.totals)
	if text := y.ratingText(area.Width - 2); text != "" {
		lines = append([]string{text}, lines...)
	}
	for _, line := range lines {
		x := area.X + s.Pick(0, 2, 2)
		s.Text(x, area.Y, draw.Plain, s.Fit(line, area.X+area.Width-x))
		area = area.Lower(1)
	}
	area = area.Lower(s.Pick(0, 1, 1))
	if area.Width >= withOpponents {
		right := area
		area.Width = area.Width * 62 / 100
		right.X, right.Width = area.X+area.Width+4, right.Width-area.Width-4
		y.drawOpponents(s, right)
	}
	s.Section(area.X, area.Y, area.Width, "Finished matches")
	if area = area.Lower(1); area.Width >= wideRow {
		drawHeads(s, area, head{"Result", 2}, head{"Opponent", opponentColumn}, head{"Game", gameColumn},
			head{"Moves", -movesWidth}, head{"Ended", 0})
		area = area.Lower(1)
	}
	y.drawMatches(s, area)
}

// ratingText returns the rating and the change by the last pair, in the longest form that fits.
func (y *youScreen) ratingText(width int) string {
	text := standingText(y.record.standing, width)
	if y.record.last.Match == "" {
		return text
	}
	change := "Rating " + wording.RatingChange(y.record.last)
	progress := wording.LadderProgress(y.record.last, y.record.standing)
	if progress == "" {
		return text
	}
	_, pairs, _ := strings.Cut(wording.Standing(y.record.standing), ". ")
	return fit(width, change+", "+progress+". "+pairs, change+", "+progress+".", change+", "+briefProgress(progress),
		change)
}

const withOpponents = 110

type opponentRecord struct {
	name             string
	won, lost, drawn int
}

func (o opponentRecord) matches() int { return o.won + o.lost + o.drawn }

// recordsOf adds up the matches by opponent. The opponent with the most matches comes first.
func recordsOf(matches []history.Entry) []opponentRecord {
	var all []opponentRecord
	at := make(map[match.PlayerID]int)
	for _, e := range matches {
		i, known := at[e.Opponent.ID]
		if !known {
			i = len(all)
			at[e.Opponent.ID], all = i, append(all, opponentRecord{name: wording.Name(e.Opponent)})
		}
		switch e.Result() {
		case "won":
			all[i].won++
		case "lost":
			all[i].lost++
		default:
			all[i].drawn++
		}
	}
	slices.SortStableFunc(all, func(a, b opponentRecord) int { return b.matches() - a.matches() })
	return all
}

func (y *youScreen) drawOpponents(s *draw.Canvas, area draw.Rect) {
	heading := "Opponents"
	if shown := len(y.rows); shown < y.record.totals.Matches {
		heading += " of the last " + strconv.Itoa(shown) + " matches"
	}
	s.Section(area.X, area.Y, area.Width, heading)
	end := area.X + area.Width
	drawHeads(s, area.Lower(1), head{"drawn", 0}, head{"lost", -pairsWidth}, head{"won", -2 * pairsWidth})
	for row, t := range recordsOf(y.rows) {
		top := area.Y + 2 + row
		if top >= area.Y+area.Height {
			return
		}
		for i, n := range [...]int{t.drawn, t.lost, t.won} {
			s.TextRight(end-i*pairsWidth, top, strconv.Itoa(n))
		}
		s.Text(area.X+2, top, draw.Plain, s.Fit(t.name, area.Width-3*pairsWidth-3))
	}
}

func (y *youScreen) drawMatches(s *draw.Canvas, area draw.Rect) {
	if len(y.rows) > area.Height {
		area.Height-- // the last row says how many more there are
	}
	now := y.env.now()
	first, end := y.list.draw(s, area, func(at draw.Rect, e history.Entry, k draw.Role) {
		s.Target.OnKey(at, "Enter")
		drawFinished(s, at, e, k, now)
	})
	var more []string
	if first > 0 {
		more = append(more, strconv.Itoa(first)+" before")
	}
	if older := y.record.totals.Matches - end; older > 0 {
		more = append(more, strconv.Itoa(older)+" more")
	}
	s.Text(area.X+2, area.Y+end-first, draw.Faint, strings.Join(more, ", "))
}

func drawFinished(s *draw.Canvas, row draw.Rect, e history.Entry, k draw.Role, now time.Time) {
	role := k // the colour of won and lost stays under the selection
	switch {
	case e.Winner == e.Side:
		role = draw.Good
	case e.Winner == e.Side.Other():
		role = draw.Bad
	}
	end := row.X + row.Width
	if row.Width >= wideRow {
		verb := map[string]string{"won": "won against", "lost": "lost to", "draw": "drew with"}[e.Result()]
		s.Text(row.X+2, row.Y, role, verb)
		s.Text(row.X+opponentColumn, row.Y, k, fitName(s, e.Opponent, gameColumn-opponentColumn-1))
		moves := s.TextRight(end-movesWidth, row.Y, strconv.Itoa(e.Plies))
		game := row.X + gameColumn
		s.Text(game, row.Y, draw.Faint, s.Fit(wording.Terms(e.Terms), moves-game-1))
		s.TextRight(end, row.Y, wording.Day(e.Ended, now))
		return
	}
	const day, name = 9, 7
	s.TextRight(end, row.Y, wording.BriefDay(e.Ended, now))
	start := s.TextRight(end-day, row.Y, wording.Variant(e.Variant))
	s.Text(row.X+2, row.Y, role, map[string]string{"won": "won", "lost": "lost", "draw": "drew"}[e.Result()])
	s.Text(row.X+name, row.Y, k, fitName(s, e.Opponent, start-row.X-name-1))
}

func (y *youScreen) notice() (string, draw.Role) {
	e, command := y.env, "ssh "+y.env.host+" me"
	text := fit(e.width-2, "Your name, keys and data: "+command, "Name, keys, data: "+command, command)
	if e.player.Guest || draw.Columns(text) > e.width-2 {
		return "", draw.Plain
	}
	return text, draw.Faint
}
