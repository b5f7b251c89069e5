package draw

import "strings"

// Lettering writes NXTAKTX, YOU WON or YOU LOST in large letters; scale 2 doubles their size. It returns false and
// writes nothing if the terminal has no half blocks.
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

// LetteringWidth returns how many columns a text takes in large letters of scale 1.
func LetteringWidth(text string) int {
	width := len(text) - 1
	for _, letter := range text {
		width += Columns(letterOf(letter)[0])
	}
	return width
}

func letterOf(letter rune) [2]string {
	const letters = "AKLNOSTUWXY"
	shapes := [...][2]string{ // two rows of half blocks
		{"▄▀█", "█▀█"}, {"█▄▀", "█ █"}, {"█  ", "█▄▄"}, {"█▄ █", "█ ▀█"}, {"█▀█", "█▄█"}, {"█▀▀", "▄▄█"}, {"▀█▀", " █ "},
		{"█ █", "█▄█"}, {"█ ▄ █", "▀▄▀▄▀"}, {"▀▄▀", "▄▀▄"}, {"█ █", "▀█▀"},
	}
	if i := strings.IndexRune(letters, letter); i >= 0 {
		return shapes[i]
	}
	return [2]string{" ", " "}
}

// LargeSize returns the columns and rows that Large takes.
func LargeSize(code string, scale int) (width, height int) {
	return scale * (8*len(code) - 2), scale * 5
}

// Large writes a code in letters that can be read across a room. A dot takes two columns and one row, times scale. With
// the charset ASCII, each dot is the letter itself.
func (c *Canvas) Large(x, y int, k Role, code string, scale int) {
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
