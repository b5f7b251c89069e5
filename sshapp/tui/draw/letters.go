package draw

import "strings"

// Lettering writes NXTAKTX, YOU WON or YOU LOST in large letters, with scale 2 in doubled letters. A terminal without
// half blocks gets no letters, and Lettering returns false.
func (c *Canvas) Lettering(x, y int, role, crosses Role, text string, scale int) bool {
	if c.Glyphs.board.halves == (halves{}) {
		return false
	}
	for _, letter := range text {
		role := role
		if letter == 'X' {
			role = crosses
		}
		for row, line := range letterShape(letter) {
			if scale == 1 {
				c.Text(x, y+row, role, line)
				continue
			}
			for column, block := range []rune(line) {
				for half, missing := range [2]rune{'▄', '▀'} {
					if block != ' ' && block != missing {
						c.fill(x+2*column, y+2*row+half, 2, role, c.Glyphs.board.halves.both)
					}
				}
			}
		}
		x += scale * (Columns(letterShape(letter)[0]) + 1)
	}
	return true
}

// LetteringWidth returns the number of columns that a text takes in large letters of scale 1.
func LetteringWidth(text string) int {
	width := len(text) - 1
	for _, letter := range text {
		width += Columns(letterShape(letter)[0])
	}
	return width
}

func letterShape(letter rune) [2]string {
	const letters = "AKLNOSTUWXY"
	shapes := [...][2]string{ // two rows of half blocks
		{"▄▀█", "█▀█"}, {"█▄▀", "█ █"}, {"█  ", "█▄▄"}, {"█▄ █", "█ ▀█"},
		{"█▀█", "█▄█"}, {"█▀▀", "▄▄█"}, {"▀█▀", " █ "},
		{"█ █", "█▄█"}, {"█ ▄ █", "▀▄▀▄▀"}, {"▀▄▀", "▄▀▄"},
		{"█ █", "▀█▀"},
	}
	if i := strings.IndexRune(letters, letter); i >= 0 {
		return shapes[i]
	}
	return [2]string{" ", " "}
}

// LargeSize returns the columns and rows that Large takes.
func LargeSize(code string, scale int) (width, height int) {
	columns, rows := dotSize(scale)
	return columns * (4*len(code) - 1), rows * 5
}

// dotSize returns the columns and rows of a dot of Large. Dots of scale 0 are narrow.
func dotSize(scale int) (columns, rows int) { return max(1, 2*scale), max(1, scale) }

// Large writes a code in letters that can be read across a room. A dot takes two columns and one row, times scale, and
// one column and one row with scale 0. With the charset ASCII, each dot is the letter itself.
func (c *Canvas) Large(x, y int, role Role, code string, scale int) {
	const letters = "CFHJKMPQRTVWXY3479"
	shapes := [...]string{ // five rows, each an octal digit for three dots
		"74447", "74644", "55755", "11157", "55655", "57755", "75744", "75563", "65655", "72222", "55552", "55775",
		"55255", "55222", "71717", "55711", "71122", "75717",
	}
	columns, rows := dotSize(scale)
	for _, letter := range code {
		dot := c.Glyphs.bar[0]
		if c.theme.charset == ASCII {
			dot = string(letter)
		}
		if i := strings.IndexRune(letters, letter); i >= 0 {
			for row := range 5 * rows {
				for column := range 3 {
					if (shapes[i][row/rows]-'0')>>(2-column)&1 == 1 {
						c.fill(x+columns*column, y+row, columns, role, dot)
					}
				}
			}
		}
		x += 4 * columns
	}
}
