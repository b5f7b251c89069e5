package render

import (
	"slices"
	"strings"
	"unicode"
	"unique"

	"github.com/charmbracelet/x/ansi"
)

// Frame is what a player should see.
type Frame struct {
	Grid  *Grid  // Draw may change it, and keeps nothing of it
	Title string // the window's title; what cannot be printed is left out
	Bell  uint   // the bell rings when this differs from the frame before; a screen starts at 0
	Copy  string // is put on the terminal's clipboard when it differs from the frame before; a screen starts with ""
	Mouse bool   // presses of the mouse's buttons are reported
}

// Screen is a player's terminal. One goroutine owns it.
type Screen struct {
	caps          Caps
	width, height int

	rows    []unique.Handle[string] // what was drawn last, packed
	columns int                     // of its grid
	styles  *Styles
	origin  cursor // where its top left stands
	stale   bool   // the terminal may show anything
	at      cursor
	style   StyleID

	entered bool
	title   string
	titled  bool
	mouse   bool
	signals
}

type signals struct {
	bell   uint
	copied string
}

const (
	defaultWidth, defaultHeight = 80, 24
	// largest is more than any screen has, and leaves sums of positions small.
	largest = 10_000
)

// NewScreen returns a screen of which nothing is known but its size. A size of 0 or less is taken for 80x24.
func NewScreen(caps Caps, width, height int) *Screen {
	s := &Screen{caps: caps}
	s.Resize(width, height)
	return s
}

// Resize sets the window's size, as in [NewScreen]. The next Draw paints everything anew, also if the size is the same.
func (s *Screen) Resize(width, height int) {
	s.width, s.height = min(width, largest), min(height, largest)
	if width <= 0 {
		s.width = defaultWidth
	}
	if height <= 0 {
		s.height = defaultHeight
	}
	s.stale = true
}

// Draw appends to dst the bytes that make the terminal show f, and takes it that they will be written. The first Draw,
// and the first after a [Screen.Restore], also prepares the terminal.
func (s *Screen) Draw(dst []byte, f Frame) []byte {
	dst = s.setModes(dst, f)
	g := f.Grid
	g.restrict(s.caps)
	e := s.newEncoder(dst, g)
	defer e.release()
	origin := cursor{max(0, s.width-g.width) / 2, max(0, s.height-g.height) / 2}
	rows := min(g.height, s.height)
	if s.stale || s.origin != origin || s.columns != g.width || len(s.rows) != rows || s.styles != g.styles {
		e.wipe()
		s.origin, s.columns, s.styles, s.stale = origin, g.width, g.styles, false
		s.rows = slices.Repeat([]unique.Handle[string]{unique.Make("")}, rows)
	}
	for i := range rows {
		columns := min(g.width, s.room(origin.y+i))
		g.cut(i, columns)
		g.unpack(e.before[i*g.width:(i+1)*g.width], s.rows[i].Value())
		if e.addRuns(i, columns, cursor{origin.x, origin.y + i}) {
			e.packed = g.pack(e.packed[:0], g.row(i))
			s.rows[i] = unique.Make(string(e.packed))
		}
	}
	e.paintRuns()
	s.at, s.style = e.at, e.style
	return e.bytes
}

// room returns the columns of a row of the window. Where the terminal may wrap, the bottom right corner is left out:
// writing there could scroll the screen.
func (s *Screen) room(row int) int {
	if !s.caps.NoWrap && row == s.height-1 {
		return s.width - 1
	}
	return s.width
}

func (s *Screen) setModes(dst []byte, f Frame) []byte {
	if !s.entered {
		dst = s.enter(dst)
	}
	if f.Mouse != s.mouse && s.caps.Mouse {
		dst = append(dst, setting(f.Mouse)(ansi.ModeMouseNormal, ansi.ModeMouseExtSgr)...)
		s.mouse = f.Mouse
	}
	if f.Title != s.title && s.caps.Title {
		dst = s.setTitle(dst, f.Title)
	}
	if f.Copy != s.copied && s.caps.Title {
		dst = append(dst, ansi.SetSystemClipboard(f.Copy)...)
		s.copied = f.Copy
	}
	if f.Bell != s.bell {
		dst = append(dst, ansi.BEL)
		s.bell = f.Bell
	}
	return dst
}

func setting(on bool) func(...ansi.Mode) string {
	if on {
		return ansi.SetMode
	}
	return ansi.ResetMode
}

// enter prepares the terminal. The alternate screen comes first, so that what it saves is as we found it.
func (s *Screen) enter(dst []byte) []byte {
	dst = append(dst, ansi.SetMode(s.entering()...)...)
	dst = append(dst, ansi.ResetMode(s.suspended()...)...)
	s.entered, s.stale = true, true
	return dst
}

// entering are the modes set while a screen is in use.
func (s *Screen) entering() []ansi.Mode {
	var modes []ansi.Mode
	if s.caps.Alternate {
		modes = append(modes, ansi.ModeAltScreenSaveCursor)
	}
	if s.caps.Paste {
		modes = append(modes, ansi.ModeBracketedPaste)
	}
	return modes
}

// suspended are the modes that are set in any terminal at first, and not while a screen is in use.
func (s *Screen) suspended() []ansi.Mode {
	var modes []ansi.Mode
	if s.caps.NoWrap {
		modes = append(modes, ansi.ModeAutoWrap)
	}
	if s.caps.Hide {
		modes = append(modes, ansi.ModeTextCursorEnable)
	}
	return modes
}

// Restore appends what puts the terminal back as it was before the first Draw. Before any Draw, or a second time, it
// appends nothing.
func (s *Screen) Restore(dst []byte) []byte {
	return s.leave(dst, ansi.CursorHomePosition+ansi.EraseScreenBelow)
}

// Leave is Restore, but without an alternate screen what is drawn stays, with the cursor below.
func (s *Screen) Leave(dst []byte) []byte {
	return s.leave(dst, ansi.CursorPosition(1, s.height+1))
}

func (s *Screen) leave(dst []byte, last string) []byte {
	if !s.entered {
		return dst
	}
	if s.style != 0 {
		dst = append(dst, ansi.ResetStyle...)
	}
	dst = append(dst, last...)
	if s.mouse {
		dst = append(dst, ansi.ResetMode(ansi.ModeMouseNormal, ansi.ModeMouseExtSgr)...)
	}
	dst = append(dst, ansi.ResetMode(s.entering()...)...)
	dst = append(dst, ansi.SetMode(s.suspended()...)...)
	dst = s.putTitleBack(dst)
	*s = Screen{caps: s.caps, width: s.width, height: s.height, signals: s.signals}
	return dst
}

// setTitle shows a title. The first time the terminal saves its own.
func (s *Screen) setTitle(dst []byte, title string) []byte {
	if !s.titled && s.caps.TitleStack {
		dst = append(dst, ansi.WindowOp(saveTitle, windowTitle)...)
	}
	s.title, s.titled = title, true
	return append(dst, ansi.SetWindowTitle(s.printable(title))...)
}

func (s *Screen) putTitleBack(dst []byte) []byte {
	switch {
	case s.titled && s.caps.TitleStack:
		return append(dst, ansi.WindowOp(restoreTitle, windowTitle)...)
	case s.titled:
		return append(dst, ansi.SetWindowTitle("")...)
	}
	return dst
}

// Window operations of xterm.
const (
	windowTitle  = 2
	saveTitle    = 22
	restoreTitle = 23
)

const longestTitle = 120

// printable removes what could end the title's sequence or be a control in another one.
func (s *Screen) printable(title string) string {
	count := 0
	return strings.Map(func(r rune) rune {
		if count == longestTitle || !s.inTitle(r) {
			return -1
		}
		count++
		return r
	}, title)
}

// inTitle reports whether r may stand in a title. A terminal that does not know UTF-8 there ends the title at the byte
// that is ST in eight bits, and shows the rest on the screen.
func (s *Screen) inTitle(r rune) bool {
	if r < unicode.MaxASCII {
		return unicode.IsPrint(r)
	}
	return s.caps.UTF8 && unicode.IsPrint(r) && r != unicode.ReplacementChar && !strings.Contains(string(r), "\x9c")
}
