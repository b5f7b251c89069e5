package frame

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

// moveTo writes the shortest move to x, y. It never uses a line feed, which a terminal's settings may turn into something else.
func (p *painter) moveTo(x, y int) {
	to := cursor{x, y}
	if p.at == to {
		return
	}
	way, _ := p.caps.shortest(p.at, to)
	switch way {
	case absolute:
		p.out = appendPosition(p.out, to)
	case relative:
		p.out = p.caps.appendVertical(p.out, y-p.at.y)
		p.out = appendHorizontal(p.out, x-p.at.x)
	case returned:
		p.out = append(p.out, '\r')
		p.out = p.caps.appendVertical(p.out, y-p.at.y)
		p.out = appendHorizontal(p.out, x)
	case column:
		p.out = p.caps.appendVertical(p.out, y-p.at.y)
		p.out = appendCSI(p.out, x+1, 'G')
	}
	p.at = to
}

// shortest is the cheapest way from one place to another, and its bytes.
func (c *Caps) shortest(from, to cursor) (way route, bytes int) {
	way, bytes = absolute, positionLen(to)
	if from.y == unknown {
		return way, bytes
	}
	consider := func(other route, cost int) {
		if cost < bytes {
			way, bytes = other, cost
		}
	}
	down := c.verticalLen(to.y - from.y)
	if from.x != unknown {
		consider(relative, down+horizontalLen(to.x-from.x))
	}
	consider(returned, 1+down+horizontalLen(to.x))
	if c.Column {
		consider(column, down+csiLen(to.x+1))
	}
	return way, bytes
}
