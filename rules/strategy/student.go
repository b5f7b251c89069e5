package strategy

import (
	"math/bits"

	"notakto/rules"
)

// student plays the rule of the seed program on two boards, carried over to any number of them. It leaves nothing to
// chance.
//
// The board is the one with the fewest crosses among those alive; of several, the last. (On two boards: the first if it
// has fewer crosses, otherwise the second.) The cell is the free one with the smallest number on board A and with the
// largest number on any other board, whether it kills the board or not. Only on the last board alive does the student
// avoid to kill it, as long as there is another cell.
//
// In tic-tac-toe, where no move of one's own loses, that leaves the free cell with the smallest number.
func student(p rules.Position) rules.Move {
	board := fewestCrosses(p)
	first := rules.Move{}
	for cell := range p.Variant().Cells() {
		m := rules.Move{Board: uint8(board), Cell: cell}
		if board > 0 {
			m.Cell = lastCell + 1 - cell
		}
		if p.Check(m) != nil {
			continue
		}
		if first == (rules.Move{}) {
			first = m
		}
		if p.Variant().IsTicTacToe() || p.Alive() > 1 || !after(p, m).Dead(board) {
			return m
		}
	}
	return first
}

// fewestCrosses returns the board alive with the fewest crosses, the last such.
func fewestCrosses(p rules.Position) int {
	fewest, least := -1, 0
	for board := range p.Variant().Boards() {
		if p.Dead(board) {
			continue
		}
		if n := bits.OnesCount16(p.Crosses(board)); fewest < 0 || n <= least {
			fewest, least = board, n
		}
	}
	return fewest
}
