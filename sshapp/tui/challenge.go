package tui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// The lengths of a private table's code, and of a guest's resume code.
const (
	codeLength       = 6
	resumeCodeLength = 8
)

// challengeForm makes a challenge to a player, to anyone, or to a friend with a code. Below, the player joins a table
// by its code. Letter keys do not move the choice here, because the player can type a code or a name at once.
type challengeForm struct {
	page
	form           // for a new challenge, with the code in the row below the selectors
	opponent, kind selector
	termsSelector
	name, code textinput.Model
	asked      bool   // a request is under way
	status     string // the reason why a code or a name was not tried

	cachedActions cachedActions[challengeState]
}

// opponentKind is an option of the selector for the opponent. A guest has only withCode.
type opponentKind int

const (
	withCode opponentKind = iota
	byName
	anyone
)

// newChallenge returns the form with an opponent of a kind. Its terms are those of the player's last choice.
func newChallenge(e *env, opponent opponentKind) *challengeForm {
	input := func(limit int) textinput.Model {
		input := textinput.New()
		input.CharLimit = limit
		input.SetVirtualCursor(false) // a blinking cursor would tick
		input.KeyMap.Paste.Unbind()   // would paste from the server's clipboard
		input.Focus()
		return input
	}
	const longestName = 64 // the server says which names are too long
	c := &challengeForm{
		page: page{e, "New challenge"}, termsSelector: newTermsSelector(e.choices.terms),
		opponent: selector{
			label: "Opponent", options: []string{"by a code"}, notes: []string{"You get a code for your friend."},
		},
		kind: selector{
			label: "Match", options: []string{"casual", "rated pair"},
			notes: []string{"One unrated match.", "Two rated games. You each start one."},
		},
		name: input(longestName), code: input(resumeCodeLength),
	}
	if e.canChallenge() {
		c.opponent.options = append(c.opponent.options, "", "anyone")
		c.opponent.notes = append(c.opponent.notes, typeName, "Open to anyone for 7 days.")
		c.opponent.chosen = int(opponent)
	}
	c.rows = c.selectors
	c.offerClocks()
	return c
}

// canChallenge reports whether the player has an account. Every challenge without a code needs one.
func (e *env) canChallenge() bool { return e.accounts != nil && !e.player.Guest }

func (c *challengeForm) isTo(kind opponentKind) bool { return c.opponent.chosen == int(kind) }

func (c *challengeForm) isRated() bool { return !c.isTo(withCode) && c.kind.chosen == ratedPair }

// selectors returns the shown selectors. A rated pair has fixed boards.
func (c *challengeForm) selectors() []*selector {
	switch {
	case len(c.opponent.options) == 1:
		return []*selector{&c.boards, &c.clock}
	case c.isTo(withCode):
		return []*selector{&c.opponent, &c.boards, &c.clock}
	case c.isRated():
		return []*selector{&c.opponent, &c.kind, &c.clock}
	default:
		return []*selector{&c.opponent, &c.kind, &c.boards, &c.clock}
	}
}

// offerClocks offers the clocks that the opponent and the kind of the match allow, and keeps the chosen clock if it is
// among them. Otherwise, or instead of no clock, a challenge without a code gets client.ChallengeDays a move.
func (c *challengeForm) offerClocks() {
	chosen, all, rated := c.clocks[c.clock.chosen], match.OfferedClocks(), match.RatedTerms(match.PeoplePool).Clock
	if c.isRated() {
		all = append([]match.Clock{rated}, all...)
	}
	all = slices.DeleteFunc(all, func(clock match.Clock) bool {
		return !clock.IsCorrespondence() && (c.isTo(anyone) || c.isRated() && clock != rated)
	})
	if !c.isTo(withCode) && (chosen.IsNone() || !slices.Contains(all, chosen)) {
		chosen = all[0]
		if days, err := match.Correspondence(client.ChallengeDays); err == nil {
			chosen = days
		}
	}
	c.clock, c.clocks = clockSelector(chosen, all)
}

func (c *challengeForm) terms() match.Terms {
	if !c.isRated() {
		return c.termsSelector.terms()
	}
	terms := match.RatedTerms(match.PeoplePool)
	terms.Clock = c.clocks[c.clock.chosen]
	return terms
}

func (c *challengeForm) isAtCode() bool { return c.row >= len(c.rows()) }

func (c *challengeForm) isAtName() bool { return c.row == 0 && c.isTo(byName) }

// takesLetters reports whether letters are text on a screen, so that none of them is a key.
func takesLetters(s screen) bool {
	_, isForm := s.(*challengeForm)
	return isForm
}

func (c *challengeForm) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case failedMsg:
		c.asked = false
	case tea.PasteMsg:
		if c.isAtName() {
			c.name.SetValue(strings.TrimSpace(msg.Content))
			c.noteName()
			break
		}
		c.row = len(c.rows())
		c.code.SetValue(strings.Map(codeLetter, msg.Content)) // codeLetter drops characters that CharLimit would count
		c.code.CursorEnd()
	case tea.KeyPressMsg:
		c.status = ""
		if c.isAtName() && msg.Text != "" { // a space is part of a name
			c.name, _ = c.name.Update(msg)
			c.noteName()
			break
		}
		if a := c.env.pressedAction(c.actions()); a != nil {
			return a.run(r)
		}
		if c.isAtName() {
			c.name, _ = c.name.Update(msg)
			c.noteName()
			break
		}
		if name := c.env.attention.key; c.isAtCode() || len(name) == 1 && codeLetter(rune(name[0])) >= 0 {
			c.row = len(c.rows())
			c.code, _ = c.code.Update(msg)
			c.code.SetValue(strings.Map(codeLetter, c.code.Value()))
		}
	}
	return nil
}

// challengeState holds the values that determine the actions of the form.
type challengeState struct {
	keys                                     *keyMap
	isWithCode, isTyping, isAtCode, isPicked bool // isPicked: digits choose the boards
}

func (c *challengeForm) actions() []action {
	isAtCode := c.isAtCode()
	return c.cachedActions.get(challengeState{
		c.env.keys, c.isTo(withCode), isAtCode || c.isAtName(), isAtCode,
		!isAtCode && (c.row == 0 || c.rows()[c.row] == &c.boards) && !c.isRated(),
	}, c.newActions)
}

func (c *challengeForm) newActions(now challengeState) []action {
	keys := now.keys
	enter, turn, pick, back := "challenge", navigation(c.change), navigation(nil), &keys.withoutLetters.back
	if now.isPicked {
		pick = func(*Root) tea.Cmd {
			c.boards.chosen = c.env.pressedDigit() - 1
			return nil
		}
	}
	if now.isWithCode {
		enter = "make"
	}
	if now.isTyping {
		back = &keys.withoutLetters.escape
	}
	if now.isAtCode {
		enter, turn = "join", nil
	}
	return []action{
		{key: &keys.enter, short: enter, run: c.request},
		{key: &keys.withoutLetters.choose, short: "choose", long: "choose", run: c.moveRow},
		{key: &keys.withoutLetters.change, short: textIf(!now.isAtCode, "change"), long: "change", run: turn},
		{key: &keys.digit, run: pick},
		{key: &keys.enter, long: "challenge, or join"},
		{key: back, short: "back", long: "back", run: toLobby},
	}
}

func (c *challengeForm) change(r *Root) tea.Cmd {
	c.changeOption(r)
	if c.row < len(c.rows()) && c.rows()[c.row] != &c.clock {
		c.offerClocks()
	}
	return nil
}

const typeName = "Type a name. Open for 7 days."

// noteName says below the name whether the player is here now.
func (c *challengeForm) noteName() {
	note := &c.opponent.notes[byName]
	*note = typeName
	p, err := client.FindPlayer(c.env.accounts, c.env.host, strings.TrimSpace(c.name.Value()))
	if err == nil && c.env.manager.IsHere(p.ID) {
		*note = p.Name + " is " + wording.HereNow + ". Open for 7 days."
	}
}

func codeLetter(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return r - 'a' + 'A'
	case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return r
	default:
		return -1
	}
}

// request makes the challenge, or joins a table if the code row is chosen. A held key sends one request only.
func (c *challengeForm) request(*Root) tea.Cmd {
	e, name, terms := c.env, strings.TrimSpace(c.name.Value()), c.terms()
	switch {
	case c.asked:
		return nil
	case c.isAtCode() && len(c.code.Value()) < codeLength:
		c.status = "A code has six or eight characters."
		return nil
	case !c.isAtCode() && c.isTo(byName) && name == "":
		c.row, c.status = 0, "Type the name of a player."
		return nil
	}
	c.asked = true
	if c.isAtCode() {
		return e.join(match.Code(c.code.Value()))
	}
	if !c.isRated() {
		e.choices.terms = terms
	}
	switch {
	case c.isTo(withCode):
		return e.openPrivate(terms)
	case c.isTo(anyone):
		name = wording.Anyone
	}
	challenger := e.challenger()
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		said, err := challenger.Challenge(ctx, name, terms)
		return navigation(func(r *Root) tea.Cmd {
			r.status.say(said)
			return toChallenges(r)
		}), err
	})
}

func (c *challengeForm) draw(s *draw.Canvas) {
	const makeWidth = 40 // at least
	// The rows of each half, with the heading if there is no frame.
	area, rows, joinRows := c.header(s), s.Pick(6, 10, 15), s.Pick(6, 10, 12)
	var first, second, steps draw.Rect
	switch {
	case s.IsWide():
		left, preview := wideColumns(area)
		drawPreview(s, preview, c.env.previewOf(c.terms().Variant))
		first, steps = stack(left, rows)
		second, steps = stack(steps, joinRows)
		steps = steps.Lower(1)
	case s.IsRoomy():
		both := area.Middle(rows + 2 + stepRows).Column(cardsWidth)
		steps = both.Lower(rows + 3)
		both.Height = rows + 2
		first, second = cards(both, rows, max(makeWidth, both.Width/2))
	default:
		first = area.Middle(rows + joinRows).Column(smallForm)
		second, first.Height = first.Lower(rows), rows
	}
	c.drawMake(s, first)
	c.drawJoin(s, second)
	if s.IsRoomy() && c.isTo(withCode) && steps.Height >= stepRows-1 {
		drawSteps(s, steps, c.env.host)
	}
}

func (c *challengeForm) drawHalf(s *draw.Canvas, area draw.Rect, heading string, here bool) draw.Rect {
	frame, role := draw.Grid, draw.Plain
	if here {
		frame, role = draw.Cursor, draw.Chosen
	}
	if s.IsRoomy() {
		return s.Card(area, frame, heading, role).Lower(1)
	}
	s.Text(area.X+2, area.Y, role, heading)
	return area.Lower(1)
}

func (c *challengeForm) drawMake(s *draw.Canvas, area draw.Rect) {
	s.Target.OnRow(area, 0)
	area = c.drawHalf(s, area, "Your challenge", !c.isAtCode())
	x, y, rows := area.X+2, area.Y, c.rows()
	if len(c.opponent.options) > 1 {
		c.opponent.options[byName] = c.nameText(s)
	}
	for i, row := range rows {
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 1}, i)
		row.draw(s, x, y, c.row == i)
		y += s.Pick(1, 2, 3)
	}
	explained := &c.opponent
	if c.row < len(rows) && rows[c.row] != &c.boards {
		explained = rows[c.row]
	}
	s.Text(x, y, draw.Faint, s.Fit(explained.notes[explained.chosen], area.Width-2))
}

// nameText returns the end of the typed name with the place of the next letter, as wide as an option may be.
func (c *challengeForm) nameText(s *draw.Canvas) string {
	name := c.name.Value()
	for draw.Columns(name) > optionWidth-1 {
		_, size := utf8.DecodeRuneInString(name)
		name = name[size:]
	}
	switch {
	case c.isAtName():
		return name + s.Glyphs.Block
	case name == "":
		return "a name"
	default:
		return name
	}
}

func (c *challengeForm) drawJoin(s *draw.Canvas, area draw.Rect) {
	s.Target.OnRow(area, len(c.rows()))
	area = c.drawHalf(s, area, "Join with a code", c.isAtCode())
	if c.isAtCode() && !s.IsRoomy() {
		s.Point(area.X, area.Y-1)
	}
	y := c.drawCodeBoxes(s, area) + s.Pick(0, 1, 1)
	s.TextCenter(area.X, area.Width, y, draw.Faint, "Left a match as a guest?\nYour return code takes you back.")
}

const stepRows = 5

func drawSteps(s *draw.Canvas, area draw.Rect, host string) {
	s.Section(area.X, area.Y, area.Width, "Two friends, one table")
	shell := "adds \"join CODE\" to the ssh command"
	if command := wording.GameCommand(host, "join CODE"); command != "" {
		shell = "types in a shell: " + command
	}
	y := area.Y + 1
	for i, step := range [...]string{
		"You make a table and get its code.",
		"Your friend types it here, or " + shell + ".",
		"The match begins. Watch does not list it.",
	} {
		s.Text(area.X, y, draw.Faint, strconv.Itoa(i+1))
		y = s.Paragraph(area.X+3, y, area.Width-3, draw.Plain, step)
	}
}

func (c *challengeForm) drawCodeBoxes(s *draw.Canvas, area draw.Rect) (below int) {
	typed := c.code.Value()
	length, width, height := codeLength, 5, 3
	const large = 10 // columns
	isLarge := s.IsTall() && area.Width >= large*length
	switch {
	case len(typed) > codeLength:
		length, width, isLarge = resumeCodeLength, 3, false
	case isLarge:
		width, height = large, 7
	}
	x, y, isAtCode := area.Column(width*length).X, area.Y, c.isAtCode()
	for i := range length {
		role := draw.Grid
		if isAtCode && i == min(c.code.Position(), length-1) {
			role = draw.Cursor
		}
		left := x + width*i
		s.Box(draw.Rect{X: left, Y: y, Width: width, Height: height}, role)
		switch {
		case i < len(typed) && isLarge && strings.ContainsRune(match.CodeLetters, rune(typed[i])):
			s.Large(left+2, y+1, draw.Strong, typed[i:i+1], 1)
		case i < len(typed):
			s.Text(left+width/2, y+height/2, draw.Strong, typed[i:i+1])
		case role == draw.Cursor:
			s.Text(left+width/2, y+height/2, draw.Cursor, s.Glyphs.Block)
		}
	}
	return y + height
}

func (c *challengeForm) notice() (string, draw.Role) { return c.status, draw.Notice }
