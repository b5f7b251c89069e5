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
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type youScreen struct {
	page
	record record
	list[history.Entry]
	cachedActions cachedActions[youState]
}

type record struct {
	version  uint64
	totals   history.Totals
	standing history.Standing
	last     history.RatedPair // zero without a rated pair
	matches  []history.Entry
}

// toList shows the list that led the player to a match, or the lobby if list is nil.
func (r *Root) toList(list screen) tea.Cmd {
	if list == nil {
		return r.enterLobby("")
	}
	return r.show(list)
}

func newYou(e *env) *youScreen { return &youScreen{page: page{e, "You"}} }

func (y *youScreen) enter() tea.Cmd {
	if y.state == opening {
		y.state = loaded
	}
	return y.env.readLatest(&y.env.page, y.read())
}

func (y *youScreen) read() historyQuery {
	// A command runs in another goroutine, and must not read y.
	h, m, p := y.env.history, y.env.manager, y.env.player.ID
	return func(ctx context.Context) (tea.Msg, error) {
		if h == nil {
			return record{}, nil
		}
		version := h.Version()
		totals, err := client.Totals(ctx, h, m, p)
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
		return y.env.awaitHistory(msg.version, y.read())
	case failedMsg:
		y.state = loaded
	case tea.KeyPressMsg:
		return r.runAction(y.actions())
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

// youState holds the values that determine the actions of the player's record.
type youState struct {
	keys                *keyMap
	hasMatch, hasChoice bool
}

func (y *youScreen) actions() []action {
	return y.cachedActions.get(youState{y.env.keys, len(y.rows) > 0, len(y.rows) > 1}, y.newActions)
}

func (y *youScreen) newActions(now youState) []action {
	keys := now.keys
	return []action{
		{key: &keys.choose, short: textIf(now.hasChoice, "choose"), long: "choose", run: y.move},
		{key: &keys.enter, short: textIf(now.hasMatch, "review"), long: "review the match", run: func(*Root) tea.Cmd {
			if y.state != loaded || y.row >= len(y.rows) {
				return nil
			}
			y.state = opening
			return y.env.watch(y.rows[y.row].Match)
		}},
		{key: &keys.back, short: "back", long: "back", run: toLobby},
	}
}

func (y *youScreen) draw(s *draw.Canvas) {
	area := y.header(s).Lower(s.Pick(0, 1, 1))
	switch {
	case y.state == loading:
		return
	case y.env.player.Guest:
		drawEmptyList(s, area, "Guests keep no history.",
			"Run ssh-keygen once, then connect again. There is no sign-up.")
		return
	case len(y.rows) == 0:
		drawEmptyList(s, area, "No finished matches yet.", "Matches appear here when they end, each with a review.")
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
	if area.Width >= opponentsMinWidth {
		right := area
		area.Width = area.Width * 62 / 100
		right.X, right.Width = area.X+area.Width+4, right.Width-area.Width-4
		y.drawOpponents(s, right)
	}
	s.Section(area.X, area.Y, area.Width, "Finished matches")
	if area = area.Lower(1); area.Width >= wideRow {
		drawHeads(s, area, column{"Result", 2}, column{"Opponent", opponentColumn}, column{"Game", gameColumn},
			column{"Moves", -movesFromRight}, column{"Ended", 0})
		area = area.Lower(1)
	}
	y.drawMatches(s, area)
}

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
	return fit(width, change+", "+progress+". "+pairs, change+", "+progress+".", change+", "+shortenProgress(progress),
		change)
}

const opponentsMinWidth = 110

type opponentRecord struct {
	name             string
	won, lost, drawn int
}

func (o opponentRecord) matches() int { return o.won + o.lost + o.drawn }

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
	drawHeads(s, area.Lower(1), column{"drawn", 0}, column{"lost", -pairsWidth}, column{"won", -2 * pairsWidth})
	for row, t := range recordsOf(y.rows) {
		top := area.Y + 2 + row
		if top >= area.Y+area.Height {
			return
		}
		for i, n := range [...]int{t.drawn, t.lost, t.won} {
			s.TextRight(end-i*pairsWidth, top, strconv.Itoa(n))
		}
		s.Text(area.X+2, top, draw.Plain, cutName(s, t.name, area.Width-3*pairsWidth-3))
	}
}

func (y *youScreen) drawMatches(s *draw.Canvas, area draw.Rect) {
	if len(y.rows) > area.Height {
		area.Height-- // the last row says how many more matches there are
	}
	now := y.env.now()
	first, end := y.list.draw(s, area, func(bounds draw.Rect, e history.Entry, role draw.Role) {
		s.Target.OnKey(bounds, "Enter")
		drawFinished(s, bounds, e, role, now)
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

func drawFinished(s *draw.Canvas, row draw.Rect, e history.Entry, role draw.Role, now time.Time) {
	resultRole := role // the colour of won and lost stays if the row is chosen
	switch {
	case e.Winner == e.Side:
		resultRole = draw.Good
	case e.Winner == e.Side.Other():
		resultRole = draw.Bad
	}
	end := row.X + row.Width
	if row.Width >= wideRow {
		s.Text(row.X+2, row.Y, resultRole, wording.ResultVerb(e))
		s.Text(row.X+opponentColumn, row.Y, role, fitName(s, e.Opponent, gameColumn-opponentColumn-1))
		moves := s.TextRight(end-movesFromRight, row.Y, strconv.Itoa(e.Plies))
		game := row.X + gameColumn
		s.Text(game, row.Y, draw.Faint, s.Fit(wording.Terms(e.Terms), moves-game-1))
		s.TextRight(end, row.Y, wording.Day(e.Ended, now))
		return
	}
	const day, name = 9, 7
	s.TextRight(end, row.Y, wording.BriefDay(e.Ended, now))
	start := s.TextRight(end-day, row.Y, wording.Variant(e.Variant))
	s.Text(row.X+2, row.Y, resultRole, map[string]string{"won": "won", "lost": "lost", "draw": "drew"}[e.Result()])
	s.Text(row.X+name, row.Y, role, fitName(s, e.Opponent, start-row.X-name-1))
}

func (y *youScreen) notice() (string, draw.Role) {
	e, command := y.env, "ssh "+y.env.host+" me"
	if e.host == wording.NoHost {
		command = `add "me" to the ssh command`
	}
	text := fit(e.width-2, "Your name, keys and data: "+command,
		"Name, keys, data: "+command, "Your data: "+command, command)
	if e.player.Guest || draw.Columns(text) > e.width-2 {
		return "", draw.Plain
	}
	return text, draw.Faint
}
