package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
)

// The number of letters of a private table's code, and of a guest's way back.
const (
	codeLength       = 4
	resumeCodeLength = 8
)

// privateScreen makes a private table, or sits down at one by its code.
type privateScreen struct {
	session *session
	boards  selector
	code    textinput.Model
	joining bool
	asked   bool
}

func newPrivate(s *session) *privateScreen {
	input := textinput.New()
	input.CharLimit = resumeCodeLength
	input.SetVirtualCursor(false) // a blinking cursor would tick
	input.KeyMap.Paste.Unbind()   // it would paste from the server's clipboard
	return &privateScreen{session: s, boards: boardsSelector(s.terms), code: input}
}

func (p *privateScreen) isTyping() bool { return p.joining }

func (p *privateScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case failed:
		p.asked = false
	case tea.PasteMsg:
		p.join(true)
		p.code.SetValue(strings.Map(codeLetter, msg.Content)) // first, for the limit counts what is around a code too
		p.code.CursorEnd()
	case tea.KeyPressMsg:
		return p.press(msg)
	}
	return nil, nil
}

func (p *privateScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys := p.session.keys
	switch name := press.String(); {
	case name == "esc", !p.joining && key.Matches(press, keys.back):
		return toLobby{}, nil
	case name == "up", name == "shift+tab", !p.joining && key.Matches(press, keys.up),
		name == "down", name == "tab", !p.joining && key.Matches(press, keys.down):
		p.join(!p.joining)
	case key.Matches(press, keys.enter):
		return nil, p.request()
	case p.joining || p.isCode(press):
		p.join(true)
		p.typed(press)
	case key.Matches(press, keys.left):
		p.boards.turn(-1)
	case key.Matches(press, keys.right):
		p.boards.turn(1)
	case key.Matches(press, keys.digit):
		p.boards.at = int(name[0] - '1')
	}
	return nil, nil
}

// isCode reports whether a key begins a code, and means nothing else on the line where a table is made.
func (p *privateScreen) isCode(press tea.KeyPressMsg) bool {
	keys := p.session.keys
	name := press.String()
	return len(name) == 1 && codeLetter(rune(name[0])) >= 0 && !key.Matches(press, keys.left, keys.right, keys.digit)
}

// join goes to the line where a code is typed, or away from it.
func (p *privateScreen) join(typing bool) {
	p.joining = typing
	if typing {
		p.code.Focus()
		return
	}
	p.code.Blur()
}

// typed lets the input take a key. Codes have capital letters and digits only.
func (p *privateScreen) typed(msg tea.KeyPressMsg) {
	p.code, _ = p.code.Update(msg)
	p.code.SetValue(strings.Map(codeLetter, p.code.Value()))
}

// codeLetter is a character as codes have it, or -1.
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

func (p *privateScreen) request() tea.Cmd {
	if p.asked {
		return nil
	}
	s := p.session
	if !p.joining {
		p.asked = true
		s.terms = p.boards.terms()
		return s.commands.openPrivate(s.player, s.terms)
	}
	if len(p.code.Value()) < codeLength {
		return nil
	}
	p.asked = true
	return s.commands.join(s.player, match.Code(p.code.Value()))
}

func (p *privateScreen) draw(s *canvas) {
	area := s.header("Private table", p.session.player.Name).column(60)
	x, y := area.x+2, area.y+1
	if s.roomy() {
		y += area.height / 6
	}
	p.head(s, x, y, !p.joining, "Make a table")
	p.boards.draw(s, x, y+1, false)
	if !p.joining {
		p.boards.draw(s, x, y+1, true)
		s.text(x-2, y+1, plain, " ")
	}
	y = s.paragraph(x, y+2, area.width-4, faint, "You get a code to pass on.")
	y++
	p.head(s, x, y, p.joining, "Join with a code")
	p.letters(s, x, y+1)
	s.paragraph(x, y+4, area.width-4, faint, "A guest's own code leads back to the same seat.")
}

func (p *privateScreen) head(s *canvas, x, y int, here bool, text string) {
	if !here {
		s.text(x, y, plain, text)
		return
	}
	s.point(x-2, y)
	s.text(x, y, chosen, text)
}

// letters draws a box for each letter of the code, narrow ones once there are more than a private table's has.
func (p *privateScreen) letters(s *canvas, x, y int) {
	typed := p.code.Value()
	length, width := codeLength, 5
	if len(typed) > codeLength {
		length, width = resumeCodeLength, 3
	}
	for i := range length {
		k := grid
		if p.joining && i == min(p.code.Position(), length-1) {
			k = cursor
		}
		left := x + (width+1)*i
		s.box(rect{left, y, width, 3}, k)
		if i < len(typed) {
			s.text(left+width/2, y+1, strong, typed[i:i+1])
		} else if k == cursor {
			s.text(left+width/2, y+1, cursor, s.glyphs.block)
		}
	}
}

func (p *privateScreen) notice() (string, role) { return "", plain }

func (p *privateScreen) title() string { return "Private table" }

// ShortHelp is part of help.KeyMap.
func (p *privateScreen) ShortHelp() []key.Binding {
	k := p.session.keys
	if p.joining {
		return []key.Binding{k.choose, renamed(k.enter, "join"), k.back, k.help}
	}
	return []key.Binding{k.choose, renamed(k.enter, "make"), renamed(k.change, "boards"), k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (p *privateScreen) FullHelp() [][]key.Binding {
	k := p.session.keys
	return [][]key.Binding{{k.choose, renamed(k.change, "boards"), renamed(k.enter, "make, or join"), k.back}, k.settings()}
}
