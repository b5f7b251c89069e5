package render

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// setTitle shows a title. The first time the terminal saves its own.
func (s *Screen) setTitle(dst []byte, title string) []byte {
	if !s.titled && s.caps.TitleStack {
		dst = append(dst, ansi.WindowOp(saveTitle, windowTitle)...)
	}
	s.title, s.titled = title, true
	return append(dst, ansi.SetWindowTitle(s.printable(title))...)
}

// putTitleBack shows the terminal's own title, or where it cannot keep one, none.
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

// longestTitle is in runes; terminals show fewer.
const longestTitle = 120

// printable is title without anything that could end its sequence or be a control in another one.
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
