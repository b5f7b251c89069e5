package draw

import (
	"strings"
	"sync"
)

// Charset says which characters a terminal can show.
type Charset uint8

// The character sets.
const (
	ASCII   Charset = iota
	Console         // what both the kernel's font and Debian's have for the Linux console; half blocks only the former
	Unicode
)

// CharsetOf returns the characters of a terminal by its TERM. What calls itself a console or a VT has an old font.
func CharsetOf(term string, utf8 bool) Charset {
	if !utf8 {
		return ASCII
	}
	switch family, _, _ := strings.Cut(strings.ToLower(term), "-"); family {
	case "linux", "vt100", "vt102", "vt220", "vt320", "vt340", "vt420", "vt510", "vt520", "vt525":
		return Console
	}
	return Unicode
}

// Show replaces dashes and arrows that the terminal cannot show by signs of the same width.
func (c Charset) Show(text string) string {
	if c == Unicode {
		return text
	}
	return plainSigns().Replace(text)
}

var plainSigns = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("–", "-", "→", ">") })

// glyphs are the characters of a terminal, each one cell wide, but for the ellipsis.
type glyphs struct {
	board      boardGlyphs
	frame      ring // around a box
	rule, dot  string
	Ellipsis   string
	Present    string    // in a banner
	Bars       [2]string // beside the players: of the one at the left, and of the one at the right
	Dash       string    // between two players
	Less, More string    // beside a value that can be turned down and up; the second also points at the selected entry
	Tick, Flaw string    // of a verdict
	Better     string    // in the cell of a better move
	bar        [2]string // of which a bar is made: a thick one, and a thin one
	Block      string    // where a letter is to be typed
}

// Arrow leads from a picture to the next.
func (g *glyphs) Arrow() string { return g.rule + g.rule + g.More }

type boardGlyphs struct {
	across, down, meet string    // the lines of a board
	halves             halves    // of which a large cross is made; empty where there are none
	arms               [2]string // of a large cross without them: falling, rising
	center             string    // the middle of such a cross
	lastMoveCenter     string    // the middle of the last large mark
	cross, nought      string    // small marks
	ring               ring      // a large nought
	corners            ring      // around the cursor
}

type ring struct{ topLeft, topRight, bottomLeft, bottomRight, across, down string }

// halves are blocks: half a cell, and a whole one.
type halves struct{ upper, lower, both string }

func newGlyphs(charset Charset) *glyphs {
	switch charset {
	case ASCII:
		return &glyphs{
			board: boardGlyphs{
				across: "-", down: "|", meet: "+",
				arms: [2]string{`\`, "/"}, center: "X", lastMoveCenter: "*", cross: "X", nought: "O",
				ring:    ring{".", ".", "'", "'", "-", "|"},
				corners: ring{topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+"},
			},
			frame: ring{"+", "+", "+", "+", "-", "|"}, rule: "-", dot: "-", Ellipsis: "..",
			Present: "*", Bars: [2]string{"|", "|"}, Dash: "-", Less: "<", More: ">", Tick: "+", Flaw: "!",
			Better: "#", bar: [2]string{"=", "-"}, Block: "_",
		}
	case Console:
		return &glyphs{
			board: boardGlyphs{
				across: "─", down: "│", meet: "┼",
				arms: [2]string{`\`, "/"}, center: "X", lastMoveCenter: "■", cross: "X", nought: "O",
				ring:    ring{"┌", "┐", "└", "┘", "─", "│"},
				corners: ring{topLeft: "╔", topRight: "╗", bottomLeft: "╚", bottomRight: "╝"},
			},
			frame: ring{"┌", "┐", "└", "┘", "─", "│"}, rule: "─", dot: "·", Ellipsis: "..",
			Present: "•", Bars: [2]string{"█", "█"}, Dash: "-", Less: "«", More: "»", Tick: "+", Flaw: "!",
			Better: "♦", bar: [2]string{"█", "═"}, Block: "_",
		}
	}
	return &glyphs{
		board: boardGlyphs{
			across: "─", down: "│", meet: "┼",
			halves: halves{"▀", "▄", "█"}, lastMoveCenter: "●", cross: "X", nought: "O",
			ring:    ring{"╭", "╮", "╰", "╯", "─", "│"},
			corners: ring{topLeft: "┏", topRight: "┓", bottomLeft: "┗", bottomRight: "┛"},
		},
		frame: ring{"╭", "╮", "╰", "╯", "─", "│"}, rule: "─", dot: "·", Ellipsis: "…",
		Present: "●", Bars: [2]string{"▌", "▐"}, Dash: "–", Less: "◂", More: "▸", Tick: "✓", Flaw: "✗",
		Better: "◆", bar: [2]string{"█", "━"}, Block: "_",
	}
}
