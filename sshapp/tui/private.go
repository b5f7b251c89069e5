package tui

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// The lengths of a private table's code, and of a guest's resume code.
const (
	codeLength       = 4
	resumeCodeLength = 8
)

// privateScreen makes a private table or joins one by its code. Letter keys do not move the choice here, so that a code
// can be typed at once.
type privateScreen struct {
	page
	form // of a new table; the row below its selectors is for the code
	termsSelector
	code   textinput.Model
	asked  bool
	status string // why a code was not tried
}

// The rows of a privateScreen.
const (
	boardsRow = iota
	clockRow
	codeRow
)

func newPrivate(e *env) *privateScreen {
	input := textinput.New()
	input.CharLimit = resumeCodeLength
	input.SetVirtualCursor(false) // a blinking cursor would tick
	input.KeyMap.Paste.Unbind()   // it would paste from the server's clipboard
	input.Focus()
	p := &privateScreen{page: page{e, "Private table"}, termsSelector: newTermsSelector(e.choices.terms), code: input}
	p.rows = func() []*selector { return []*selector{boardsRow: &p.boards, clockRow: &p.clock} }
	return p
}

func (p *privateScreen) isTyping() bool { return p.row == codeRow }

func (p *privateScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case failed:
		p.asked = false
	case tea.PasteMsg:
		p.row = codeRow
		p.code.SetValue(strings.Map(codeLetter, msg.Content)) // first, for the limit counts what is around a code too
		p.code.CursorEnd()
	case tea.KeyPressMsg:
		p.status = ""
		if a := p.env.pressedAction(p.actions()); a != nil {
			return a.do(r)
		}
		if name := p.env.attention.key; p.isTyping() || len(name) == 1 && codeLetter(rune(name[0])) >= 0 {
			p.row = codeRow
			p.code, _ = p.code.Update(msg)
			p.code.SetValue(strings.Map(codeLetter, p.code.Value()))
		}
	}
	return nil
}

func (p *privateScreen) actions() []action {
	k, isTyping := p.env.keys, p.isTyping()
	enter, turn, pick, back := "make", navigation(p.turn), navigation(nil), &k.withoutLetters.back
	if p.row == boardsRow {
		pick = func(*Root) tea.Cmd {
			p.boards.at = p.env.digit() - 1
			return nil
		}
	}
	if isTyping {
		enter, turn, back = "join", nil, &k.withoutLetters.escape
	}
	return []action{
		{key: &k.withoutLetters.choose, short: "choose", long: "choose", do: p.step},
		{key: &k.enter, short: enter, do: p.request},
		{key: &k.withoutLetters.change, short: when(!isTyping, "boards or clock"), long: "boards or clock", do: turn},
		{key: &k.digit, do: pick},
		{key: &k.enter, long: "make, or join"},
		{key: back, short: "back", long: "back", do: toLobby},
	}
}

// codeLetter returns a letter in upper case and a digit unchanged. It returns -1 for other characters.
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

// request makes a table, or joins one if the code row is chosen. A key that is held down sends one request only.
func (p *privateScreen) request(*Root) tea.Cmd {
	if p.asked {
		return nil
	}
	e := p.env
	if !p.isTyping() {
		p.asked = true
		e.choices.terms = p.terms()
		return e.openPrivate(e.choices.terms)
	}
	if len(p.code.Value()) < codeLength {
		p.status = "A code has four or eight characters."
		return nil
	}
	p.asked = true
	return e.join(match.Code(p.code.Value()))
}

func (p *privateScreen) draw(s *draw.Canvas) {
	const makeWidth = 40                        // at least
	area, rows := p.header(s), s.Pick(5, 8, 12) // of each half, with the heading where there is no frame
	var first, second, steps draw.Rect
	switch {
	case s.Wide():
		left, preview := wideColumns(area)
		drawPreview(s, preview, p.boards.variant(), p.env.settings.digits)
		first, steps = stack(left, rows)
		second, steps = stack(steps, rows)
		steps = steps.Lower(1)
	case s.Roomy():
		both := area.Middle(rows + 2 + stepRows).Column(cardsWidth)
		both.Height = rows + 2
		first, second = cards(both, rows, max(makeWidth, both.Width/2))
		steps = both.Lower(rows + 3)
	default:
		first = area.Middle(rows + rows + 1).Column(smallForm)
		second, first.Height = first.Lower(rows), rows
	}
	p.drawMake(s, first)
	p.drawJoin(s, second)
	if s.Roomy() {
		drawSteps(s, steps, p.env.host)
	}
}

// half draws the heading of one half of the screen, with a frame if there is room. It returns the area below the
// heading.
func (p *privateScreen) half(s *draw.Canvas, area draw.Rect, heading string, here bool) draw.Rect {
	frame, k := draw.Grid, draw.Plain
	if here {
		frame, k = draw.Cursor, draw.Chosen
	}
	if s.Roomy() {
		return s.Card(area, frame, heading, k).Lower(1)
	}
	s.Text(area.X+2, area.Y, k, heading)
	return area.Lower(1)
}

func (p *privateScreen) drawMake(s *draw.Canvas, area draw.Rect) {
	s.Target.OnRow(area, boardsRow)
	area = p.half(s, area, "Make a table", !p.isTyping())
	x, y := area.X+2, area.Y
	for i, row := range p.rows() {
		s.Target.OnRow(draw.Rect{X: area.X, Y: y, Width: area.Width, Height: 1}, i)
		row.draw(s, x, y, p.row == i)
		y += s.Pick(1, 2, 3)
	}
	note := "You get a code for your friend."
	if p.row == clockRow {
		note = p.clock.notes[p.clock.at]
	}
	s.Text(x, y, draw.Faint, s.Fit(note, area.Width-2))
}

func (p *privateScreen) drawJoin(s *draw.Canvas, area draw.Rect) {
	s.Target.OnRow(area, codeRow)
	area = p.half(s, area, "Join with a code", p.isTyping())
	if p.isTyping() && !s.Roomy() {
		s.Point(area.X, area.Y-1)
	}
	y := p.letters(s, area) + s.Pick(0, 1, 1)
	s.TextCenter(area.X, area.Width, y, draw.Faint, "Left a match as a guest?\nIts longer code takes you back.")
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

// letters draws a box for each letter of the code, and returns the row below the boxes.
func (p *privateScreen) letters(s *draw.Canvas, area draw.Rect) (below int) {
	typed := p.code.Value()
	length, width, height, gap := codeLength, 5, 3, 1
	const large = 10 // wide
	isLarge := s.Tall() && area.Width >= (large+gap)*length-gap
	switch {
	case len(typed) > codeLength:
		length, width, gap, isLarge = resumeCodeLength, 3, 0, false
	case isLarge:
		width, height = large, 7
	}
	x, y := area.Column((width+gap)*length-gap).X, area.Y
	for i := range length {
		k := draw.Grid
		if p.isTyping() && i == min(p.code.Position(), length-1) {
			k = draw.Cursor
		}
		left := x + (width+gap)*i
		s.Box(draw.Rect{X: left, Y: y, Width: width, Height: height}, k)
		switch {
		case i < len(typed) && isLarge && strings.ContainsRune(match.CodeLetters, rune(typed[i])):
			s.Large(left+2, y+1, draw.Strong, typed[i:i+1], 1)
		case i < len(typed):
			s.Text(left+width/2, y+height/2, draw.Strong, typed[i:i+1])
		case k == draw.Cursor:
			s.Text(left+width/2, y+height/2, draw.Cursor, s.Glyphs.Block)
		}
	}
	return y + height
}

func (p *privateScreen) notice() (string, draw.Role) { return p.status, draw.Notice }
