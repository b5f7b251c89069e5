package render

import (
	"fmt"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// terminal is an emulator that also records modes, titles and the like.
type terminal struct {
	*vt.Emulator
	bells int
	title string
	modes map[ansi.Mode]bool
}

func newTerminal(t testing.TB, width, height int) *terminal {
	t.Helper()
	e := &terminal{Emulator: vt.NewEmulator(width, height), modes: map[ansi.Mode]bool{}}
	t.Cleanup(func() { _ = e.Close() })
	e.SetCallbacks(vt.Callbacks{
		Bell:        func() { e.bells++ },
		Title:       func(title string) { e.title = title },
		EnableMode:  func(m ansi.Mode) { e.modes[m] = true },
		DisableMode: func(m ansi.Mode) { e.modes[m] = false },
	})
	// The emulator's REP repeats only ASCII. ECMA-48 repeats the character before the cursor.
	e.RegisterCsiHandler('b', func(params ansi.Params) bool {
		n, _, _ := params.Param(0, 1)
		at := e.CursorPosition()
		cell := e.CellAt(at.X-1, at.Y).Clone()
		for range n {
			e.SetCell(at.X, at.Y, cell)
			at.X++
		}
		fmt.Fprint(e, ansi.CursorPosition(at.X+1, at.Y+1))
		return true
	})
	return e
}

func (e *terminal) write(t testing.TB, output []byte) {
	t.Helper()
	if _, err := e.Write(output); err != nil {
		t.Fatal(err)
	}
}

// look returns a cell as a player sees it. A space shows its background, and its color only with a line through it.
func look(c *uv.Cell) uv.Cell {
	if c == nil {
		return uv.EmptyCell
	}
	seen := *c
	if seen.Width == 0 || strings.TrimSpace(seen.Content) != "" {
		return seen
	}
	seen.Content, seen.Width = " ", 1
	if s := seen.Style; s.Underline == 0 && s.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) == 0 {
		seen.Style = uv.Style{Bg: s.Bg}
	}
	return seen
}

// compare reports the first cell that differs between two terminals. Cells with skip true are left out.
func compare(t testing.TB, got, want *terminal, skip func(x, y int) bool) {
	t.Helper()
	for y := range want.Height() {
		for x := range want.Width() {
			g, w := look(got.CellAt(x, y)), look(want.CellAt(x, y))
			if !g.Equal(&w) && !skip(x, y) {
				t.Fatalf("column %d of line %d is %+v, want %+v\ngot:\n%s\nwant:\n%s", x, y, g, w, got.Emulator, want.Emulator)
			}
		}
	}
}

// paintPlainly is the oracle. It writes every line of a text that fits a grid. Of this package it uses only the
// origin, and checks that.
func paintPlainly(t testing.TB, e *terminal, s *Screen, text string, columns, rows int) {
	t.Helper()
	width, height := e.Width(), e.Height()
	lines := strings.Split(text, "\n")
	lines = lines[:min(len(lines), rows, height)]
	left, top := max(0, width-columns)/2, max(0, height-rows)/2
	if want := (cursor{left, top}); s.origin != want {
		t.Fatalf("the origin is %v, want %v", s.origin, want)
	}
	fmt.Fprint(e, ansi.ResetStyle, ansi.ResetMode(ansi.ModeAutoWrap), ansi.EraseEntireScreen)
	for i, line := range lines {
		fmt.Fprint(e, ansi.ResetStyle, ansi.CursorPosition(left+1, top+i+1), ansi.Truncate(line, min(columns, width), ""))
	}
}
