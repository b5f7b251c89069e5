package render

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

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
			ansi.ModeMouseExtSgr:      false,
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
		"xterm":  "\x1b[H\x1b[J\x1b[?1049;2004l\x1b[?7;25h",
		"linux":  "\x1b[H\x1b[J\x1b[?7;25h",
		"vt100":  "\x1b[H\x1b[J\x1b[?7h",
		"martin": "\x1b[H\x1b[J",
	} {
		s := NewScreen(FromTerm(term), 80, 24)
		s.Draw(nil, content("x"))
		if got := string(s.Restore(nil)); got != want {
			t.Errorf("%s: Restore writes %q, want %q", term, got, want)
		}
	}
}

// After Leave what was drawn is still there, and the shell goes on below it.
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

func TestTitleIsPutBack(t *testing.T) {
	for term, want := range map[string]string{"xterm": ansi.WindowOp(23, 2), "screen": ansi.SetWindowTitle("")} {
		s := NewScreen(FromTerm(term), 80, 24)
		s.Draw(nil, Frame{Grid: new(Grid), Title: "Notakto"})
		s.Draw(nil, Frame{Grid: new(Grid), Title: "Your turn"})
		if got := string(s.Restore(nil)); !strings.HasSuffix(got, want) {
			t.Errorf("%s: Restore writes %q, want %q at the end", term, got, want)
		}
	}
}

func TestDrawAfterRestoreBeginsAnew(t *testing.T) {
	s := NewScreen(FromTerm("xterm"), 80, 24)
	f := Frame{Grid: content("x").Grid, Title: "Notakto", Mouse: true}
	first := string(s.Draw(nil, f))
	s.Restore(nil)
	if again := string(s.Draw(nil, f)); again != first {
		t.Errorf("drawn again as %q, at first %q", again, first)
	}
}
