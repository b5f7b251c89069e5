package render

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// unknown is the column or line of a cursor whose place depends on the terminal.
const unknown = -1

// cursor is a place on the terminal, counted from 0.
type cursor struct{ x, y int }

type route uint8

const (
	absolute route = iota // CUP
	relative              // CUU, RI or CUD, then CUF, CUB or backspaces
	returned              // CR, then CUU, RI or CUD, then CUF
	column                // CUU, RI or CUD, then CHA
)

// target is a place to move to, with the costs that do not depend on the place of the cursor.
type target struct {
	cursor
	anywhere int   // bytes of an absolute move
	along    int   // bytes of the move from anywhere in its line
	way      route // of the move along its line: returned or column
}

func (c *Caps) target(to cursor) target {
	t := target{cursor: to, anywhere: to.positionLen(), along: 1 + horizontalLen(to.x), way: returned}
	if c.Column && csiLen(to.x+1) < t.along {
		t.along, t.way = csiLen(to.x+1), column
	}
	return t
}

// shortest returns the way to a target that takes the fewest bytes, and their number.
func (c *Caps) shortest(from cursor, to *target) (way route, bytes int) {
	if from.y == unknown {
		return absolute, to.anywhere
	}
	way, bytes = to.way, to.along
	if from.x != unknown {
		if n := horizontalLen(to.x - from.x); n <= bytes {
			way, bytes = relative, n
		}
	}
	if bytes += c.verticalLen(to.y - from.y); bytes < to.anywhere {
		return way, bytes
	}
	return absolute, to.anywhere
}

func (c cursor) positionLen() int {
	switch {
	case c.x == 0:
		return csiLen(c.y + 1)
	case c.y == 0:
		return len(csi) + 1 + digits(c.x+1) + 1
	}
	return len(csi) + digits(c.y+1) + 1 + digits(c.x+1) + 1
}

func appendPosition(dst []byte, to cursor) []byte {
	if to.x == 0 {
		return appendCSI(dst, to.y+1, 'H')
	}
	dst = append(dst, csi...)
	if to.y > 0 {
		dst = strconv.AppendInt(dst, int64(to.y)+1, 10)
	}
	dst = append(dst, ';')
	return append(strconv.AppendInt(dst, int64(to.x)+1, 10), 'H')
}

// reverseIndex moves the cursor up a line. In the top line it would scroll, but no move goes up from there.
const reverseIndex = "\x1bM"

func (c *Caps) verticalLen(n int) int {
	switch {
	case n == 0:
		return 0
	case n == -1 && c.Reverse:
		return len(reverseIndex)
	}
	return csiLen(max(n, -n))
}

func (c *Caps) appendVertical(dst []byte, n int) []byte {
	switch {
	case n > 0:
		return appendCSI(dst, n, 'B')
	case n == -1 && c.Reverse:
		return append(dst, reverseIndex...)
	case n < 0:
		return appendCSI(dst, -n, 'A')
	}
	return dst
}

func horizontalLen(n int) int {
	switch {
	case n < 0:
		return min(-n, csiLen(-n))
	case n == 0:
		return 0
	}
	return csiLen(n)
}

func appendHorizontal(dst []byte, n int) []byte {
	switch {
	case n > 0:
		return appendCSI(dst, n, 'C')
	case n < 0 && -n <= csiLen(-n):
		for range -n {
			dst = append(dst, ansi.BS)
		}
	case n < 0:
		return appendCSI(dst, -n, 'D')
	}
	return dst
}

// csiLen returns the length of a sequence with one parameter. A parameter of 1 is left out.
func csiLen(n int) int {
	if n == 1 {
		return len(csi) + 1
	}
	return len(csi) + digits(n) + 1
}

func appendCSI(dst []byte, n int, final byte) []byte {
	dst = append(dst, csi...)
	if n != 1 {
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, final)
}

// digits returns how many digits n has. n is at most largest.
func digits(n int) int {
	switch {
	case n < 10:
		return 1
	case n < 100:
		return 2
	case n < 1000:
		return 3
	case n < 10_000:
		return 4
	}
	return 5
}
