package draw

import "strings"

// glyphs are the characters that a terminal can show, each one cell wide, but for the ellipsis.
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

// Arrow leads from what was to what becomes of it.
func (g *glyphs) Arrow() string { return g.rule + g.rule + g.More }

// boardGlyphs are what boards are drawn with.
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

// Charset says which characters a terminal can show.
type Charset uint8

// The character sets.
const (
	ASCII   Charset = iota
	Console         // what both the kernel's font and Debian's have for the Linux console; half blocks only the former
	Unicode
)

// CharsetOf is the character set of a terminal whose TERM is term: ASCII unless utf8. What calls itself a console or a
// VT has an old font.
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

// letterOf is a large letter: two rows of half blocks, or nothing where there is none.
func letterOf(letter rune) [2]string {
	switch letter {
	case 'A':
		return [2]string{"▄▀█", "█▀█"}
	case 'K':
		return [2]string{"█▄▀", "█ █"}
	case 'L':
		return [2]string{"█  ", "█▄▄"}
	case 'N':
		return [2]string{"█▄ █", "█ ▀█"}
	case 'O':
		return [2]string{"█▀█", "█▄█"}
	case 'S':
		return [2]string{"█▀▀", "▄▄█"}
	case 'T':
		return [2]string{"▀█▀", " █ "}
	case 'U':
		return [2]string{"█ █", "█▄█"}
	case 'W':
		return [2]string{"█ ▄ █", "▀▄▀▄▀"}
	case 'X':
		return [2]string{"▀▄▀", "▄▀▄"}
	case 'Y':
		return [2]string{"█ █", "▀█▀"}
	default:
		return [2]string{" ", " "}
	}
}

// Lettering writes a text in large letters, of which there are those of NXTAKTX, YOU WON and YOU LOST; an X has a role
// of its own. In scale 2 they are twice as large. It reports whether the terminal has half blocks: nothing is written
// where it has none.
func (c *Canvas) Lettering(x, y int, k, crosses Role, text string, scale int) bool {
	if c.Glyphs.board.halves == (halves{}) {
		return false
	}
	for _, letter := range text {
		role := k
		if letter == 'X' {
			role = crosses
		}
		for row, line := range letterOf(letter) {
			if scale == 1 {
				c.Text(x, y+row, role, line)
				continue
			}
			for column, block := range []rune(line) {
				for half, missing := range [2]rune{'▄', '▀'} {
					if block != ' ' && block != missing {
						c.repeat(x+2*column, y+2*row+half, 2, role, c.Glyphs.board.halves.both)
					}
				}
			}
		}
		x += scale * (Columns(letterOf(letter)[0]) + 1)
	}
	return true
}

// LargeSize is how many columns and rows a code takes in large letters.
func LargeSize(code string, scale int) (width, height int) {
	return scale * (8*len(code) - 2), scale * 5
}

// Large writes a code in letters that can be read across a room, of which there are those of codes: a dot of them takes
// two columns and a row, or a multiple of that. Where there are no blocks a letter is made of itself.
func Large(c *Canvas, x, y int, k Role, code string, scale int) {
	const letters = "CFHJKMPQRTVWXY3479"
	shapes := [...]string{ // five rows, each an octal digit for three dots
		"74447", "74644", "55755", "11157", "55655", "57755", "75744", "75563", "65655", "72222", "55552", "55775",
		"55255", "55222", "71717", "55711", "71122", "75717",
	}
	for _, letter := range code {
		dot := c.Glyphs.bar[0]
		if c.theme.charset == ASCII {
			dot = string(letter)
		}
		if i := strings.IndexRune(letters, letter); i >= 0 {
			for row := range 5 * scale {
				for column := range 3 {
					if (shapes[i][row/scale]-'0')>>(2-column)&1 == 1 {
						c.repeat(x+2*scale*column, y+row, 2*scale, k, dot)
					}
				}
			}
		}
		x += 8 * scale
	}
}

// LetteringWidth is how many columns a text in large letters takes.
func LetteringWidth(text string) int {
	width := len(text) - 1
	for _, letter := range text {
		width += Columns(letterOf(letter)[0])
	}
	return width
}
