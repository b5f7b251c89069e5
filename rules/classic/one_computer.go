package classic

import (
	"notakto/rules"
	"notakto/rules/strategy"
)

// numbered is the cell with a number of [One]: 1 to 9 from the top left.
func numbered(number int) rules.Cell { return fromTopLeft(number - 1) }

// numberOf is the number of a cell in [One].
func numberOf(c rules.Cell) int { return c.Row()*3 + c.Column() + 1 }

// choose is the number of the cell that the computer marks.
func (g *oneGame) choose() int {
	switch {
	case !g.strong:
		return g.anyFree()
	case g.position.Variant().IsTicTacToe():
		return numberOf(strategy.Centre.Choose(g.position, g.rng).Cell)
	default:
		if number := firstNotBad(g.position, g.last); number != 0 {
			return number
		}
		return g.anyFree()
	}
}

func (g *oneGame) anyFree() int { return numberOf(strategy.Random.Choose(g.position, g.rng).Cell) }

// firstNotBad is the cell of one-board Notakto that the strong computer takes after the opponent marked last; 0 if all cells are bad.
//
// It is 5 if that is free. Bad are all even cells if last is even; the row and the column of last; every cross and the cell opposite it.
// The level named centre has the same idea, but has to do without knowing which mark came last.
func firstNotBad(p rules.Position, last int) int {
	if p.At(0, numbered(5)) == rules.Empty {
		return 5
	}
	for number := 1; number <= 9; number++ {
		evens := last%2 == 0 && number%2 == 0
		taken := p.At(0, numbered(number)) != rules.Empty || p.At(0, numbered(10-number)) != rules.Empty
		if !evens && !taken && !aligned(number, last) {
			return number
		}
	}
	return 0
}

// aligned reports whether two cells share a row or a column.
func aligned(a, b int) bool {
	return numbered(a).Row() == numbered(b).Row() || numbered(a).Column() == numbered(b).Column()
}
