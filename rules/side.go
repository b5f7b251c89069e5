package rules

// Side is one of the two players, in the order in which they move.
type Side uint8

// The sides. Nobody is the winner of a draw and of a game in progress.
const (
	Nobody Side = iota
	First
	Second
)

// Other returns the opponent's side; that of [Nobody] is [Nobody].
func (s Side) Other() Side {
	switch s {
	case First:
		return Second
	case Second:
		return First
	default:
		return Nobody
	}
}

// Sides returns the two sides, in the order in which they move.
func Sides() [2]Side { return [2]Side{First, Second} }

// Valid reports whether s is one of the two sides.
func (s Side) Valid() bool { return s == First || s == Second }
