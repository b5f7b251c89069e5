package draw

import (
	"strings"
	"sync"
)

// Charset is the set of characters that a terminal can show.
type Charset uint8

// The character sets.
const (
	ASCII   Charset = iota
	Console         // the Linux console: what the fonts of the kernel and of Debian share, so no half blocks
	Unicode
)

// CharsetOf returns the characters of a terminal by its TERM. A console or a VT terminal has an old font.
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

// Show replaces dashes and arrows that the terminal cannot show with signs of the same width.
func (c Charset) Show(text string) string {
	if c == Unicode {
		return text
	}
	return plainSigns().Replace(text)
}

var plainSigns = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("–", "-", "→", ">") })

// glyphs holds the characters of a terminal. Each is one cell wide, except the ellipsis.
type glyphs struct {
	board      boardGlyphs
	frame      ring // around a box
	rule, dot  string
	Ellipsis   string
	Present    string    // in a banner
	Bars       [2]string // beside the names of the left and of the right player
	Dash       string    // between two players
	Less, More string    // beside a value, to turn it down and up; More also points at the selected entry
	Tick, Flaw string    // the signs of a good move and of a mistake
	Better     string    // in the cell of a better move
	bar        [2]string // the parts of a thick and of a thin bar
	Block      string    // where a letter is to be typed
}

// Arrow leads from a picture to the next.
func (g *glyphs) Arrow() string { return g.rule + g.rule + g.More }

type boardGlyphs struct {
	across, down, meet string    // the lines of a board
	halves             halves    // the parts of a large cross; empty if the terminal has none
	arms               [2]string // the strokes of a large cross without halves: falling, rising
	center             string    // the middle of a large cross without halves
	lastMoveCenter     string    // the middle of the last large mark
	cross, nought      string    // small marks
	ring               ring      // a large nought
	corners            ring      // around the cursor
}

type ring struct{ topLeft, topRight, bottomLeft, bottomRight, across, down string }

// halves holds the half blocks and the whole block.
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
