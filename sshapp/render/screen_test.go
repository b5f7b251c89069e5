package render

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
)

// A grid may hold what a player typed. No control character may reach the terminal, where it could set the title,
// the clipboard or the cursor.
func TestNoControlPasses(t *testing.T) {
	for _, text := range []string{
		"a\x1b]52;c;ZXZpbA==\x07b", "a\x1b]0;title\x1b\\b", "a\x1bP+q544e\x1b\\b", "a\x1b[2Jb", "a\x1b[?1049lb",
		"a\x1bcb", "a\x9b2Jb", "a\u009bb",
		"a\x07b", "a\x08b", "a\tb", "a\rb", "a\nb", "a\x00b", "a\x01b", "a\x02b", "a\x7fb", "a\x0eb", "a\u200bb",
		"a\u202eb", "a\u2066b",
		"a\u2028b", "a\ufeffb", "a\xffb", "a\xc3b", "\u0301ab", "ab\x1b", "\xe6\xbcab",
	} {
		shown := strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) || r == unicode.ReplacementChar || unicode.Is(unicode.M, r) {
				return -1
			}
			return r
		}, text)
		for _, term := range terms {
			f, clean := contentIn("", 30, 1), contentIn("", 30, 1)
			f.Grid.Text(0, 0, 0, text)
			clean.Grid.Text(0, 0, 0, shown)
			want := NewScreen(FromTerm(term), 80, 24).Draw(nil, clean)
			if got := NewScreen(FromTerm(term), 80, 24).Draw(nil, f); string(got) != string(want) {
				t.Errorf("%s: %q is drawn as %q, want %q", term, text, got, want)
			}
		}
	}
}

// Without UTF-8, question marks fill the columns of a glyph and the layout stays.
func TestASCIIOnly(t *testing.T) {
	s := NewScreen(Caps{NoWrap: true, Column: true}, 40, 1)
	if got := s.Draw(nil, content("é漢👩‍👩‍👧─x")); !strings.HasSuffix(string(got), "??????x") {
		t.Errorf("drawn as %q", got)
	}
}

// A terminal that wraps might scroll after its last cell.
func TestCornerIsLeftOut(t *testing.T) {
	for text, mark := range map[string]string{"aaaaaaaa\naaaaaaaZ": "Z", "aaaaaaaa\naaaaaa漢": "漢"} {
		if got := NewScreen(FromTerm("unknown"), 8, 2).Draw(nil, content(text)); strings.Contains(string(got), mark) {
			t.Errorf("%q is written whole: %q", text, got)
		}
		if got := NewScreen(FromTerm("vt100"), 8, 2).Draw(nil, content(text)); !strings.Contains(string(got), mark) {
			t.Errorf("%q is not written whole where it could be: %q", text, got)
		}
	}
}

func TestOrigin(t *testing.T) {
	for size, want := range map[[2]int]cursor{
		{80, 24}: {38, 11}, {0, 0}: {38, 11}, {-1, -1}: {38, 11}, {3, 2}: {0, 0}, {2, 1}: {0, 0},
		{1 << 40, 24}: {4998, 11},
	} {
		s := NewScreen(FromTerm("xterm"), size[0], size[1])
		s.Draw(nil, content("abc\n\x1b[1md"))
		testkit.Equal(t, s.origin, want, size)
	}
}

func TestNothingChangedNothingWritten(t *testing.T) {
	s := NewScreen(FromTerm("xterm"), 80, 24)
	f := numbered(1)
	f.Title, f.Mouse, f.Bell = "title", true, 3
	if got := s.Draw(nil, f); len(got) == 0 {
		t.Fatal("nothing was drawn")
	}
	if got := s.Draw(nil, f); len(got) != 0 {
		t.Errorf("the same frame again takes %q", got)
	}
	if s.Resize(80, 24); len(s.Draw(nil, f)) < 1000 {
		t.Error("a resize does not paint anew")
	}
}

// A grid with a new size or a new table of styles is painted on an empty screen.
func TestAnotherGridIsPaintedAnew(t *testing.T) {
	s, e := NewScreen(FromTerm("xterm"), 10, 3), newTerminal(t, 10, 3)
	other := NewStyles()
	bar := other.Add(Style{Reverse: true})
	for _, size := range [][2]int{{10, 3}, {8, 3}, {8, 1}, {8, 1}, {20, 5}} {
		var g Grid
		g.Reset(size[0], size[1], other, false)
		g.Text(0, 0, bar, " ab ")
		e.write(t, s.Draw(nil, contentIn("something\nbefore\nit", 10, 3)))
		e.write(t, s.Draw(nil, Frame{Grid: &g}))
		want := newTerminal(t, 10, 3)
		want.write(t, NewScreen(FromTerm("xterm"), 10, 3).Draw(nil, Frame{Grid: &g}))
		compare(t, e, want, func(int, int) bool { return false })
	}
}

// No text can end a sequence. Terminals that would print a sequence do not receive it.
func TestWhatIsBesideTheGrid(t *testing.T) {
	s, e := NewScreen(FromTerm("xterm"), 10, 2), newTerminal(t, 10, 2)
	f := content("x")
	f.Title = "● no\x07ta\x1b]52\x07k\u009cto✓\xff\u202e" + strings.Repeat("!", 200)
	for i, bell := range []uint{0, 1, 1, 1, 2, 5, 5} {
		f.Bell, f.Mouse = bell, i%3 > 0
		e.write(t, s.Draw(nil, f))
		if e.modes[ansi.ModeMouseNormal] != f.Mouse || e.modes[ansi.ModeMouseExtSgr] != f.Mouse {
			t.Errorf("the mouse's modes are %v, want %v", e.modes, f.Mouse)
		}
	}
	testkit.Equal(t, e.bells, 3)
	testkit.Equal(t, e.title, "● nota]52kto"+strings.Repeat("!", longestTitle-12))
	f.Copy = "a\x07b"
	testkit.Equal(t, string(s.Draw(nil, f)), "\x1b]52;c;YQdi\x07")
	testkit.Equal(t, string(s.Draw(nil, f)), "", "the same again")
	f.Mouse = true
	for _, term := range []string{"linux", "vt100", "dumb", ""} {
		if got := string(NewScreen(FromTerm(term), 10, 2).Draw(nil, f)); strings.Contains(got, "\x1b]") ||
			strings.Contains(got, "1000") {
			t.Errorf("%q is sent %q", term, got)
		}
	}
}

// The memory that a session holds, and that a Draw takes, must not depend on the size that the client claims.
func TestMemoryDoesNotDependOnTheWindow(t *testing.T) {
	taken := func(width, height int) uint64 {
		var before, after runtime.MemStats
		least := ^uint64(0)
		for range 20 { // the race detector empties pools at times
			f := numbered(1)
			runtime.ReadMemStats(&before)
			s := NewScreen(FromTerm("xterm"), width, height)
			s.Draw(make([]byte, 0, 4096), f)
			runtime.ReadMemStats(&after)
			least = min(least, after.TotalAlloc-before.TotalAlloc)
		}
		return least
	}
	small, large := taken(80, 24), taken(1<<32-1, 1<<32-1)
	if large > small+1024 || large > 16<<10 {
		t.Errorf("a small window takes %d bytes, a large one %d", small, large)
	}
}

// Draw allocates only the lines that change.
func TestDrawAllocatesLittle(t *testing.T) {
	frames := []Frame{numbered(1), numbered(2)}
	changed := 0.0
	for y := range frames[0].Grid.Height() {
		if !slices.Equal(frames[0].Grid.row(y), frames[1].Grid.row(y)) {
			changed++
		}
	}
	s := NewScreen(FromTerm("xterm"), 80, 24)
	buffer := s.Draw(nil, frames[0])
	n, least := 0, 1e9
	for range 20 { // the race detector empties pools at times
		least = min(least, testing.AllocsPerRun(1, func() {
			n++
			buffer = s.Draw(buffer[:0], frames[n%2])
		}))
	}
	if least > changed || len(buffer) == 0 {
		t.Errorf("%v allocations to draw %d bytes in %v lines", least, len(buffer), changed)
	}
}

func TestRestorePutsEverythingBack(t *testing.T) {
	for _, term := range []string{"xterm-256color", "tmux-256color", "screen"} {
		s, e := NewScreen(FromTerm(term), 20, 4), newTerminal(t, 20, 4)
		fmt.Fprint(e, "$ ssh game\r\n")
		cursor := e.CursorPosition()
		e.write(t, s.Draw(nil, Frame{Grid: content("\x1b[1;31mX").Grid, Title: "Notakto", Mouse: true}))
		if !e.IsAltScreen() || e.modes[ansi.ModeTextCursorEnable] || e.modes[ansi.ModeAutoWrap] ||
			!e.modes[ansi.ModeBracketedPaste] {
			t.Errorf("%s: after a draw the modes are %v", term, e.modes)
		}
		e.write(t, s.Restore(nil))
		want := map[ansi.Mode]bool{
			ansi.ModeAltScreenSaveCursor: false, ansi.ModeBracketedPaste: false, ansi.ModeMouseNormal: false,
			ansi.ModeMouseExtSgr: false, ansi.ModeFocusEvent: false,
			ansi.ModeTextCursorEnable: true, ansi.ModeAutoWrap: true,
		}
		if e.IsAltScreen() || !maps.Equal(e.modes, want) {
			t.Errorf("%s: after Restore the modes are %v, want %v", term, e.modes, want)
		}
		if !strings.HasPrefix(e.String(), "$ ssh game") || e.CursorPosition() != cursor {
			t.Errorf("%s: the shell's screen is %q, the cursor at %v", term, e, e.CursorPosition())
		}
		fmt.Fprint(e, "$")
		if c := e.CellAt(cursor.X, cursor.Y); !c.Style.IsZero() {
			t.Errorf("%s: the prompt has style %+v", term, c.Style)
		}
		if again := s.Restore(nil); len(again) != 0 {
			t.Errorf("%s: a second Restore writes %q", term, again)
		}
	}
}

func TestRestoreUndoesOnlyWhatWasDone(t *testing.T) {
	if got := NewScreen(FromTerm("xterm"), 80, 24).Restore(nil); len(got) != 0 {
		t.Errorf("Restore before any Draw writes %q", got)
	}
	for term, want := range map[string]string{
		"xterm":  "\x1b[H\x1b[J\x1b[?1049;2004;1004l\x1b[?7;25h" + ansi.WindowOp(23, 2),
		"linux":  "\x1b[H\x1b[J\x1b[?7;25h",
		"vt100":  "\x1b[H\x1b[J\x1b[?7h",
		"martin": "\x1b[H\x1b[J",
	} {
		s, f := NewScreen(FromTerm(term), 80, 24), content("x")
		f.Title = "Notakto"
		first := string(s.Draw(nil, f))
		testkit.Equal(t, string(s.Restore(nil)), want, term)
		testkit.Equal(t, string(s.Draw(nil, f)), first, term, "after Restore")
	}
}

// The last frame stays, and the shell continues below it.
func TestLeaveKeepsWhatIsDrawn(t *testing.T) {
	for height, want := range map[int]string{4: "top\n\n\n$", 5: "top\n\n\nend\n$"} {
		s, e := NewScreen(FromTerm("linux"), 20, 4), newTerminal(t, 20, height)
		e.write(t, s.Draw(nil, contentIn("top\n\n\n\x1b[1;31mend", 20, 4)))
		e.write(t, s.Leave(nil))
		if !e.modes[ansi.ModeTextCursorEnable] || !e.modes[ansi.ModeAutoWrap] {
			t.Errorf("the modes are %v", e.modes)
		}
		fmt.Fprint(e, "$\x1b[K")
		if got := strings.TrimRight(e.String(), "\n "); got != want || !e.CellAt(0, height-1).Style.IsZero() {
			t.Errorf("in %d lines the screen is %q, want %q", height, got, want)
		}
		if again := s.Leave(nil); len(again) != 0 {
			t.Errorf("a second Leave writes %q", again)
		}
	}
}

// Terminals that know none of these sequences would print them, and receive none.
func TestAlertsAreWrittenAsTheTerminalUnderstandsThem(t *testing.T) {
	const alert, text = "\x1b]9;Your turn]2;x; against ann\a", "Your turn\x1b]2;x\a; against ann\u009c"
	const blocked = "\x1b]7501;state=blocked:kind=question:app=Notakto\a"
	const working, clear = "\x1b]7501;state=working:app=Notakto\a", "\x1b]7501;state=clear\a"
	plainly := [3]string{alert + blocked, working, clear}
	inTmux := func(sequence string) string { return "\x1bPtmux;\x1b" + sequence + "\x1b\\" }
	for term, want := range map[string][3]string{
		"xterm-256color": plainly, "xterm-kitty": plainly,
		"rxvt-unicode-256color": {
			"\x1b]777;notify;Notakto;Your turn]2,x, against ann\a" + blocked, working, clear,
		},
		"tmux-256color":   {inTmux(alert) + inTmux(blocked), inTmux(working), inTmux(clear)},
		"screen-256color": {}, "linux": {}, "vt100": {}, "alacritty": {}, "dumb": {},
	} {
		s, f := NewScreen(FromTerm(term), 80, 24), content("x")
		s.Draw(nil, f)
		f.Alert = Alert{1, text}
		first := s.Draw(nil, f)
		first = s.Draw(first, f) // the alert is not repeated
		f.Status = Blocked
		first = s.Draw(first, f)
		f.Status = Working
		second, end := string(s.Draw(nil, f)), string(s.Restore(nil))
		testkit.Equal(t, [2]string{string(first), second}, [2]string{want[0], want[1]}, term)
		if !strings.Contains(end, want[2]) || want[2] == "" && strings.Contains(end, "7501") {
			t.Errorf("%s: at the end it is sent %q", term, end)
		}
	}
}
