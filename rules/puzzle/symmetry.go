package puzzle

import (
	"slices"
	"sync"

	"notakto/rules"
)

// kind identifies a move up to symmetry. Two moves have equal kinds exactly if a symmetry turns one board into the
// second board, and one cell into the second cell.
type kind uint32

// kindOf returns the smallest image of the board before m together with the cell of m.
func kindOf(p rules.Position, m rules.Move) kind {
	least := ^kind(0)
	crosses, cell := images()[p.Crosses(int(m.Board))], images()[bitOf(m.Cell)]
	for i := range crosses {
		least = min(least, kind(crosses[i])<<9|kind(cell[i]))
	}
	return least
}

// shape is equal for positions that differ only in the order of their boards and by symmetries of a board.
type shape [rules.MaxBoards]uint16

func shapeOf(p rules.Position) shape {
	var s shape
	for i := range p.Variant().Boards() {
		images := images()[p.Crosses(i)]
		s[i] = 1 + slices.Min(images[:]) // 0 stands for no board.
	}
	slices.Sort(s[:])
	return s
}

// bitOf returns the pattern of [rules.Position.Crosses] with a cross on c only.
func bitOf(c rules.Cell) uint16 {
	row, column := rules.Variant{}.Place(c)
	return 1 << (row*rules.Variant{}.Rows() + column)
}

// images returns the images of each pattern of [rules.Position.Crosses] under the eight symmetries of a board.
var images = sync.OnceValue(func() *[512][8]uint16 {
	all := new([512][8]uint16)
	v := rules.DefaultVariant()
	for c := range v.Cells() {
		for i := range rules.Symmetries {
			for pattern := range all {
				if uint16(pattern)&bitOf(c) != 0 {
					all[pattern][i] |= bitOf(v.Image(c, i))
				}
			}
		}
	}
	return all
})
