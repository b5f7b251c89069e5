package render

// unknown is the column or the line of a cursor that might stand in more than one place.
const unknown = -1

// cursor is where the terminal's cursor stands, counted from 0.
type cursor struct{ x, y int }

// route is a way to move the cursor.
type route uint8

const (
	absolute route = iota // CUP
	relative              // CUU, RI or CUD, then CUF, CUB or backspaces
	returned              // CR, then CUU, RI or CUD, then CUF
	column                // CUU, RI or CUD, then CHA
)

// target is a place to move to, with what of the way there does not depend on where the cursor is.
type target struct {
	cursor
	anywhere int   // bytes of an absolute move
	along    int   // bytes of the move from anywhere in its line
	way      route // of that: returned or column
}

func (c *Caps) target(to cursor) target {
	t := target{cursor: to, anywhere: to.positionLen(), along: 1 + horizontalLen(to.x), way: returned}
	if c.Column && csiLen(to.x+1) < t.along {
		t.along, t.way = csiLen(to.x+1), column
	}
	return t
}

// shortest is the cheapest way to a target, and its bytes.
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
