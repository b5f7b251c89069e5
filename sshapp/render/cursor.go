package render

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// unknown is the column or line of a cursor after output that terminals treat differently.
const unknown = -1

// cursor is a place on the terminal, counted from 0.
type cursor struct{ x, y int }

// route is a kind of cursor move.
type route uint8

const (
	absolute   route = iota // CUP
	relative                // CUU, RI or CUD, then CUF, CUB or backspaces
	returned                // CR, then CUU, RI or CUD, then CUF
	columnMove              // CUU, RI or CUD, then CHA
)

// target is a destination of the cursor, with the costs that do not depend on its current place.
type target struct {
	cursor
	absoluteBytes int   // length of an absolute move
	lineBytes     int   // length of the move to x within the line, by lineRoute
	lineRoute     route // returned or columnMove, whichever is shorter
}

func (c *Caps) target(to cursor) target {
	t := target{cursor: to, absoluteBytes: to.positionLen(), lineBytes: 1 + horizontalLen(to.x), lineRoute: returned}
	if c.Column && csiLen(to.x+1) < t.lineBytes {
		t.lineBytes, t.lineRoute = csiLen(to.x+1), columnMove
	}
	return t
}

// shortest returns the cheapest way to a target and its length in bytes.
func (c *Caps) shortest(from cursor, to *target) (way route, bytes int) {
	if from.y == unknown {
		return absolute, to.absoluteBytes
	}
	way, bytes = to.lineRoute, to.lineBytes
	if from.x != unknown {
		if n := horizontalLen(to.x - from.x); n <= bytes {
			way, bytes = relative, n
		}
	}
	if bytes += c.verticalLen(to.y - from.y); bytes < to.absoluteBytes {
		return way, bytes
	}
	return absolute, to.absoluteBytes
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

// csiLen returns the length of a sequence with one parameter. Like appendCSI it leaves a parameter of 1 out.
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

// digits returns the number of decimal digits of n, up to maxSize.
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
