package tui

import (
	"fmt"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// lobbyScreen is where a session begins: one's own matches to go back to, and what else there is to do.
type lobbyScreen struct {
	session   *session
	myMatches []client.OwnMatch // which come before the entries
	at        int               // the chosen line
	touched   bool
	boards    selector
	now       happening
}

// entry is something to do from the lobby.
type entry struct {
	name, note string
	to         navigation
}

func newLobby(s *session) *lobbyScreen {
	return &lobbyScreen{session: s, boards: opponentSelector(s.choices.accepts), myMatches: slices.Clone(s.elsewhere)}
}

func (l *lobbyScreen) enter() tea.Cmd { return l.session.list() }

// waiting is the key that joins those who wait for an opponent, while there are any.
func (l *lobbyScreen) waiting() key.Binding {
	waiting := l.session.keys.joinWaiting
	waiting.SetEnabled(l.now.waiting.Count > 0)
	return waiting
}

func (l *lobbyScreen) entries() [7]entry {
	play := entry{"Play someone", "Play someone who is waiting, or wait for the next player.", toWaiting{}}
	if l.boards.at == l.boards.rated() {
		play.note = "Two games with the seats swapped, for your rating."
	}
	if l.session.queue.IsWaiting() {
		play = entry{"Keep waiting", "You are still waiting for an opponent.", toWaiting{}}
	}
	return [7]entry{
		play,
		{"Play the computer", "Six levels, from novice to perfect; one to nine boards, or tic-tac-toe.", toComputer{}},
		{"Private table", "Make a table and give its code to a friend, or join with a code.", toPrivate{}},
		{"Watch", "Watch others play.", toWatch{}},
		{"How to play", "The rules in a minute, with a board to try them on.", toHowTo{}},
		{"You", "The matches that you have finished, and what they add up to.", toYou{}},
		{"Quit", fmt.Sprintf("Your seats are kept; you have %d s when it is your turn.",
			wording.Seconds(l.session.grace())), quit{}},
	}
}

func (l *lobbyScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case ownMatches:
		l.setMyMatches(l.session.elsewhere)
	case listed:
		l.now = msg.now
		return nil, l.session.requestList(msg.now)
	case failed:
		return nil, l.session.commands.ownMatches(l.session.player.ID)
	case tea.KeyPressMsg:
		return l.press(msg)
	}
	return nil, nil
}

func (l *lobbyScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys, lines := l.session.keys, len(l.myMatches)+len(l.entries())
	switch {
	case key.Matches(press, keys.up):
		l.at = (l.at + lines - 1) % lines
	case key.Matches(press, keys.down):
		l.at = (l.at + 1) % lines
	case key.Matches(press, keys.left):
		l.turn(-1)
	case key.Matches(press, keys.right):
		l.turn(1)
	case key.Matches(press, keys.enter):
		return l.choose(l.at), nil
	case key.Matches(press, keys.shortcuts):
		if digit := int(press.String()[0] - '1'); digit < len(l.entries()) {
			return l.choose(len(l.myMatches) + digit), nil
		}
	case key.Matches(press, l.waiting()):
		return toSeek{match.AcceptedBesides(l.now.waiting.First[0].Accepts, match.PreferClock(match.DefaultAccepted()))}, nil
	case key.Matches(press, keys.quit):
		return ask{quitDialog(nil, l.session)}, nil
	}
	l.touched = true
	return nil, nil
}

// turn changes the boards to be played on.
func (l *lobbyScreen) turn(by int) {
	if !l.session.queue.IsWaiting() {
		l.boards.turn(by)
		l.session.choices.accepts = l.boards.accepts()
		if l.boards.insists() {
			l.session.choices.terms.Variant = l.session.choices.accepts[0].Variant
		}
	}
}

func (l *lobbyScreen) chooseRow(row int) { l.at, l.touched = row, true }

func (l *lobbyScreen) choose(line int) navigation {
	if line < len(l.myMatches) {
		return toMatch{l.myMatches[line].ID}
	}
	return l.entries()[line-len(l.myMatches)].to
}

// notice tells of those who wait where there is no room for all that goes on.
func (l *lobbyScreen) notice() (string, draw.Role) {
	if l.session.roomy() || l.now.waiting.Count == 0 {
		return "", draw.Plain
	}
	first := l.now.waiting.First[0]
	return wording.WaitsFor(first.Name, first.Accepts) + ": " + l.waiting().Help().Key + " joins", draw.Good
}

func (l *lobbyScreen) title() string { return "" }

// ShortHelp is part of help.KeyMap.
func (l *lobbyScreen) ShortHelp() []key.Binding {
	k := l.session.keys
	return []key.Binding{k.choose, k.enter, renamed(k.change, "boards"), l.waiting(), k.theme, k.quit, k.help}
}

// FullHelp is part of help.KeyMap.
func (l *lobbyScreen) FullHelp() [][]key.Binding {
	k := l.session.keys
	return [][]key.Binding{{
		k.choose, k.enter, renamed(k.shortcuts, l.session.either("go there at once", "go there")),
		renamed(k.change, l.session.either("number of boards", "boards")), l.waiting(), k.quit,
	}, settingsOf(l.session)}
}

func (l *lobbyScreen) draw(s *draw.Canvas) {
	area := s.Masthead(l.session.player.Name)
	if s.Roomy() {
		left, right := area.Split(58)
		l.picture(s, right)
		area = draw.Rect{X: left.X + 2, Y: left.Y + 1, Width: left.Width - 4, Height: left.Height - 1}
		y := s.Paragraph(area.X, area.Y, area.Width, draw.Faint, "Notakto: "+gameInShort)
		area = area.Lower(y + 1 - area.Y)
	} else if len(l.myMatches) == 0 {
		y := s.Paragraph(area.X, area.Y, area.Width, draw.Faint,
			"Three X in a row kills a board. Kill the last board and you lose.")
		area = area.Lower(y - area.Y)
	}
	y := l.drawMyMatches(s, area.X+2, area.Y, area.Width)
	l.drawEntries(s, area, y)
}

func (l *lobbyScreen) drawEntries(s *draw.Canvas, area draw.Rect, y int) {
	step := 1 + min(2, area.Height/25) // lines from one entry to the next
	x, note := area.X+2, ""
	for i, e := range l.entries() {
		k := draw.Plain
		if l.at == len(l.myMatches)+i {
			k, note = draw.Chosen, e.note
			s.Point(x-2, y)
		}
		s.Target.OnEntry(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 1}, len(l.myMatches)+i)
		s.Text(x, y, draw.Faint, strconv.Itoa(i+1))
		s.Text(x+2, y, k, e.name)
		if i == 0 && !l.session.queue.IsWaiting() {
			l.drawBoards(s, x+20, y, k == draw.Chosen)
		}
		if live := len(l.now.matches); live > 0 && e.to == (toWatch{}) {
			s.Text(x+20, y, draw.Good, strconv.Itoa(live)+" live")
		}
		y += step
	}
	y = s.Paragraph(x, y+1, area.Width-4, draw.Faint, note)
	if s.Roomy() {
		below := area.Lower(y + 1 - area.Y)
		if step > 1 { // in a high window it stands at the bottom
			below = below.Lower(max(0, below.Height-l.rowsOfNow()))
		}
		below.Width -= 2
		l.drawNow(s, below)
	}
}

// rowsOfNow is how many rows it takes to list what goes on at the server.
func (l *lobbyScreen) rowsOfNow() int {
	rows := 1 + len(l.now.matches)
	if l.now.waiting.Count > 0 {
		rows++
	}
	if l.now.ended != nil {
		rows++
	}
	return max(2, rows)
}

// drawNow lists what goes on at the server: who waits, as many matches as there is room for, and what happened last.
func (l *lobbyScreen) drawNow(s *draw.Canvas, area draw.Rect) {
	if area.Height < 2 {
		return
	}
	s.Section(area.X, area.Y, area.Width, "Now")
	end := area.X + area.Width
	y := area.Y + 1
	if l.now.waiting.Count > 0 {
		first := l.now.waiting.First[0]
		s.Text(area.X, y, draw.Good, "wait")
		start := s.TextRight(end, y, l.waiting().Help().Key+" joins")
		s.Text(area.X+6, y, draw.Plain, s.Fit(first.Name+", "+wording.Accepts(first.Accepts), start-area.X-8))
		y++
	}
	if l.now.waiting.Count == 0 && len(l.now.matches) == 0 && l.now.ended == nil {
		s.Text(area.X, y, draw.Faint, s.Fit("No match now. The computer is ready.", area.Width))
	}
	room := area.Y + area.Height - y
	if l.now.ended != nil {
		room--
	}
	for _, m := range l.now.matches[:max(0, min(len(l.now.matches), room))] {
		s.Text(area.X, y, draw.MarkFirst, "live")
		start := s.TextRight(end, y, wording.Variant(m.Variant)+", "+wording.Count(m.Plies, "move", "moves"))
		s.Text(area.X+6, y, draw.Plain, fitNames(s, m.Players, start-area.X-8))
		y++
	}
	if l.now.ended != nil {
		s.Text(area.X, y, draw.Faint, "done")
		s.Text(area.X+6, y, draw.Faint, s.Fit(wording.Result(l.now.ended, wording.Name), area.Width-6))
	}
}

// drawBoards shows what an opponent is sought for.
func (l *lobbyScreen) drawBoards(s *draw.Canvas, x, y int, here bool) {
	g, k, arrow := s.Glyphs, draw.Faint, draw.Faint
	if here {
		k, arrow = draw.Chosen, draw.Cursor
	}
	text := l.boards.options[l.boards.at]
	s.Text(x, y, arrow, g.Less)
	end := s.Text(x+2, y, k, text)
	s.Text(end+1, y, arrow, g.More)
	s.Target.OnValue(x, end+1, y)
}

// picture shows the busiest match, or what the game looks like: a dead board.
func (l *lobbyScreen) picture(s *draw.Canvas, area draw.Rect) {
	if len(l.now.matches) > 0 && drawPreview(s, area.Lower(1), l.now.matches[0]) {
		return
	}
	p, err := rules.ParsePosition("X.X.X...X")
	if err != nil {
		return
	}
	area = area.Lower(1)
	(&draw.Boards{Position: p, Digits: draw.NoDigits}).Draw(s, draw.Arrange(p.Variant(), area))
}

// myMatchesShown is how many of one's own matches the lobby has room for.
const myMatchesShown = 3

// setMyMatches takes in which matches the player has on. The most urgent one is chosen, unless the player has chosen
// already; then the choice stays.
func (l *lobbyScreen) setMyMatches(mine []client.OwnMatch) {
	var chosen match.ID
	if l.touched && l.at < len(l.myMatches) {
		chosen = l.myMatches[l.at].ID
	}
	before := len(l.myMatches)
	l.myMatches = slices.Clone(mine)
	switch at := slices.IndexFunc(l.myMatches, func(o client.OwnMatch) bool { return o.ID == chosen }); {
	case !l.touched:
		l.at = 0
	case at >= 0:
		l.at = at
	default:
		l.at = max(0, l.at+len(l.myMatches)-before)
	}
}

// drawMyMatches lists the matches of the player that can be gone to.
func (l *lobbyScreen) drawMyMatches(s *draw.Canvas, x, y, width int) int {
	if len(l.myMatches) == 0 {
		return y
	}
	heading := "Your match goes on: Enter returns"
	if !slices.ContainsFunc(l.myMatches, func(o client.OwnMatch) bool { return !o.Over() }) {
		heading = "A match is over: Enter shows it"
	}
	s.Text(x-2, y, draw.Notice, heading)
	for i, own := range l.myMatches {
		if i == myMatchesShown {
			s.Text(x, y+1, draw.Faint, "and "+wording.Count(len(l.myMatches)-myMatchesShown, "other", "others"))
			return y + 3
		}
		y++
		k := draw.Plain
		if l.at == i {
			k = draw.Chosen
			s.Point(x-2, y)
		}
		s.Target.OnEntry(draw.Rect{X: x - 2, Y: y, Width: width, Height: 1}, i)
		s.Text(x, y, k, s.Fit(aboutText(own, l.session.player.ID), width-2))
	}
	return y + 2
}
