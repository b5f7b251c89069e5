package classic

import (
	"strconv"

	"notakto/rules"
)

// face is what a cell shows: its mark, or, while it is free, the number it goes by in the program.
func face(p rules.Position, m rules.Move, number int) string {
	switch p.At(int(m.Board), m.Cell) {
	case rules.Cross:
		return "X"
	case rules.Nought:
		return "0"
	default:
		return strconv.Itoa(number)
	}
}

// fromTopLeft is the cell with a number that counts row by row from the top left, which is 0.
func fromTopLeft(number int) rules.Cell { return rules.TicTacToe().CellAt(number/3, number%3) }

// rowFaces are the faces of a row of a board whose cells are numbered from the top left, beginning with base.
func rowFaces(p rules.Position, board, row, base int) []string {
	faces := make([]string, 0, 3)
	for n := row * 3; n < row*3+3; n++ {
		faces = append(faces, face(p, rules.Move{Board: uint8(board), Cell: fromTopLeft(n)}, base+n))
	}
	return faces
}
