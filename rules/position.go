package rules

import (
	"errors"
	"fmt"
	"math/bits"
	"sync"
)

// The rules that a move can break.
var (
	ErrNoSuchBoard = errors.New("there is no board")
	ErrNoSuchCell  = errors.New("there is no cell")
	ErrBoardDead   = errors.New("the board is dead")
	ErrCellTaken   = errors.New("the cell is taken")
	ErrOver        = errors.New("the game is over")
)

// Mark is the content of a cell.
type Mark uint8

// The marks.
const (
	Empty Mark = iota
	Cross
	Nought
)

// Position holds the marks on the boards of a game. It is an immutable, comparable value. The zero value is no
// position. [Variant.Start] returns the first one of a game.
type Position struct {
	variant Variant
	crosses [MaxBoards]board
	noughts board
}

// Variant returns the game that p is a position of.
func (p Position) Variant() Variant { return p.variant }

// Plies returns the number of marks on the boards.
func (p Position) Plies() int {
	n := p.noughts.count()
	for _, b := range p.crosses[:p.variant.boards] {
		n += b.count()
	}
	return n
}

// Turn returns the side to move. In a game that is over it is the side that would have moved next.
func (p Position) Turn() Side {
	if p.Plies()%2 == 0 {
		return First
	}
	return Second
}

// At returns the mark in a cell, or Empty outside the boards.
func (p Position) At(index int, c Cell) Mark {
	switch {
	case index < 0 || index >= p.variant.Boards() || !p.variant.HasCell(c):
		return Empty
	case p.crosses[index]&c.bit() != 0:
		return Cross
	case p.variant.noughts && p.noughts&c.bit() != 0:
		return Nought
	default:
		return Empty
	}
}

// Crosses returns the pattern of crosses on a board, or 0 outside the boards. Bit 0 is the top left cell. The others
// follow row by row.
func (p Position) Crosses(index int) uint16 {
	if index < 0 || index >= p.variant.Boards() {
		return 0
	}
	return uint16(p.crosses[index])
}

// Dead reports whether a board has three equal marks in a row. A dead board takes no more marks.
func (p Position) Dead(index int) bool {
	return index >= 0 && index < p.variant.Boards() && p.lineOn(index) != 0
}

// Line returns the three cells in a row on a dead board, from the top left, or nil on a live board.
func (p Position) Line(index int) []Cell {
	if !p.Dead(index) {
		return nil
	}
	line := p.lineOn(index)
	cells := make([]Cell, 0, rows)
	for i := range rows * rows {
		if line&(1<<i) != 0 {
			cells = append(cells, p.variant.CellAt(i/rows, i%rows))
		}
	}
	return cells
}

func (p Position) lineOn(index int) board {
	if line := p.crosses[index].line(); line != 0 {
		return line
	}
	if p.variant.noughts {
		return p.noughts.line()
	}
	return 0
}

// Alive returns the number of boards that are not dead.
func (p Position) Alive() int {
	alive := 0
	for i := range p.variant.Boards() {
		if !p.Dead(i) {
			alive++
		}
	}
	return alive
}

// Outcome returns the winner and the reason, as far as the position shows them.
func (p Position) Outcome() Outcome {
	switch {
	case !p.variant.Valid():
		return Outcome{}
	case p.Alive() > 0:
		if p.variant.noughts && p.crosses[0]|p.noughts == fullBoard {
			return Outcome{Reason: Draw}
		}
		return Outcome{}
	case p.variant.noughts:
		return Outcome{Winner: p.Turn().Other(), Reason: Line}
	default: // The player who completed the last board has lost. It would be the winner's turn.
		return Outcome{Winner: p.Turn(), Reason: Boards}
	}
}

// Check returns the rule that m would break, or nil: [ErrOver], [ErrNoSuchBoard], [ErrNoSuchCell], [ErrBoardDead] or
// [ErrCellTaken].
func (p Position) Check(m Move) error {
	if err := p.variant.contains(m); err != nil {
		return err
	}
	switch {
	case p.Outcome().Over():
		return ErrOver
	case p.Dead(int(m.Board)):
		return fmt.Errorf("%w: %s", ErrBoardDead, BoardName(int(m.Board)))
	case p.At(int(m.Board), m.Cell) != Empty:
		return fmt.Errorf("%w: %s", ErrCellTaken, p.variant.FormatMove(m))
	}
	return nil
}

// Play returns the position after m, or the error of [Position.Check].
func (p Position) Play(m Move) (Position, error) {
	if err := p.Check(m); err != nil {
		return p, err
	}
	if p.variant.noughts && p.Turn() == First {
		p.noughts |= m.Cell.bit()
	} else {
		p.crosses[m.Board] |= m.Cell.bit()
	}
	return p, nil
}

// Kills reports whether m is a legal move of Notakto that kills its board.
func (p Position) Kills(m Move) bool {
	next, err := p.Play(m)
	return err == nil && !p.variant.noughts && next.Dead(int(m.Board))
}

// Legal lists the legal moves by boards, and on each board by cells from 1 to 9. A finished game has none.
func (p Position) Legal() []Move {
	if p.Outcome().Over() {
		return nil
	}
	moves := make([]Move, 0, rows*rows*p.Alive())
	for i := range p.variant.Boards() {
		if p.Dead(i) {
			continue
		}
		for c := range p.variant.Cells() {
			if p.At(i, c) == Empty {
				moves = append(moves, Move{Board: uint8(i), Cell: c})
			}
		}
	}
	return moves
}

// board is the set of cells of one board that hold one kind of mark, in the order of [Position.Crosses].
type board uint16

const fullBoard board = 1<<(rows*rows) - 1

// lines has the sets of [Variant.Lines].
var lines = sync.OnceValue(func() []board {
	all := make([]board, 0, 2*rows+2)
	for _, cells := range (Variant{}).Lines() {
		line := board(0)
		for _, c := range cells {
			line |= c.bit()
		}
		all = append(all, line)
	}
	return all
})

func (c Cell) bit() board {
	row, column := Variant{}.Place(c)
	return 1 << (row*rows + column)
}

func (b board) count() int { return bits.OnesCount16(uint16(b)) }

func (b board) hasLine() bool { return b.line() != 0 }

// line returns the first complete line on b, or 0.
func (b board) line() board {
	for _, l := range lines() {
		if b&l == l {
			return l
		}
	}
	return 0
}

// reachable reports whether play that stops at a line can have left b.
func (b board) reachable() bool {
	if !b.hasLine() {
		return true
	}
	for rest := b; rest != 0; rest &= rest - 1 {
		if last := rest & -rest; !(b &^ last).hasLine() {
			return true
		}
	}
	return false
}
