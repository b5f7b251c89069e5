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
	Console         // the common characters of the kernel's and of Debian's console fonts, without half blocks
	Unicode
)

// DetectCharset returns the characters of a terminal by its TERM. The Linux console and VT terminals have old fonts.
func DetectCharset(term string, utf8 bool) Charset {
	if !utf8 {
		return ASCII
	}
	switch family, _, _ := strings.Cut(strings.ToLower(term), "-"); family {
	case "linux", "vt100", "vt102", "vt220", "vt320", "vt340", "vt420", "vt510", "vt520", "vt525":
		return Console
	}
	return Unicode
}

// Show replaces dashes, arrows and the marks of puzzles that the terminal cannot show with signs of equal width.
func (c Charset) Show(text string) string {
	if c == Unicode {
		return text
	}
	return plainSigns().Replace(text)
}

var plainSigns = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("–", "-", "→", ">", "✓", "+", "✗", "x", "·", "-", "▪", "o",
		"●", "#", "○", "-")
})

// glyphs holds the characters of a terminal. Every character except the ellipsis takes one cell.
type glyphs struct {
	board    boardGlyphs
	frame    ring // around a box
	rule     string
	Arrow    string // leads from a picture to the next
	Dot      string // between two parts of a heading
	Ellipsis string
	Present  string    // in a banner
	Bars     [2]string // beside the names of the left and of the right player
	Dash     string    // between two players
	// Less and More stand beside a value to turn down and up. More also points at the selected entry.
	Less, More string
	Tick, Flaw string    // the signs of a good move and of a mistake
	Better     string    // in the cell of a better move
	bar        [2]string // the parts of a thick and of a thin bar
	Block      string    // the place of the next letter to type
}

type boardGlyphs struct {
	across, down, meet string    // the lines of a board
	halves             halves    // the parts of a large cross, empty on a terminal without half blocks
	arms               [2]string // the falling and rising strokes of a large cross without halves
	center             string    // the middle of a large cross without halves
	lastMoveCenter     string    // the middle of the last large mark
	cross, nought      string
	ring               ring // a large nought
	corners            ring // around the cursor
}

type ring struct{ topLeft, topRight, bottomLeft, bottomRight, across, down string }

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
			frame: ring{"+", "+", "+", "+", "-", "|"}, rule: "-", Arrow: "-->", Dot: "-", Ellipsis: "..",
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
			frame: ring{"┌", "┐", "└", "┘", "─", "│"}, rule: "─", Dot: "·", Ellipsis: "..",
			Arrow:   "──»",
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
		frame: ring{"╭", "╮", "╰", "╯", "─", "│"}, rule: "─", Dot: "·", Ellipsis: "…",
		Arrow:   "──▸",
		Present: "●", Bars: [2]string{"▌", "▐"}, Dash: "–", Less: "◂", More: "▸", Tick: "✓", Flaw: "✗",
		Better: "◆", bar: [2]string{"█", "━"}, Block: "_",
	}
}
