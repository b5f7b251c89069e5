package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/lobby"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type lobbyScreen struct {
	env       *env
	myMatches []client.OwnMatch // the result of ownMatches.unfinished, listed above the entries
	chosen    int               // the index of the chosen line, with the lines of myMatches before the entries
	first     int               // the entry that is chosen at first if myMatches is empty
	touched   bool              // the player has chosen a line
	activity  serverActivity
	own       ownRecord
	today     client.Today

	cachedActions cachedActions[lobbyState]
	accepts       []match.Terms // of games and notes
	meets         lobby.Meets   // of notes
	games         string        // the text on accepts without clocks
	notes         [2]string     // the notes on accepts and meets, in a roomy window and in a small one
}

// ownRecord holds the player's history. A value that cannot be read is zero and not shown.
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

func newLobby(e *env) *lobbyScreen {
	l := &lobbyScreen{env: e, myMatches: e.matches.unfinished()}
	if e.player.Guest { // a guest has no record to read
		l.suggestComputer()
	}
	return l
}

// suggestComputer chooses the computer for a player without a finished match if no other player waits. The first
// Enter of a new player should not lead into an empty queue.
func (l *lobbyScreen) suggestComputer() {
	e := l.env
	isEmpty := e.manager.Lobby().Waiting(e.player.ID).Count == 0
	if e.endedMatches > 0 || e.search.queue.IsWaiting() || !isEmpty {
		return
	}
	if l.first = 1; l.offersVisit() {
		l.first = 0
	}
	if !l.touched && len(l.myMatches) == 0 {
		l.chosen = l.first
	}
}

func (l *lobbyScreen) enter() tea.Cmd {
	return batch(batch(l.env.readActivity(), l.readRecord()), l.readToday())
}

func (l *lobbyScreen) readToday() tea.Cmd {
	x := l.env.exercises()
	return l.env.readLatest(&l.env.today, func(ctx context.Context) (tea.Msg, error) {
		today, err := x.Today(ctx)
		if err != nil {
			return nil, nil //nolint:nilerr // without what waits today, the lobby is complete
		}
		return today, nil
	})
}

func (l *lobbyScreen) readRecord() tea.Cmd {
	// A command runs in another goroutine, and must not read l.
	h, p, session := l.env.history, l.env.player, l.env.client
	if h == nil || p.Guest {
		return nil
	}
	return l.env.readLatest(&l.env.page, func(ctx context.Context) (tea.Msg, error) {
		_ = session.LoadBeatenLevels(ctx, h, p) // reads the levels that the player has beaten in earlier sessions
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

const watchDigit = "4" // the key of the entry Watch

// offersVisit reports whether the first entry is the first visit. A guest is new each time.
func (l *lobbyScreen) offersVisit() bool {
	return l.env.player.Guest && l.env.progress != nil && l.env.endedMatches == 0 && !l.env.visited
}

const mostEntries = 9

// entries appends the entries to all, which is empty.
func (l *lobbyScreen) entries(all []entry) []entry {
	accepts, meets := l.env.choices.accepts, l.env.choices.meets
	if !slices.Equal(accepts, l.accepts) || meets != l.meets {
		l.accepts, l.meets, l.games = slices.Clone(accepts), meets, wording.AcceptedGames(accepts)
		note := cmp.Or(onlyText(meets), "Any opponent. ") + wording.Capital(wording.AcceptedClocksShort(accepts)) + "."
		if accepts[0].Pool.IsRated() {
			note = "Two rated games from random openings. You each start one."
		}
		l.notes = [2]string{note + "\n1 looks for an opponent at once.", note}
	}
	play := entry{"Play someone", l.games, l.env.either(l.notes[0], l.notes[1]), toOpponent}
	if l.env.search.queue.IsWaiting() {
		play = entry{"Keep waiting", "", "You are still waiting for an opponent.", toWaiting}
	}
	next := l.env.client.NextRung(l.env.choices.level)
	challenge, toChallenge := "a friend, anyone", navigation(toPrivate)
	if n := len(l.activity.named); n > 0 {
		challenge, toChallenge = strconv.Itoa(n)+" for you", toChallenges
	}
	live, ladder, finished := "no match now", "the best players", "your matches"
	if n := len(l.activity.matches); n > 0 {
		live = strconv.Itoa(n) + " live"
	}
	if l.own.standing.Rank > 0 {
		ladder = "you are " + wording.Ordinal(l.own.standing.Rank)
	}
	if l.own.matches > 0 {
		finished = wording.Count(l.own.matches, "match", "matches")
	}
	if l.offersVisit() {
		all = append(all, entry{"Try it: one minute", "", "A match that explains the game.", toVisit})
	}
	return append(all,
		play,
		entry{
			"Play the computer", next.String(),
			"Six levels, from novice to perfect; one to nine boards, or tic-tac-toe.", toComputer,
		},
		entry{
			"Challenge", challenge, l.env.either("By name, to anyone, or with a code.\nc lists the challenges.",
				"By name, to anyone, or with a code."), toChallenge,
		},
		entry{"Watch", live, "Watch others play.", toWatch},
		entry{"How to play", "rules, lessons", "The rules, a match in one minute, and six lessons.", toLearn},
		entry{"Ladder", ladder, "Who is best this month, and how strong the computers are.", toLadder},
		entry{"You", finished, "Your rating and your finished matches.", toYou},
		entry{"Quit", "", l.quitNote(), func(*Root) tea.Cmd { return tea.Quit }},
	)
}

// entryLine returns the line of an entry that a digit chooses.
func (l *lobbyScreen) entryLine(digit int) int {
	line := len(l.myMatches) + digit - 1
	if l.offersVisit() {
		line++
	}
	return line
}

func (l *lobbyScreen) quitNote() string {
	anyContinues := false
	for _, m := range l.myMatches {
		switch {
		case m.State == client.AwaitsGuest:
		case m.IsOfPeople() && !m.Clock.IsCorrespondence():
			return fmt.Sprintf("Your seats are kept; you have %d s when it is your turn.",
				wording.Seconds(l.env.manager.TimeLimits().Grace))
		default:
			anyContinues = true
		}
	}
	if anyContinues {
		return "Your matches stay open."
	}
	return "Ends the session."
}

func (l *lobbyScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ownMatchesMsg:
		before := l.myMatches
		l.setMyMatches(l.env.matches.unfinished())
		if len(client.EndedMatches(before, l.myMatches)) > 0 {
			return batch(l.readRecord(), l.readToday())
		}
	case client.Today:
		l.today = msg
	case ownRecord:
		l.own, l.env.matches.unseen = msg, msg.unseen
		l.setMyMatches(l.env.matches.unfinished())
		if msg.isNew {
			l.suggestComputer()
		}
		if !l.env.welcomed {
			l.env.welcomed = true
			isLive := func(m client.OwnMatch) bool { return !m.Clock.IsCorrespondence() }
			mine := l.env.client.OwnMatches(l.env.player.ID)
			if len(l.env.matches.results()) > 0 && !slices.ContainsFunc(mine, isLive) { // a live match comes first
				return toAway(r)
			}
		}
	case activityMsg:
		isNewDay := l.activity.day != 0 && l.activity.day != msg.activity.day
		l.activity = msg.activity
		if isNewDay {
			return batch(l.env.awaitActivity(msg.activity), l.readToday())
		}
		return l.env.awaitActivity(msg.activity)
	case failedMsg:
		return l.env.matches.refresh()
	case tea.KeyPressMsg:
		return r.runAction(l.actions())
	}
	return nil
}

// setMyMatches replaces the player's matches. Until the player chooses a line, setMyMatches chooses the first match. If
// mine is empty, setMyMatches chooses entry l.first.
func (l *lobbyScreen) setMyMatches(mine []client.OwnMatch) {
	var chosen match.ID
	if l.touched && l.chosen < len(l.myMatches) {
		chosen = l.myMatches[l.chosen].ID
	}
	before := len(l.myMatches)
	l.myMatches = mine
	switch at := slices.IndexFunc(l.myMatches, func(o client.OwnMatch) bool { return o.ID == chosen }); {
	case !l.touched && len(mine) > 0:
		l.chosen = 0
	case !l.touched:
		l.chosen = l.first
	case at >= 0:
		l.chosen = at
	default:
		l.chosen = max(0, l.chosen+len(l.myMatches)-before)
	}
}

// lobbyState holds the values that determine the actions of the lobby.
type lobbyState struct {
	keys                                                           *keyMap
	isRoomy, isWaiting, isWaitedFor, hasSlips, hasResults, isVisit bool
}

func (l *lobbyScreen) actions() []action {
	return l.cachedActions.get(lobbyState{
		l.env.keys, l.env.isRoomy(), l.activity.waiting.Count > 0, len(l.env.matches.waiting()) > 0, l.today.Slips > 0,
		len(l.env.matches.results()) > 0, l.offersVisit(),
	}, l.newActions)
}

func (l *lobbyScreen) newActions(now lobbyState) []action {
	e, keys, join := l.env, l.env.keys, textIf(now.isWaiting, "join")
	return []action{
		{key: &keys.choose, short: "choose", long: "choose", run: l.move},
		{key: &keys.daily, long: e.either("the daily puzzles", "daily"), run: openExercise(start.Daily, 0)},
		{
			key: &keys.slips, long: textIf(now.hasSlips, e.either("fix your slips", "fix slips")),
			run: openExercise(start.Slips, 0),
		},
		{key: &keys.rush, long: e.either("rush, three minutes", "rush"), run: openExercise(start.Rush, 0)},
		{key: &keys.learn, long: e.either("six lessons", "lessons"), run: toLearn},
		{key: &keys.try, long: textIf(now.isVisit, "try it"), run: func(r *Root) tea.Cmd {
			if l.offersVisit() {
				return toVisit(r)
			}
			return nil
		}},
		{key: &keys.right, run: func(r *Root) tea.Cmd {
			if l.chosen == l.entryLine(1) {
				return toOpponent(r)
			}
			return nil
		}},
		{key: &keys.enter, short: "go", long: "go", run: func(r *Root) tea.Cmd { return l.choose(r, l.chosen) }},
		{key: &keys.digit, long: e.either("go there at once", "go there"), run: func(r *Root) tea.Cmd {
			if e.pressedDigit() == 1 {
				return toWaiting(r)
			}
			return l.choose(r, l.entryLine(e.pressedDigit()))
		}},
		{key: &keys.joinWaiting, short: join, long: join, run: func(r *Root) tea.Cmd {
			return r.joinFirst(l.activity)
		}},
		{
			key: &keys.nextMatch, long: textIf(now.isWaitedFor, e.either("to the next match that waits", "your move")),
			run: goToNextWaiting,
		},
		{key: &keys.results, long: textIf(now.hasResults, e.either("results of your absence", "results")), run: toAway},
		{key: &keys.challenges, short: textIf(e.isRoomy(), "challenges"), long: "challenges", run: toChallenges},
		{key: &keys.theme, short: textIf(e.isRoomy(), "colours")},
		{key: &keys.quit, long: "quit", run: askToQuit},
	}
}

func (l *lobbyScreen) move(*Root) tea.Cmd {
	var room [mostEntries]entry
	lines, by := len(l.myMatches)+len(l.entries(room[:0])), 1
	if l.env.pressed(&l.env.keys.up) {
		by = lines - 1
	}
	l.chooseRow((l.chosen + by) % lines)
	return nil
}

func (l *lobbyScreen) chooseRow(row int) { l.chosen, l.touched = row, true }

func (l *lobbyScreen) choose(r *Root, line int) tea.Cmd {
	if line < len(l.myMatches) {
		return r.goTo(l.myMatches[line].ID)
	}
	if entries := l.entries(nil); line-len(l.myMatches) < len(entries) {
		return entries[line-len(l.myMatches)].to(r)
	}
	return nil
}

func (l *lobbyScreen) notice() (string, draw.Role) {
	reasons := l.reasons()
	switch {
	case l.env.isRoomy():
		return "", draw.Plain
	case len(l.myMatches) > 0 && len(reasons) > 0 && reasons[0].isNews:
		return reasons[0].short(l.env), draw.Notice
	case l.activity.waiting.Count > 0:
		return l.env.joinOfferText(l.activity), draw.Good
	case len(l.activity.matches) > 0:
		m := l.activity.matches[0]
		return l.env.fit("live  "+m.Players[0].Name+", "+m.Players[1].Name+": "+watchDigit+" to watch",
			"A match is live: "+watchDigit+" to watch"), draw.Opponent
	case l.chosen >= len(l.myMatches) &&
		draw.CountLines(l.entries(nil)[l.chosen-len(l.myMatches)].note, l.env.width-6) > 1: // the note needs the row
		return "", draw.Plain
	case len(l.myMatches) == 0 && l.showsReason(reasons), len(reasons) == 0: // draw shows the reason, if any
		forms := wording.DayForms(l.today.Day)
		for i := range forms {
			forms[i] = "Today: " + forms[i]
		}
		return l.env.fit(forms...), draw.Faint
	default:
		return reasons[0].short(l.env), draw.Lesson
	}
}

// reason is a reason to come back, with the key that leads to it.
type reason struct {
	texts  []string // from long to short
	key    *key.Binding
	what   string
	isNews bool // about the player's matches
}

func (w *reason) role() draw.Role {
	if w.isNews {
		return draw.Notice
	}
	return draw.Lesson
}

// showsReason reports whether a small window shows the first reason in place of the text about the game.
func (l *lobbyScreen) showsReason(all []reason) bool {
	return len(all) > 0 && (l.own.matches > 0 || all[0].isNews)
}

// short returns the reason with its key in the line of a small window.
func (w *reason) short(e *env) string {
	key := ": " + w.key.Help().Key + " " + w.what
	forms := make([]string, 0, 4)
	for _, text := range w.texts {
		forms = append(forms, text+key)
	}
	last := w.texts[len(w.texts)-1]
	row, _, _ := strings.Cut(last, ",")
	start, _, _ := strings.Cut(last, ".")
	return e.fit(append(forms, row+key, start+key)...)
}

// mostReasons returns the number of reasons that the lobby has room for.
func (l *lobbyScreen) mostReasons() int {
	switch size := (draw.Size{Width: l.env.width, Height: l.env.height}); {
	case len(l.myMatches) == 0 || size.IsTall():
		return 4
	case size.Height >= 24:
		return 2
	default:
		return 1
	}
}

func (l *lobbyScreen) reasons() (all []reason) {
	t, keys := &l.today, l.env.keys
	// A single match without a clock of days has an alert, or stands in the list below.
	waiting := l.env.matches.waiting()
	if len(waiting) > 1 || len(waiting) == 1 && waiting[0].Clock.IsCorrespondence() {
		text := wording.YourMove(len(waiting), waiting[0].Opponent(l.env.player.ID).Name)
		all = append(all, reason{[]string{text}, &keys.nextMatch, "go", true})
	}
	switch named := l.activity.named; {
	case len(named) == 1:
		news := client.ChallengeNews{Offer: client.Offer{OpenChallenge: named[0]}, Opponent: named[0].Maker}
		text := strings.TrimSuffix(news.Text(), ".")
		all = append(all, reason{[]string{text, wording.ChallengesWait(1)}, &keys.challenges, "see", true})
	case len(named) > 1:
		all = append(all, reason{[]string{wording.ChallengesWait(len(named))}, &keys.challenges, "see", true})
	}
	if results := l.env.matches.results(); len(results) > 0 {
		all = append(all, reason{wording.Unseen(results), &keys.results, "see", true})
	}
	news := len(all)
	if t.Number < 1 { // not yet read
		return all[:min(len(all), l.mostReasons())]
	}
	if daily := wording.DailyWaits(t.Number, t.Answered, t.Streak); daily != "" {
		all = append(all, reason{[]string{daily}, &keys.daily, "play", false})
	}
	if slips := wording.SlipsWait(t.Slips); slips != "" {
		all = append(all, reason{[]string{slips}, &keys.slips, "fix", false})
	}
	if len(all) == news {
		best := strings.TrimSuffix(wording.RushBest(t.BestRush, t.State.BestEver()), ".")
		text := strings.TrimSuffix("Rush: three minutes of puzzles. "+best, ". ")
		all = append(all, reason{[]string{text}, &keys.rush, "play", false})
	}
	return all[:min(len(all), l.mostReasons())]
}

func (l *lobbyScreen) title() string { return "" }

func (l *lobbyScreen) drawMasthead(s *draw.Canvas) draw.Rect {
	return s.Masthead(func(width int) string { return cutName(s, l.env.player.Name, width) })
}

func (l *lobbyScreen) draw(s *draw.Canvas) {
	s.Page()
	if !s.IsRoomy() {
		l.drawSmall(s)
		return
	}
	area := l.drawMasthead(s)
	reasons := l.reasons()
	isSaid := s.IsTall() || len(reasons) == 0 || l.own.matches == 0 && len(l.myMatches) == 0
	if len(reasons) == 0 || len(reasons) == 1 && !isSaid { // else there is no room for a blank row
		area = area.Lower(1)
	}
	if isSaid {
		area = area.Lower(s.Paragraph(area.X, area.Y, area.Width, draw.Faint, gameInShort) - area.Y)
	}
	for _, why := range reasons {
		const column = 56 // of the key
		s.Text(area.X, area.Y, why.role(), s.Fit(fit(column-2, why.texts...), column-2))
		s.Hint(area.X+column, area.Y, why.key.Help().Key, why.what)
		area = area.Lower(1)
	}
	area = area.Lower(1)
	left, card := area, area
	left.Width = max(42, area.Width*38/100)
	if s.IsWide() {
		left.Width = 48
	}
	card.X, card.Width = left.X+left.Width+2, area.Width-left.Width-2
	aside := card
	if s.IsWide() {
		const width, gap = 66, 2
		card.Width -= width + gap
		aside.X, aside.Width = card.X+card.Width+gap, width
	}
	activity := l.activity
	shown, below := l.drawCard(s, card)
	isOnCard := func(m match.Summary) bool { return m.ID == shown }
	activity.matches = slices.DeleteFunc(slices.Clone(activity.matches), isOnCard)
	if activity.ended != nil && activity.ended.ID == shown {
		activity.ended = nil
	}
	y := l.drawEntries(s, left, l.drawMyMatches(s, left.X+2, left.Y, left.Width)) + s.Pick(0, 0, 1)
	isMatch, list := shown != "", left.Lower(y+1-left.Y)
	if s.IsWide() {
		// Below the levels stands drawDeathCard or drawRules, whichever the rest of the window lacks.
		const rows, gap = 22, 1
		levels, rest := stack(aside, rows)
		newComputer(l.env).drawLevels(s, s.Card(levels, draw.Grid, "Levels and ratings", draw.Strong).Lower(1))
		if isMatch {
			drawDeathCard(s, rest)
		} else {
			drawRules(s, rest.Lower(gap))
		}
	}
	if s.IsTall() {
		const rows, least = ladderShown + 1, 3
		if foot := card.Lower(card.Height - rows); foot.Y > below && (isMatch || !s.IsWide()) {
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
	l.drawNow(s, list, activity)
}

// drawSmall draws the lobby in a small window. Above the entries stand the player's matches. Without a match, one line
// says why to play.
func (l *lobbyScreen) drawSmall(s *draw.Canvas) {
	if len(l.myMatches) > 0 {
		area := s.Header("", l.env.player.Name)
		l.drawEntries(s, area, l.drawMyMatches(s, area.X+2, area.Y, area.Width))
		return
	}
	area := l.drawMasthead(s)
	short, role := "Three in a row kills a board. Kill the last board and you lose.", draw.Faint
	if all := l.reasons(); l.showsReason(all) {
		short, role = all[0].short(l.env), all[0].role()
	}
	y := s.Paragraph(area.X, area.Y, area.Width, role, short)
	l.drawEntries(s, area, y+2-area.Y) // large letters leave no blank row below
}

func (l *lobbyScreen) drawEntries(s *draw.Canvas, area draw.Rect, y int) int {
	step := 1 + min(2, area.Height/25) // lines from one entry to the next
	var room [mostEntries]entry
	x, note, entries := area.X+2, "", l.entries(room[:0])
	hints := x + s.Pick(20, 22, 22)
	for i, e := range entries {
		role, name := draw.Plain, strconv.Itoa(i+1+len(l.myMatches)-l.entryLine(1))
		if name == "0" {
			name = l.env.keys.try.Help().Key
		}
		if l.chosen == len(l.myMatches)+i {
			role, note = draw.Chosen, e.note
			s.Point(x-2, y)
		}
		if i == len(entries)-1 {
			name = l.env.keys.quit.Help().Key
		}
		s.Target.OnEntry(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 1}, len(l.myMatches)+i)
		s.Text(x, y, draw.Faint, name)
		s.Text(x+2, y, role, e.name)
		hint := draw.Faint
		if e.name == "Watch" && len(l.activity.matches) > 0 {
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
	if y+draw.CountLines(note, area.Width-4) > end { // part of a note would be of no use
		return y
	}
	return s.Paragraph(x, y, area.Width-4, draw.Faint, note)
}

func (l *lobbyScreen) drawNow(s *draw.Canvas, area draw.Rect, activity serverActivity) {
	if area.Height < 2 {
		return
	}
	s.Section(area.X, area.Y, area.Width, "Now")
	end := area.X + area.Width
	y := area.Y + 1
	if activity.waiting.Count > 0 {
		first := activity.waiting.First[0]
		s.Text(area.X, y, draw.Good, "wait")
		terms, join := ", "+wording.AcceptsShort(first.Accepts), "to join"
		if draw.Columns(first.Name+terms+join) > area.Width-10 {
			join = ""
		}
		start := end - draw.Columns(join) - min(1, len(join)) - 1
		s.Hint(start, y, l.env.keys.joinWaiting.Help().Key, join)
		room := start - area.X - 7
		s.Text(area.X+6, y, draw.Plain, s.Fit(cutName(s, first.Name, max(4, room-draw.Columns(terms)))+terms, room))
		y++
	}
	if activity.waiting.Count == 0 && len(activity.matches) == 0 && activity.ended == nil {
		text := "Nobody is waiting. Play the computer?"
		if l.env.search.queue.IsWaiting() {
			text = "No one else is waiting."
		}
		s.Text(area.X, y, draw.Faint, s.Fit(text, area.Width))
		y++
	}
	room := area.Y + area.Height - y
	if activity.ended != nil {
		room--
	}
	today := wording.DayForms(l.today.Day)
	if room <= min(1, len(activity.matches)) { // a match to watch comes first
		today = nil
	}
	if today != nil {
		room--
	}
	for i, m := range activity.matches[:max(0, min(len(activity.matches), room))] {
		s.Text(area.X, y, draw.Opponent, "live")
		start, terms := end, wording.Variant(m.Variant)+", "+wording.Count(m.Plies, "move", "moves")
		if i == 0 {
			const watch = "to watch"
			start -= len(watch) + 2
			s.Hint(start, y, watchDigit, watch)
			start -= 2
			if area.Width < 60 {
				terms = wording.Variant(m.Variant)
			}
		}
		start = s.TextRight(start, y, terms)
		s.Text(area.X+6, y, draw.Plain, fitNames(s, m.Players, start-area.X-8))
		y++
	}
	if activity.ended != nil {
		s.Text(area.X, y, draw.Faint, "done")
		s.Text(area.X+6, y, draw.Faint, s.Fit(wording.Result(activity.ended, wording.Name), area.Width-6))
		y++
	}
	if today != nil {
		s.Text(area.X, y, draw.Faint, "today")
		s.Text(area.X+6, y, draw.Faint, s.Fit(fit(area.Width-6, today...), area.Width-6))
	}
}

func drawRules(s *draw.Canvas, area draw.Rect) {
	s.Section(area.X, area.Y, area.Width, "Rules of thumb")
	for i, rule := range wording.RulesOfThumb() {
		s.Text(area.X, area.Y+1+i, draw.Lesson, s.Fit(rule, area.Width))
	}
}

// drawCard shows in a card a match with a recent move, else the match that ended last, else how a board dies. The
// results are the ID of the shown match, or "", and the row below the card.
func (l *lobbyScreen) drawCard(s *draw.Canvas, area draw.Rect) (shown match.ID, below int) {
	var m match.Summary
	title, role, ended := "Live: ", draw.Opponent, l.activity.ended
	moving := slices.IndexFunc(l.activity.matches, func(m match.Summary) bool { return m.IsActive })
	switch {
	case moving >= 0:
		m, ended = l.activity.matches[moving], nil
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
	s.Card(box, draw.Grid, title+fitNames(s, m.Players, box.Width-6-len(title)), role)
	shownBoards := draw.Boards{Position: m.Position, Digits: draw.NoDigits, Last: m.LastMove, Final: ended != nil}
	shownBoards.Draw(s, boards.AtTop(inner))
	y := box.Y + box.Height - 2
	if ended != nil {
		s.Text(box.X+2, y, draw.Faint, s.Fit(wording.Result(ended, wording.Name)+".", box.Width-4))
	} else {
		progress, room := progressText(m), box.Width-15
		long, short := wording.Terms(m.Terms)+", "+progress, wording.Variant(m.Variant)+", "+progress
		s.Text(box.X+2, y, draw.Faint, fit(room, long, short, progress, wording.Count(m.Plies, "move", "moves")))
		s.Hint(box.X+box.Width-12, y, watchDigit, "to watch")
	}
	return m.ID, box.Y + box.Height
}

// drawDeathCard shows in a card how a board dies, and returns the row below the card. Without room for the card it
// returns the top of area.
func drawDeathCard(s *draw.Canvas, area draw.Rect) (below int) {
	return area.Y + s.Still(area, func() (rows int) {
		gap := s.Pick(0, 0, 1)
		around := 5 + gap // rows around the boards, with the frame
		inner := draw.Rect{X: area.X + 2, Y: area.Y + 1 + gap, Width: area.Width - 4, Height: area.Height - around}
		_, height := planDeath(inner)
		if height == 0 {
			return 0
		}
		box := area
		box.Height = height + around
		s.Card(box, draw.Grid, "How a board dies", draw.LessonHead)
		inner.Height = height
		drawDeath(s, inner)
		s.TextCenter(inner.X, inner.Width, box.Y+box.Height-3, draw.Faint, "Three Xs in a row: dead.")
		return box.Height
	})
}

func (l *lobbyScreen) drawMyMatches(s *draw.Canvas, x, y, width int) int {
	if len(l.myMatches) == 0 {
		return y
	}
	heading := "Match in progress. Enter to return"
	if len(l.myMatches) > 1 {
		heading = "Matches in progress. Enter to return"
	}
	s.Text(x-2, y, draw.Notice, heading)
	shown := s.Pick(2, 3, 3)
	for i, own := range l.myMatches {
		if i == shown {
			s.Text(x, y+1, draw.Faint, "and "+wording.Count(len(l.myMatches)-shown, "other", "others"))
			return y + 3
		}
		y++
		role := draw.Plain
		if l.chosen == i {
			role = draw.Chosen
			s.Point(x-2, y)
		}
		s.Target.OnEntry(draw.Rect{X: x - 2, Y: y, Width: width, Height: 1}, i)
		s.Text(x, y, role, ownMatchText(s, own, l.env.player.ID, l.env.now(), width-2))
	}
	return y + 2
}

func ownMatchText(s *draw.Canvas, o client.OwnMatch, me match.PlayerID, now time.Time, width int) string {
	if o.State == client.AwaitsGuest {
		return "A private table, no opponent yet"
	}
	about, state := wording.Variant(o.Variant)+" against ", ownMatchStateText(o, now)
	if draw.Columns(about+o.Opponent(me).Name+state) > width {
		about = ""
	}
	return about + cutName(s, o.Opponent(me).Name, width-draw.Columns(about+state)) + state
}

func ownMatchStateText(o client.OwnMatch, now time.Time) string {
	left := ""
	if !o.MoveBy.IsZero() {
		move, bank := o.DaysLeft(now)
		if move > 0 {
			bank = 0 // the table shows the bank
		}
		left = ", " + wording.DaysLeft(move, bank) + " left"
	}
	switch o.State {
	case client.PersonWaits, client.ComputerWaits:
		return ", your turn" + left
	case client.BetweenGames:
		return ", game 2 follows"
	default:
		return ", their turn" + left
	}
}
