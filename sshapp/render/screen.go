package render

import (
	"slices"
	"strings"
	"unicode"
	"unique"

	"github.com/charmbracelet/x/ansi"
)

// Frame is the screen that a player is to see.
type Frame struct {
	Grid  *Grid  // Draw may change it, but does not keep it
	Title string // the window's title, printed without characters that are not printable
	Bell  uint   // rings the bell if it differs from the last frame's; before the first frame it is 0
	Copy  string // goes to the terminal's clipboard if it differs from the last frame's; before the first one it is ""
	Mouse bool   // the terminal reports presses of the mouse's buttons
}

// Screen is a player's terminal. One goroutine owns it.
type Screen struct {
	caps          Caps
	width, height int

	rows    []unique.Handle[string] // of the last frame, packed
	columns int                     // of its grid
	styles  *Styles
	origin  cursor // the place of its top left
	stale   bool   // it is not known what the terminal shows
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
	// largest is more columns or rows than any screen has.
	largest = 10_000
)

// NewScreen returns a screen of a size. A width of 0 or less counts as 80, and a height of 0 or less as 24.
func NewScreen(caps Caps, width, height int) *Screen {
	s := &Screen{caps: caps}
	s.Resize(width, height)
	return s
}

// Resize sets the window's size, as in [NewScreen]. The next Draw paints everything anew, even if the size is
// unchanged.
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

// Draw appends to dst the bytes that make the terminal show f. The caller must send them. The first Draw, and the first
// one after [Screen.Restore] or [Screen.Leave], also prepares the terminal.
func (s *Screen) Draw(dst []byte, f Frame) []byte {
	dst = s.setModes(dst, f)
	g := f.Grid
	g.restrict(s.caps)
	e := s.newEncoder(dst, g)
	defer e.release()
	origin := cursor{max(0, s.width-g.width) / 2, max(0, s.height-g.height) / 2}
	rows := min(g.height, s.height)
	if s.stale || s.origin != origin || s.columns != g.width || len(s.rows) != rows || s.styles != g.styles {
		e.bytes = append(e.bytes, ansi.ResetStyle+ansi.CursorHomePosition+ansi.EraseScreenBelow...)
		e.at, e.style = cursor{}, 0
		s.origin, s.columns, s.styles, s.stale = origin, g.width, g.styles, false
		s.rows = slices.Repeat([]unique.Handle[string]{unique.Make("")}, rows)
	}
	for i := range rows {
		columns := min(g.width, s.width)
		if !s.caps.NoWrap && origin.y+i == s.height-1 {
			columns = min(columns, s.width-1) // writing in the bottom right corner could scroll the screen
		}
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

func (s *Screen) setModes(dst []byte, f Frame) []byte {
	if !s.entered {
		// The alternate screen comes first, so that the terminal saves its state as it was.
		dst = append(dst, ansi.SetMode(s.entering()...)...)
		dst = append(dst, ansi.ResetMode(s.suspended()...)...)
		s.entered, s.stale = true, true
	}
	if f.Mouse != s.mouse && s.caps.Mouse {
		set := ansi.ResetMode
		if f.Mouse {
			set = ansi.SetMode
		}
		dst = append(dst, set(ansi.ModeMouseNormal, ansi.ModeMouseExtSgr)...)
		s.mouse = f.Mouse
	}
	if f.Title != s.title && s.caps.Title {
		if !s.titled && s.caps.TitleStack {
			dst = append(dst, ansi.WindowOp(saveTitle, windowTitle)...)
		}
		dst = append(dst, ansi.SetWindowTitle(s.printable(f.Title))...)
		s.title, s.titled = f.Title, true
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

// entering returns the modes that are set while a screen is in use.
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

// suspended returns the modes that are set in any terminal at first, and reset while a screen is in use.
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

// Restore appends the bytes that put the terminal back as it was before the first Draw. Without a Draw since the start
// or the last Restore, it appends nothing.
func (s *Screen) Restore(dst []byte) []byte {
	return s.leave(dst, ansi.CursorHomePosition+ansi.EraseScreenBelow)
}

// Leave is Restore, except that a terminal without an alternate screen keeps the last frame, with the cursor below.
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
	switch {
	case s.titled && s.caps.TitleStack:
		dst = append(dst, ansi.WindowOp(restoreTitle, windowTitle)...)
	case s.titled:
		dst = append(dst, ansi.SetWindowTitle("")...)
	}
	*s = Screen{caps: s.caps, width: s.width, height: s.height, signals: s.signals}
	return dst
}

// Window operations of xterm.
const (
	windowTitle  = 2
	saveTitle    = 22
	restoreTitle = 23
)

const longestTitle = 120

// printable removes characters that could end the title's sequence or begin another one.
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

// inTitle reports whether r may stand in a title. The byte 0x9c is ST in eight bits. A terminal that reads titles byte
// by byte would end the title there, and show the rest on the screen.
func (s *Screen) inTitle(r rune) bool {
	if r < unicode.MaxASCII {
		return unicode.IsPrint(r)
	}
	return s.caps.UTF8 && unicode.IsPrint(r) && r != unicode.ReplacementChar && !strings.Contains(string(r), "\x9c")
}
