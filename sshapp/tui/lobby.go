package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type lobbyScreen struct {
	env       *env
	matches   *ownMatches
	myMatches []client.OwnMatch // the listed ones of matches; they stand above the entries
	at        int               // the chosen line, counted over myMatches and then the entries
	first     int               // the entry that is chosen at first if myMatches is empty
	touched   bool
	now       happening
	own       ownRecord
}

// ownRecord holds what the history knows of the player. A value that cannot be read is zero and not shown.
type ownRecord struct {
	standing history.Standing
	best     []history.Standing
	matches  int
	unseen   []history.Entry
	isNew    bool // the player has finished no match
}

// ladderShown is the number of ladder places in a tall window.
const ladderShown = 5

type entry struct {
	name, hint string
	note       string // shown while the entry is chosen
	to         navigation
}

func newLobby(e *env, own *ownMatches) *lobbyScreen {
	l := &lobbyScreen{env: e, matches: own, myMatches: own.listed()}
	if e.player.Guest { // a guest has no record to read
		l.suggestComputer()
	}
	return l
}

// suggestComputer chooses the computer for a player without a finished match if no other player waits. The first Enter
// of a new player should not lead into an empty queue.
func (l *lobbyScreen) suggestComputer() {
	e := l.env
	isEmpty := e.manager.Lobby().Waiting(e.player.ID).Count == 0
	if e.ended > 0 || e.seek.queue.IsWaiting() || !isEmpty {
		return
	}
	if l.first = 1; !l.touched && len(l.myMatches) == 0 {
		l.at = l.first
	}
}

func (l *lobbyScreen) enter() tea.Cmd {
	return batch(l.env.list(), l.readRecord())
}

func (l *lobbyScreen) readRecord() tea.Cmd {
	h, p, session := l.env.history, l.env.player, l.env.client // now: a command has its own goroutine
	if h == nil || p.Guest {
		return nil
	}
	return l.env.do(nil, func(ctx context.Context) (tea.Msg, error) {
		_ = session.Recall(ctx, h, p) // which levels the player has beaten in earlier sessions
		return readOwnRecord(ctx, h, p.ID), nil
	})
}

func readOwnRecord(ctx context.Context, h *store.History, p match.PlayerID) (own ownRecord) {
	if standing, err := h.Standing(ctx, match.PeoplePool, p); err == nil {
		own.standing, own.best = standing, h.Ladder(match.PeoplePool, 0, ladderShown)
	}
	if totals, err := h.Totals(ctx, p); err == nil {
		own.matches, own.isNew = totals.Matches, totals.Matches == 0
	}
	own.unseen, _ = h.Unseen(ctx, p)
	return own
}

const entryCount = 8

func (l *lobbyScreen) entries() [entryCount]entry {
	accepts := l.env.choices.accepts
	note := "Any opponent, " + wording.ClocksEach(accepts) + "."
	if accepts[0].Pool.IsRated() {
		note = "Two rated games from random openings. You each start one."
	}
	if l.env.roomy() {
		note += "\n1 finds one at once."
	}
	play := entry{"Play someone", wording.AcceptedGames(accepts), note, toOpponent}
	if l.env.seek.queue.IsWaiting() {
		play = entry{"Keep waiting", "", "You are still waiting for an opponent.", toWaiting}
	}
	next := l.env.client.NextRung(l.env.choices.level)
	live, ladder, finished := "no match now", "the best players", "your matches"
	if n := len(l.now.matches); n > 0 {
		live = strconv.Itoa(n) + " live"
	}
	if l.own.standing.Rank > 0 {
		ladder = "you are " + wording.Ordinal(l.own.standing.Rank)
	}
	if l.own.matches > 0 {
		finished = wording.Count(l.own.matches, "match", "matches")
	}
	return [entryCount]entry{
		play,
		{
			"Play the computer", next.String(),
			"Six levels, from novice to perfect; one to nine boards, or tic-tac-toe.", toComputer,
		},
		{
			"Private table", "with a friend",
			"Make a table and give its code to a friend, or join with a code.", toPrivate,
		},
		{"Watch", live, "Watch others play.", toWatch},
		{"How to play", "the rules", "The rules in a minute, with a board to try them on.", toHowTo},
		{"Ladder", ladder, "Who is best this month, and how strong the computers are.", toLadder},
		{"You", finished, "Your rating and your finished matches.", toYou},
		{"Quit", "", l.quitNote(), func(*Root) tea.Cmd { return tea.Quit }},
	}
}

func (l *lobbyScreen) quitNote() string {
	areOn := false
	for _, m := range l.myMatches {
		switch {
		case m.Over() || m.State == client.AwaitsGuest:
		case m.IsOfPeople() && !m.Clock.IsCorrespondence():
			return fmt.Sprintf("Your seats are kept; you have %d s when it is your turn.",
				wording.Seconds(l.env.manager.TimeLimits().Grace))
		default:
			areOn = true
		}
	}
	if areOn {
		return "Your matches are kept, or go on."
	}
	return "Ends the session."
}

func (l *lobbyScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ownMatchesMsg:
		before := l.myMatches
		l.setMyMatches(l.matches.listed())
		if len(client.Ended(before, slices.DeleteFunc(slices.Clone(l.myMatches), client.OwnMatch.Over))) > 0 {
			return l.readRecord()
		}
	case ownRecord:
		l.own, l.matches.unseen = msg, msg.unseen
		l.setMyMatches(l.matches.listed())
		if msg.isNew {
			l.suggestComputer()
		}
	case listed:
		l.now = msg.now
		return l.env.requestList(msg.now)
	case failed:
		return l.matches.refresh()
	case tea.KeyPressMsg:
		return r.do(l.actions())
	}
	return nil
}

// setMyMatches replaces the player's matches. The most urgent match stays chosen until the player chooses a line.
func (l *lobbyScreen) setMyMatches(mine []client.OwnMatch) {
	var chosen match.ID
	if l.touched && l.at < len(l.myMatches) {
		chosen = l.myMatches[l.at].ID
	}
	before := len(l.myMatches)
	l.myMatches = mine
	switch at := slices.IndexFunc(l.myMatches, func(o client.OwnMatch) bool { return o.ID == chosen }); {
	case !l.touched && len(mine) > 0:
		l.at = 0
	case !l.touched:
		l.at = l.first
	case at >= 0:
		l.at = at
	default:
		l.at = max(0, l.at+len(l.myMatches)-before)
	}
}

func (l *lobbyScreen) actions() []action {
	e, k := l.env, l.env.keys
	join, seen := when(l.now.waiting.Count > 0, "join"), ""
	if slices.ContainsFunc(l.myMatches, client.OwnMatch.Over) {
		seen = e.either("all results are seen", "all seen")
	}
	return []action{
		{key: &k.choose, short: "choose", long: "choose", do: l.move},
		{key: &k.right, do: func(r *Root) tea.Cmd {
			if l.at == len(l.myMatches) {
				return toOpponent(r)
			}
			return nil
		}},
		{key: &k.enter, short: "go", long: "go", do: func(r *Root) tea.Cmd { return l.choose(r, l.at) }},
		{key: &k.digit, long: e.either("go there at once", "go there"), do: func(r *Root) tea.Cmd {
			switch entry := e.digit() - 1; {
			case entry == 0:
				return toWaiting(r)
			case entry < entryCount:
				return l.choose(r, len(l.myMatches)+entry)
			}
			return nil
		}},
		{key: &k.joinWaiting, short: join, long: join, do: func(r *Root) tea.Cmd { return r.joinFirst(l.now) }},
		{key: &k.seen, long: seen, do: l.seeAll},
		{key: &k.theme, short: when(e.roomy(), "colours")},
		{key: &k.quit, long: "quit", do: askToQuit},
	}
}

func (l *lobbyScreen) move(*Root) tea.Cmd {
	lines, by := len(l.myMatches)+entryCount, 1
	if l.env.pressed(&l.env.keys.up) {
		by = lines - 1
	}
	l.chooseRow((l.at + by) % lines)
	return nil
}

func (l *lobbyScreen) chooseRow(row int) { l.at, l.touched = row, true }

func (l *lobbyScreen) choose(r *Root, line int) tea.Cmd {
	if line < len(l.myMatches) {
		return r.goTo(l.myMatches[line].ID)
	}
	return l.entries()[line-len(l.myMatches)].to(r)
}

func (l *lobbyScreen) seeAll(*Root) tea.Cmd {
	var ids []match.ID
	for _, m := range l.myMatches {
		if m.Over() {
			ids = append(ids, m.ID)
		}
	}
	cmd := l.matches.see(ids...)
	l.setMyMatches(l.matches.listed())
	return cmd
}

func (l *lobbyScreen) notice() (string, draw.Role) {
	switch {
	case l.env.roomy():
		return "", draw.Plain
	case l.now.waiting.Count > 0:
		return l.env.waitingText(l.now), draw.Good
	case len(l.now.matches) > 0:
		m := l.now.matches[0]
		return l.env.fit("live  "+shortName(m.Players[0])+", "+shortName(m.Players[1])+": 4 to watch",
			"A match is live: 4 to watch"), draw.Other
	default:
		return "", draw.Plain
	}
}

func (l *lobbyScreen) title() string { return "" }

func (l *lobbyScreen) draw(s *draw.Canvas) {
	s.Page()
	if len(l.myMatches) > 0 && !s.Roomy() {
		area := s.Header("", l.env.player.Name)
		l.drawEntries(s, area, l.drawMyMatches(s, area.X+2, area.Y, area.Width))
		return
	}
	area := s.Masthead(l.env.player.Name)
	if !s.Roomy() {
		short := "Three in a row kills a board. Kill the last board and you lose."
		y := s.Paragraph(area.X, area.Y, area.Width, draw.Faint, short)
		l.drawEntries(s, area, y+2-area.Y) // no blank row below large letters
		return
	}
	area = area.Lower(1)
	area = area.Lower(1 + s.Paragraph(area.X, area.Y, area.Width, draw.Faint, gameInShort) - area.Y)
	left, card := area, area
	left.Width = max(42, area.Width*38/100)
	if s.Wide() {
		left.Width = 48
	}
	card.X, card.Width = left.X+left.Width+2, area.Width-left.Width-2
	aside := card
	if s.Wide() {
		const width, gap = 66, 2
		card.Width -= width + gap
		aside.X, aside.Width = card.X+card.Width+gap, width
	}
	now := l.now
	shown, below := l.drawCard(s, card)
	now.matches = slices.DeleteFunc(slices.Clone(now.matches), func(m match.Summary) bool { return m.ID == shown })
	if now.ended != nil && now.ended.ID == shown {
		now.ended = nil
	}
	y := l.drawEntries(s, left, l.drawMyMatches(s, left.X+2, left.Y, left.Width)) + s.Pick(0, 0, 1)
	isMatch, list := shown != "", left.Lower(y+1-left.Y)
	if s.Wide() { // the levels, and whichever of drawDeathCard and drawRules stands nowhere else
		const rows, gap = 22, 1
		levels, rest := stack(aside, rows)
		newComputer(l.env).drawLevels(s, s.Card(levels, draw.Grid, "Levels and ratings", draw.Strong).Lower(1))
		if isMatch {
			drawDeathCard(s, rest)
		} else {
			drawRules(s, rest.Lower(gap))
		}
	}
	if s.Tall() {
		const rows, least = ladderShown + 1, 3 // the rows of each part at the foot, and the least rows above
		if foot := card.Lower(card.Height - rows); foot.Y > below && (isMatch || !s.Wide()) {
			drawRules(s, foot)
		}
		if len(l.own.best) > 0 && list.Height > least+rows {
			places := list.Lower(list.Height - rows)
			ladderSection(s, places, "Ladder")
			for i, p := range l.own.best {
				row := draw.Rect{X: places.X, Y: places.Y + 1 + i, Width: places.Width, Height: 1}
				drawStanding(s, row, p, l.own.best, l.own.standing.Rank, 0, draw.Plain)
			}
			list.Height -= rows + 1
		}
	}
	l.drawNow(s, list, now)
}

// drawEntries lists the entries and the note of the chosen one below. It returns the row after them.
func (l *lobbyScreen) drawEntries(s *draw.Canvas, area draw.Rect, y int) int {
	step := 1 + min(2, area.Height/25) // lines from one entry to the next
	x, note, entries := area.X+2, "", l.entries()
	hints := x + s.Pick(20, 22, 22)
	for i, e := range entries {
		k, name := draw.Plain, strconv.Itoa(i+1)
		if l.at == len(l.myMatches)+i {
			k, note = draw.Chosen, e.note
			s.Point(x-2, y)
		}
		if i == len(entries)-1 {
			name = l.env.keys.quit.Help().Key
		}
		s.Target.OnEntry(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 1}, len(l.myMatches)+i)
		s.Text(x, y, draw.Faint, name)
		s.Text(x+2, y, k, e.name)
		hint := draw.Faint
		if e.name == "Watch" && len(l.now.matches) > 0 {
			hint = draw.Good
		}
		s.Text(hints, y, hint, s.Fit(e.hint, area.X+area.Width-hints))
		y += step
	}
	y += 2 - step + step/2
	end := area.Y + area.Height
	if text, _ := l.notice(); text == "" {
		end++
	}
	if y+draw.LinesOf(note, area.Width-4) > end { // half a sentence says nothing
		return y
	}
	return s.Paragraph(x, y, area.Width-4, draw.Faint, note)
}

// drawNow lists the activity at the server, without the match on the card.
func (l *lobbyScreen) drawNow(s *draw.Canvas, area draw.Rect, now happening) {
	if area.Height < 2 {
		return
	}
	s.Section(area.X, area.Y, area.Width, "Now")
	end := area.X + area.Width
	y := area.Y + 1
	if now.waiting.Count > 0 {
		first := now.waiting.First[0]
		s.Text(area.X, y, draw.Good, "wait")
		terms, join := ", "+wording.AcceptsInShort(first.Accepts), "to join"
		if draw.Columns(first.Name+terms+join) > area.Width-10 {
			join = ""
		}
		start := end - draw.Columns(join) - min(1, len(join)) - 1
		s.Hint(start, y, l.env.keys.joinWaiting.Help().Key, join)
		room := start - area.X - 7
		s.Text(area.X+6, y, draw.Plain, s.Fit(s.Fit(first.Name, max(4, room-draw.Columns(terms)))+terms, room))
		y++
	}
	if now.waiting.Count == 0 && len(now.matches) == 0 && now.ended == nil {
		text := "Nobody is waiting. Play the computer?"
		if l.env.seek.queue.IsWaiting() {
			text = "No one else is waiting."
		}
		s.Text(area.X, y, draw.Faint, s.Fit(text, area.Width))
	}
	room := area.Y + area.Height - y
	if now.ended != nil {
		room--
	}
	for i, m := range now.matches[:max(0, min(len(now.matches), room))] {
		s.Text(area.X, y, draw.Other, "live")
		start, terms := end, wording.Variant(m.Variant)+", "+wording.Count(m.Plies, "move", "moves")
		if i == 0 {
			const watch = "to watch"
			start -= len(watch) + 2
			s.Hint(start, y, "4", watch)
			start -= 2
			if area.Width < 60 {
				terms = wording.Variant(m.Variant)
			}
		}
		start = s.TextRight(start, y, terms)
		s.Text(area.X+6, y, draw.Plain, fitNames(s, m.Players, start-area.X-8))
		y++
	}
	if now.ended != nil {
		s.Text(area.X, y, draw.Faint, "done")
		s.Text(area.X+6, y, draw.Faint, s.Fit(wording.Result(now.ended, wording.Name), area.Width-6))
	}
}

func drawRules(s *draw.Canvas, area draw.Rect) {
	s.Section(area.X, area.Y, area.Width, "Rules of thumb")
	for i, rule := range wording.RulesOfThumb() {
		s.Text(area.X, area.Y+1+i, draw.Lesson, s.Fit(rule, area.Width))
	}
}

// drawCard shows in a card a match with a recent move, else the match that ended last, else how a board dies. It
// returns the ID of the shown match, or "", and the row below the card.
func (l *lobbyScreen) drawCard(s *draw.Canvas, area draw.Rect) (shown match.ID, below int) {
	var m match.Summary
	title, role, ended := "Live: ", draw.Other, l.now.ended
	moving := slices.IndexFunc(l.now.matches, func(m match.Summary) bool { return m.IsMoving })
	switch {
	case moving >= 0:
		m, ended = l.now.matches[moving], nil
	case ended != nil:
		m, title, role = ended.Summary(), "Last: ", draw.Faint
	default:
		return "", drawDeathCard(s, area)
	}
	gap := s.Pick(0, 0, 1)
	around := 4 + gap // rows around the boards, with the frame
	inner := draw.Rect{X: area.X + 1, Y: area.Y + 1 + gap, Width: area.Width - 2, Height: area.Height - around}
	boards := draw.Arrange(m.Variant, inner)
	if boards.IsEmpty() {
		return "", drawDeathCard(s, area)
	}
	box := area
	box.Height = min(area.Height, boards.Bounds().Height+around)
	s.Card(box, draw.Grid, title+fitNames(s, m.Players, box.Width-14), role)
	shownBoards := draw.Boards{Position: m.Position, Digits: draw.NoDigits, Last: m.LastMove, Final: ended != nil}
	shownBoards.Draw(s, boards.AtTop(inner))
	y := box.Y + box.Height - 2
	if ended != nil {
		s.Text(box.X+2, y, draw.Faint, s.Fit(wording.Result(ended, wording.Name)+".", box.Width-4))
	} else {
		played, far, room := wording.Terms(m.Terms), ", "+howFar(m), box.Width-15
		if draw.Columns(played+far) > room {
			played = wording.Variant(m.Variant)
		}
		s.Text(box.X+2, y, draw.Faint, s.Fit(played+far, room))
		s.Hint(box.X+box.Width-12, y, "4", "to watch")
	}
	return m.ID, box.Y + box.Height
}

// drawDeathCard shows in a card how a board dies. It returns the row below the card, or the top of area if there is no
// room.
func drawDeathCard(s *draw.Canvas, area draw.Rect) (below int) {
	gap := s.Pick(0, 0, 1)
	around := 5 + gap // rows around the boards, with the frame
	inner := draw.Rect{X: area.X + 2, Y: area.Y + 1 + gap, Width: area.Width - 4, Height: area.Height - around}
	_, height := planDeath(inner)
	if height == 0 {
		return area.Y
	}
	box := area
	box.Height = height + around
	s.Card(box, draw.Grid, "How a board dies", draw.LessonHead)
	inner.Height = height
	drawDeath(s, inner)
	s.TextCenter(inner.X, inner.Width, box.Y+box.Height-3, draw.Faint, "Three Xs in a row: dead.")
	return box.Y + box.Height
}

func (l *lobbyScreen) drawMyMatches(s *draw.Canvas, x, y, width int) int {
	if len(l.myMatches) == 0 {
		return y
	}
	heading := "Your match goes on: Enter returns"
	if !slices.ContainsFunc(l.myMatches, func(o client.OwnMatch) bool { return !o.Over() }) {
		seen := l.env.keys.seen.Help().Key
		heading = "You were away: Enter " + l.env.either("shows it, ", "shows, ") + seen + " clears"
	}
	s.Text(x-2, y, draw.Notice, heading)
	shown := s.Pick(2, 3, 3)
	for i, own := range l.myMatches {
		if i == shown {
			s.Text(x, y+1, draw.Faint, "and "+wording.Count(len(l.myMatches)-shown, "other", "others"))
			return y + 3
		}
		y++
		k := draw.Plain
		if l.at == i {
			k = draw.Chosen
			s.Point(x-2, y)
		}
		s.Target.OnEntry(draw.Rect{X: x - 2, Y: y, Width: width, Height: 1}, i)
		s.Text(x, y, k, aboutText(s, own, l.env.player.ID, l.env.now(), width-2))
	}
	return y + 2
}

func aboutText(s *draw.Canvas, o client.OwnMatch, me match.PlayerID, now time.Time, width int) string {
	if o.Result.Match != "" {
		name := o.Result.Opponent.Name
		over := draw.Columns(wording.Ended(o.Result, name)) - width
		return wording.Ended(o.Result, s.Fit(name, draw.Columns(name)-max(0, over)))
	}
	if o.State == client.AwaitsGuest {
		return "A private table, no opponent yet"
	}
	about, state := wording.Variant(o.Variant)+" against ", aboutState(o, now)
	if draw.Columns(about+o.Opponent(me).Name+state) > width {
		about = ""
	}
	return about + s.Fit(o.Opponent(me).Name, width-draw.Columns(about+state)) + state
}

func aboutState(o client.OwnMatch, now time.Time) string {
	left := ""
	if !o.MoveBy.IsZero() {
		left = ", " + wording.ClockFace(o.MoveBy.Sub(now)) + " left"
	}
	switch o.State {
	case client.PersonWaits, client.ComputerWaits:
		return ", your turn" + left
	case client.BetweenGames:
		return ", game 2 follows"
	case client.MatchOver:
		return ", over"
	default:
		return ", " + wording.Count(o.Plies, "move", "moves") + left
	}
}
