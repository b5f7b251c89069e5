package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"notakto/rules/strategy"
	"notakto/sshapp/render"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// mustBeWhole draws the screen in the smallest window and fails if a sentence is cut. person.take calls mustBeWhole
// after every message. All states that the tests reach are therefore checked.
func (p *person) mustBeWhole() {
	p.Helper()
	isHostile := strings.ContainsFunc(strings.Join(p.names, ""), unicode.IsControl)
	if isHostile || p.isTooSmall() || p.env.theme.Charset() != draw.Unicode {
		return
	}
	width, height := p.env.width, p.env.height
	p.env.width, p.env.height = minWidth, minHeight
	var grid render.Grid
	p.Render(&grid)
	p.env.width, p.env.height = width, height
	text := grid.String()
	for line := range strings.SplitSeq(text, "\n") {
		if cut := p.cutIn(line); cut != "" && !p.told[cut] {
			p.told[cut] = true
			p.Errorf("%q is cut at %dx%d:\n%s", cut, minWidth, minHeight, text)
		}
	}
}

// cutIn returns the cut part of a line of the smallest window, or "". A part is cut if it ends in an ellipsis without
// being a name, or has a letter in the last column.
func (p *person) cutIn(line string) string {
	if text := []rune(strings.TrimRight(line, " ")); ansi.StringWidth(string(text)) == minWidth {
		if unicode.In(text[len(text)-1], unicode.L, unicode.N) {
			return line
		}
	}
	rest := line
	for {
		before, after, found := strings.Cut(rest, "…")
		if !found {
			return ""
		}
		if !p.endsInName(before) && !isStrip(before) {
			return before + "…"
		}
		rest = after
	}
}

// isStrip reports whether the ellipsis after a text stands for earlier moves.
func isStrip(before string) bool { return strings.TrimSpace(before) == "Moves" }

// endsInName reports whether a text ends in the beginning of a player's name.
func (p *person) endsInName(text string) bool {
	for _, name := range append(wording.LevelNames(strategy.Levels()), p.names...) {
		for n := range name {
			if n > 0 && strings.HasSuffix(text, name[:n]) {
				return true
			}
		}
	}
	return false
}
