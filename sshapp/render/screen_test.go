package render

import (
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Content may hold what a player typed. Nothing in it but text and SGR may reach the terminal: no title, no clipboard,
// no cursor.
func TestOnlyTextAndStylesPass(t *testing.T) {
	for _, content := range []string{
		"a\x1b]52;c;ZXZpbA==\x07b", "a\x1b]0;title\x1b\\b", "a\x1b]8;;http://x\x07b", "a\x1bP+q544e\x1b\\b", "a\x1b_Gi=1\x1b\\b", "a\x1b[2Jb",
		"a\x1b[5;5Hb", "a\x1b[?1049lb", "a\x1b[>4;1mb", "a\x1b[?1mb", "a\x1b[1 mb", "a\x1bcb", "a\x1b(0b", "a\x1b7b", "a\x9b2Jb", "a\u009bb",
		"a\x07b", "a\x08b", "a\tb", "a\rb", "a\x00b", "a\x7fb", "a\x0eb", "a\u200bb", "a\u202eb", "a\u2066b", "a\u2028b", "a\ufeffb", "a\xffb",
		"a\xc3b", "a\x1b[123456789mb", "a\x1b[;;mb", "\u0301ab", "ab\x1b", "ab\x1b[", "ab\x1b[3", "ab\x1b]0;never ends", "\xe6\xbcab",
	} {
		for _, term := range terms {
			want := NewScreen(FromTerm(term), 80, 24).Draw(nil, Frame{Content: []byte("ab")})
			if got := NewScreen(FromTerm(term), 80, 24).Draw(nil, Frame{Content: []byte(content)}); string(got) != string(want) {
				t.Errorf("%s: %q is drawn as %q, want %q", term, content, got, want)
			}
		}
	}
}

// Without UTF-8 a question mark stands in each column of what cannot be shown, so that the layout holds.
func TestASCIIOnly(t *testing.T) {
	s := NewScreen(Caps{NoWrap: true, Column: true}, 40, 1)
	if got := s.Draw(nil, Frame{Content: []byte("é漢👩‍👩‍👧─x")}); !strings.HasSuffix(string(got), "??????x") {
		t.Errorf("drawn as %q", got)
	}
}

// A terminal that wraps might scroll when its last cell is written.
func TestCornerIsLeftOut(t *testing.T) {
	for content, mark := range map[string]string{"aaaaaaaa\naaaaaaaZ": "Z", "aaaaaaaa\naaaaaa漢": "漢"} {
		if got := NewScreen(FromTerm("unknown"), 8, 2).Draw(nil, Frame{Content: []byte(content)}); strings.Contains(string(got), mark) {
			t.Errorf("%q is written whole: %q", content, got)
		}
		if got := NewScreen(FromTerm("vt100"), 8, 2).Draw(nil, Frame{Content: []byte(content)}); !strings.Contains(string(got), mark) {
			t.Errorf("%q is not written whole where it could be: %q", content, got)
		}
	}
}

func TestOffset(t *testing.T) {
	for _, test := range []struct{ width, height, x, y int }{
		{80, 24, 38, 11}, {0, 0, 38, 11}, {-1, -1, 38, 11}, {3, 2, 0, 0}, {2, 1, 0, 0}, {6, 3, 1, 0}, {7, 4, 2, 1}, {1 << 40, 24, 4998, 11},
	} {
		s := NewScreen(FromTerm("xterm"), test.width, test.height)
		s.Draw(nil, Frame{Content: []byte("abc\n\x1b[1md")})
		if x, y := s.Offset(); x != test.x || y != test.y {
			t.Errorf("in %dx%d the offset is %d, %d, want %d, %d", test.width, test.height, x, y, test.x, test.y)
		}
	}
}

func TestNothingChangedNothingWritten(t *testing.T) {
	s := NewScreen(FromTerm("xterm"), 80, 24)
	f := table{cursor: "A5"}.frame()
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

func TestBellRingsOnce(t *testing.T) {
	s, e := NewScreen(FromTerm("xterm"), 10, 2), newTerminal(t, 10, 2)
	for _, bell := range []uint{0, 1, 1, 1, 2, 5, 5} {
		e.write(t, s.Draw(nil, Frame{Content: []byte("x"), Bell: bell}))
	}
	if e.bells != 3 {
		t.Errorf("%d bells, want 3", e.bells)
	}
}

func TestTitleIsClean(t *testing.T) {
	s, e := NewScreen(FromTerm("xterm"), 10, 2), newTerminal(t, 10, 2)
	e.write(t, s.Draw(nil, Frame{Title: "● no\x07ta\x1b]52\x07k\u009cto✓\xff\u202e" + strings.Repeat("!", 200)}))
	if want := "● nota]52kto" + strings.Repeat("!", longestTitle-12); e.title != want {
		t.Errorf("the title is %q, want %q", e.title, want)
	}
	if e.bells != 0 {
		t.Error("the title rang")
	}
	for _, term := range []string{"linux", "vt100", "dumb", ""} {
		if got := NewScreen(FromTerm(term), 10, 2).Draw(nil, Frame{Title: "t"}); strings.Contains(string(got), "\x1b]") {
			t.Errorf("%q is sent a title", term)
		}
	}
}

func TestMouseOnlyWhenAsked(t *testing.T) {
	s, e := NewScreen(FromTerm("xterm"), 10, 2), newTerminal(t, 10, 2)
	for _, on := range []bool{false, true, true, false} {
		e.write(t, s.Draw(nil, Frame{Content: []byte("x"), Mouse: on}))
		if e.modes[ansi.ModeMouseNormal] != on || e.modes[ansi.ModeMouseExtSgr] != on {
			t.Errorf("the mouse's modes are %v, want %v", e.modes, on)
		}
	}
	if got := NewScreen(FromTerm("linux"), 10, 2).Draw(nil, Frame{Mouse: true}); strings.Contains(string(got), "1000") {
		t.Error("a console without a mouse is asked for it")
	}
}

// What a session holds on to, and what it takes to draw, must not depend on the size that its client claims.
func TestMemoryDoesNotDependOnTheWindow(t *testing.T) {
	taken := func(width, height int) uint64 {
		f := table{cursor: "A5"}.frame()
		var before, after runtime.MemStats
		least := ^uint64(0)
		for range 5 {
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

// Nothing is allocated but the lines that have changed.
func TestDrawAllocatesLittle(t *testing.T) {
	frames := []Frame{table{cursor: "A5"}.frame(), table{cursor: "A6"}.frame()}
	changed := 0.0
	for i, line := range strings.Split(string(frames[0].Content), "\n") {
		if line != strings.Split(string(frames[1].Content), "\n")[i] {
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
