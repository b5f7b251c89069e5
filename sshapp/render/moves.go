package render

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

func (to cursor) positionLen() int {
	switch {
	case to.x == 0:
		return csiLen(to.y + 1)
	case to.y == 0:
		return len(csi) + 1 + digits(to.x+1) + 1
	}
	return len(csi) + digits(to.y+1) + 1 + digits(to.x+1) + 1
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

// reverseIndex goes up a line. At the top of the screen it would scroll, but there nothing goes up.
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

// csiLen is the length of a sequence with one parameter, which is left out if it is 1.
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

// digits is how many digits n has, which is not negative and at most largest.
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
