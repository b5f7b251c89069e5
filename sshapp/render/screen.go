package render

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
	"unique"

	"github.com/charmbracelet/x/ansi"
)

// Frame is the desired state of a player's terminal.
type Frame struct {
	Grid  *Grid  // Draw may change it, but does not keep it
	Title string // of the window, printed without unprintable characters
	Bell  uint   // a change rings the bell, starting from 0
	Copy  string // a change goes to the terminal's clipboard, starting from ""
	Mouse bool   // report presses of the mouse's buttons

	Alert  Alert
	Status Status
}

// Alert is a notification on the desktop, for a player away from the terminal.
type Alert struct {
	Number uint   // a change shows the alert, starting from 0
	Text   string // begins with a letter, printed without unprintable characters
}

// Status tells the terminal or its desktop whether the program waits for the player.
type Status uint8

// The statuses. NoStatus clears the status that the terminal shows.
const (
	NoStatus Status = iota
	Idle            // the player has no match
	Working         // the player waits for an opponent or the queue
	Blocked         // the player has to move
)

// Screen is a player's terminal. One goroutine owns it.
type Screen struct {
	caps          Caps
	width, height int

	rows    []unique.Handle[string] // of the last frame, packed
	hashes  []uint64                // of rows, by Grid.hash
	seed    maphash.Seed            // of hashes
	columns int                     // of the last frame's grid
	styles  *Styles
	origin  cursor // top left cell of the grid
	stale   bool   // the contents of the terminal are unknown
	at      cursor
	style   StyleID

	prepared bool
	title    string
	titleSet bool
	mouse    bool
	status   Status
	sent
}

// sent holds the count of bells, the clipboard text and the alert that Draw has sent last. Restore and Leave keep it.
type sent struct {
	bell   uint
	alert  uint
	copied string
}

const (
	defaultWidth, defaultHeight = 80, 24
	// maxSize limits the columns and rows that a client claims. No real screen has as many.
	maxSize = 10_000
)

// NewScreen returns a screen of a size. A width of at most 0 means 80, a height of at most 0 means 24.
func NewScreen(caps Caps, width, height int) *Screen {
	s := &Screen{caps: caps}
	s.Resize(width, height)
	return s
}

// Resize sets the window's size, as in [NewScreen]. The next Draw repaints everything, even for an unchanged size.
func (s *Screen) Resize(width, height int) {
	s.width, s.height = min(width, maxSize), min(height, maxSize)
	if width <= 0 {
		s.width = defaultWidth
	}
	if height <= 0 {
		s.height = defaultHeight
	}
	s.stale = true
}

// Draw appends to dst the bytes that make the terminal show f. The caller must send them. The first Draw, and the
// first after [Screen.Restore] or [Screen.Leave], prepares the terminal too.
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
		s.hashes, s.seed = make([]uint64, rows), maphash.MakeSeed()
	}
	for i := range rows {
		columns := min(g.width, s.width)
		if !s.caps.NoWrap && origin.y+i == s.height-1 {
			// A glyph in the bottom right corner could scroll the screen.
			columns = min(columns, s.width-1)
		}
		g.cut(i, columns)
		hash := g.hash(i, s.seed)
		if hash != 0 && hash == s.hashes[i] {
			continue
		}
		s.hashes[i] = hash
		before := e.before[i*g.width : (i+1)*g.width]
		fill(before, empty())
		g.unpack(before, s.rows[i].Value())
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
	if !s.prepared {
		// The alternate screen comes first, because the terminal saves its state then.
		dst = append(dst, ansi.SetMode(s.modesToSet()...)...)
		dst = append(dst, ansi.ResetMode(s.modesToReset()...)...)
		s.prepared, s.stale = true, true
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
		if !s.titleSet && s.caps.TitleStack {
			dst = append(dst, ansi.WindowOp(saveTitle, windowTitle)...)
		}
		dst = append(dst, ansi.SetWindowTitle(s.printable(f.Title))...)
		s.title, s.titleSet = f.Title, true
	}
	if f.Copy != s.copied && s.caps.Title {
		dst = append(dst, ansi.SetSystemClipboard(f.Copy)...)
		s.copied = f.Copy
	}
	if f.Bell != s.bell {
		dst = append(dst, ansi.BEL)
		s.bell = f.Bell
	}
	if f.Alert.Number != s.alert {
		dst = s.notify(dst, f.Alert.Text)
		s.alert = f.Alert.Number
	}
	if f.Status != s.status && s.caps.Notify != NoNotify {
		dst = s.passOn(dst, statusSequence(f.Status))
		s.status = f.Status
	}
	return dst
}

// notify appends the notification that the terminal can show, if any.
func (s *Screen) notify(dst []byte, text string) []byte {
	switch text = s.printable(text); s.caps.Notify {
	case NotifyITerm, NotifyThroughTmux:
		return s.passOn(dst, ansi.Notify(text))
	case NotifyURxvt:
		return append(dst, ansi.URxvtExt("notify", appName, strings.ReplaceAll(text, ";", ","))...)
	case NoNotify:
	}
	return dst
}

const appName = "Notakto"

// statusSequence returns a report of the Program Status Protocol (OSC 7501). Terminals without the protocol ignore it.
func statusSequence(s Status) string {
	states := [...]ansi.ProgramState{
		Idle: ansi.ProgramStateIdle, Working: ansi.ProgramStateWorking, Blocked: ansi.ProgramStateBlocked,
	}
	if s == NoStatus {
		return ansi.ClearProgramStatus
	}
	return ansi.SetProgramStatus(ansi.ProgramStatus{
		State: states[s], Kind: ansi.ProgramStatusKindQuestion, App: appName,
	})
}

// passOn appends a sequence for the terminal, through tmux if necessary.
func (s *Screen) passOn(dst []byte, sequence string) []byte {
	if s.caps.Notify == NotifyThroughTmux {
		sequence = ansi.TmuxPassthrough(sequence)
	}
	return append(dst, sequence...)
}

// modesToSet returns the modes that are set while the screen is in use.
func (s *Screen) modesToSet() []ansi.Mode {
	var modes []ansi.Mode
	if s.caps.Alternate {
		modes = append(modes, ansi.ModeAltScreenSaveCursor)
	}
	if s.caps.Paste {
		modes = append(modes, ansi.ModeBracketedPaste)
	}
	if s.caps.Focus {
		modes = append(modes, ansi.ModeFocusEvent)
	}
	return modes
}

// modesToReset returns the modes that are reset while the screen is in use. Terminals start with them set.
func (s *Screen) modesToReset() []ansi.Mode {
	var modes []ansi.Mode
	if s.caps.NoWrap {
		modes = append(modes, ansi.ModeAutoWrap)
	}
	if s.caps.Hide {
		modes = append(modes, ansi.ModeTextCursorEnable)
	}
	return modes
}

// Restore appends the bytes that undo the modes of Draw. A terminal without an alternate screen is cleared, and one
// without a title stack gets an empty title. Without a Draw since the start or the last Restore, the result is dst.
func (s *Screen) Restore(dst []byte) []byte {
	return s.leave(dst, ansi.CursorHomePosition+ansi.EraseScreenBelow)
}

// Leave is Restore, except that a terminal without an alternate screen keeps the last frame, with the cursor below.
func (s *Screen) Leave(dst []byte) []byte {
	return s.leave(dst, ansi.CursorPosition(1, s.height+1))
}

func (s *Screen) leave(dst []byte, last string) []byte {
	if !s.prepared {
		return dst
	}
	if s.style != 0 {
		dst = append(dst, ansi.ResetStyle...)
	}
	dst = append(dst, last...)
	if s.mouse {
		dst = append(dst, ansi.ResetMode(ansi.ModeMouseNormal, ansi.ModeMouseExtSgr)...)
	}
	dst = append(dst, ansi.ResetMode(s.modesToSet()...)...)
	dst = append(dst, ansi.SetMode(s.modesToReset()...)...)
	if s.status != NoStatus {
		dst = s.passOn(dst, statusSequence(NoStatus))
	}
	switch {
	case s.titleSet && s.caps.TitleStack:
		dst = append(dst, ansi.WindowOp(restoreTitle, windowTitle)...)
	case s.titleSet:
		dst = append(dst, ansi.SetWindowTitle("")...)
	}
	*s = Screen{caps: s.caps, width: s.width, height: s.height, sent: s.sent}
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
		if count == longestTitle || !s.isTitleRune(r) {
			return -1
		}
		count++
		return r
	}, title)
}

// isTitleRune reports whether r may stand in a title. The byte 0x9c is an 8-bit ST. A terminal that reads titles
// byte by byte would end the title there and show the rest on the screen.
func (s *Screen) isTitleRune(r rune) bool {
	if r < unicode.MaxASCII {
		return unicode.IsPrint(r)
	}
	return s.caps.UTF8 && unicode.IsPrint(r) && r != unicode.ReplacementChar && !strings.Contains(string(r), "\x9c")
}
