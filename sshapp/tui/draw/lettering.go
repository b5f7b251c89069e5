package draw

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
// of its own. It reports whether the terminal has half blocks: nothing is written where it has none.
func (c *Canvas) Lettering(x, y int, k, crosses Role, text string) bool {
	if c.Glyphs.board.halves == (halves{}) {
		return false
	}
	for _, letter := range text {
		role := k
		if letter == 'X' {
			role = crosses
		}
		for row, line := range letterOf(letter) {
			c.Text(x, y+row, role, line)
		}
		x += Columns(letterOf(letter)[0]) + 1
	}
	return true
}

// LetteringWidth is how many columns a text in large letters takes.
func LetteringWidth(text string) int {
	width := len(text) - 1
	for _, letter := range text {
		width += Columns(letterOf(letter)[0])
	}
	return width
}
