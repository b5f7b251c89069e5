package strategy

import (
	"math/bits"
	"math/rand/v2"

	"notakto/rules"
)

// center plays the strong rule of the seed program on one board, carried over to any number of them. Cells are numbered
// as there, 1 to 9 from the top left.
//
// On a board the rule takes 5 if it is free. Otherwise it holds bad: every cross and the cell opposite it (10 minus
// it); the row and the column of the opponent's last mark; all even cells if that mark is even. It takes the first cell
// that is not bad.
//
// A position does not show which mark came last. If that is not known, any cross but the one on 5, which the rule
// itself takes when it can, may have been, so a cell counts as bad on account of the last mark only if it would
// whichever of them that was. With one board and the first move that still never loses, as the seed's program never
// does.
//
// With several boards the rule is asked about each that is alive, from A on, as if a last mark had been made there, and
// the first cell it finds is played. If it finds none, a random legal move is.
func center(p rules.Position, last rules.Move, rng *rand.Rand) rules.Move {
	if p.Variant().IsTicTacToe() {
		return centerTicTacToe(p)
	}
	for board := range p.Variant().Boards() {
		if p.Dead(board) {
			continue
		}
		lastHere := pattern(0)
		if last.Cell != 0 && int(last.Board) == board {
			lastHere = mark(number(last.Cell))
		}
		if n := firstNotBad(p.Crosses(board), lastHere); n > 0 {
			return rules.Move{Board: uint8(board), Cell: numbered(n)}
		}
	}
	return anyMove(p, rng)
}

// The theory and the rules of the older programs are of boards of nine cells.
const (
	middle   = 5
	lastCell = 9
)

// numbered is the cell with a number from the top left.
func numbered(n int) rules.Cell { return rules.DefaultVariant().CellAt((n-1)/3, (n-1)%3) }

// number is the inverse of numbered.
func number(c rules.Cell) int {
	row, column := rules.DefaultVariant().Place(c)
	return 3*row + column + 1
}

// mark is the pattern of one cross on a numbered cell.
func mark(n int) pattern { return 1 << (n - 1) }

// firstNotBad is the number of the cell that the rule takes on a live board of Notakto, 0 if all are bad. last is the
// pattern of the opponent's last mark, or empty if it is not known to be on this board.
func firstNotBad(crosses, last pattern) int {
	if crosses&mark(middle) == 0 {
		return middle
	}
	if last == 0 {
		last = crosses &^ mark(middle)
	}
	bad := crosses | opposite(crosses) | badForAny(last)
	for n := 1; n <= 9; n++ {
		if bad&mark(n) == 0 {
			return n
		}
	}
	return 0
}

// opposite is the pattern seen through the centre: n becomes 10-n.
func opposite(p pattern) pattern { return bits.Reverse16(p) >> 7 }

// badForAny is what is bad on account of the last mark, whichever of the marks it was.
func badForAny(marks pattern) pattern {
	bad := pattern(0)
	for n, seen := 1, false; n <= 9; n++ {
		switch {
		case marks&mark(n) == 0:
		case !seen:
			bad, seen = badAfter(n), true
		default:
			bad &= badAfter(n)
		}
	}
	return bad
}

// badAfter is what is bad on account of the last mark, n.
func badAfter(n int) pattern {
	row, column := (n-1)/3, (n-1)%3
	bad := pattern(0o007)<<(3*row) | pattern(0o111)<<column
	if n%2 == 0 {
		bad |= mark(2) | mark(4) | mark(6) | mark(8)
	}
	return bad
}
