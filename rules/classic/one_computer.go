package classic

import (
	"notakto/rules"
	"notakto/rules/strategy"
)

// numbered is the cell with a number of [One]: 1 to 9 from the top left.
func numbered(number int) rules.Cell { return fromTopLeft(number - 1) }

// numberOf is the number of a cell in [One].
func numberOf(c rules.Cell) int {
	row, column := rules.TicTacToe().Place(c)
	return row*3 + column + 1
}

// choose is the number of the cell that the computer marks. The strong one is the level that was named after what it
// does first.
func (g *oneGame) choose() int {
	level, last := strategy.Random, rules.Move{}
	if g.strong {
		level = strategy.Center
	}
	if g.last > 0 {
		last.Cell = numbered(g.last)
	}
	return numberOf(level.ChooseAfter(last, g.position, g.rng).Cell)
}
