package botproto

import (
	"notakto/rules"
)

// Start returns the position before the first of Moves: of a rated match its opening, which is what is left of Position
// without the moves, else that of the variant. The error says that Variant, Position or Moves are none.
func (m Match) Start() (rules.Position, error) {
	variant, err := rules.ParseVariant(m.Variant)
	if err != nil {
		return rules.Position{}, err
	}
	if !m.Rated {
		return variant.Start(), nil
	}
	text, board := []byte(m.Position), variant.Rows()*variant.Rows()
	for _, name := range m.Moves {
		move, err := variant.ParseMove(name)
		if err != nil {
			return rules.Position{}, err
		}
		row, column := variant.Place(move.Cell)
		if at := int(move.Board)*(board+1) + row*variant.Rows() + column; at < len(text) {
			text[at] = '.'
		}
	}
	return rules.ParsePosition(string(text))
}
