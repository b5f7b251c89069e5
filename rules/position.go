package rules

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
)

// Errors for the rules that a move can break.
var (
	ErrNoSuchBoard = errors.New("there is no board")
	ErrNoSuchCell  = errors.New("there is no cell")
	ErrBoardDead   = errors.New("the board is dead")
	ErrCellTaken   = errors.New("the cell is taken")
	ErrOver        = errors.New("the game is over")
)

// Mark is the content of a cell.
type Mark uint8

// The marks. Notakto has crosses only.
const (
	Empty Mark = iota
	Cross
	Nought
)

// Position holds the marks on the boards of a game. Positions are immutable and comparable. [Variant.Start] returns
// the first one of a game, and the zero value is no position.
type Position struct {
	variant Variant
	crosses [MaxBoards]board
	noughts board
}

// Variant returns the game of p.
func (p Position) Variant() Variant { return p.variant }

// Plies returns the number of marks on the boards.
func (p Position) Plies() int {
	n := p.noughts.count()
	for _, b := range p.crosses[:p.variant.boards] {
		n += b.count()
	}
	return n
}

// Turn returns the side to move. In a finished game it is the side that would have moved next.
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

// Crosses returns the pattern of crosses on a board, or 0 outside the boards. Bit 0 is the top left cell, and the
// rest follows row by row.
func (p Position) Crosses(index int) uint16 {
	if index < 0 || index >= p.variant.Boards() {
		return 0
	}
	return uint16(p.crosses[index])
}

// IsDead reports whether a board has three equal marks in a row. A dead board takes no more marks.
func (p Position) IsDead(index int) bool {
	return index >= 0 && index < p.variant.Boards() && p.lineOn(index) != 0
}

// Line returns the three cells in a row on a dead board, from the top left, or zeros on a live board.
func (p Position) Line(index int) (cells [rows]Cell) {
	if !p.IsDead(index) {
		return cells
	}
	line, n := p.lineOn(index), 0
	for i := range rows * rows {
		if line&(1<<i) != 0 {
			cells[n] = p.variant.CellAt(i/rows, i%rows)
			n++
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

// LiveBoards returns the number of boards that are not dead.
func (p Position) LiveBoards() int {
	alive := 0
	for i := range p.variant.Boards() {
		if !p.IsDead(i) {
			alive++
		}
	}
	return alive
}

// Shape identifies positions that differ only in dead boards, in the order of boards and by their symmetries.
type Shape [MaxBoards]uint16

// Shape returns the shape of the crosses.
func (p Position) Shape() (s Shape) {
	for i := range p.variant.Boards() {
		for symmetry := range Symmetries {
			image := board(1 << (rows * rows)) // an empty board is not a dead one
			for c := range p.variant.Cells() {
				if p.crosses[i]&c.bit() != 0 {
					image |= p.variant.Image(c, symmetry).bit()
				}
			}
			if !p.IsDead(i) {
				s[i] = max(s[i], uint16(image))
			}
		}
	}
	slices.Sort(s[:])
	return s
}

// Outcome returns the winner and the reason, as far as the position shows them.
func (p Position) Outcome() Outcome {
	switch {
	case !p.variant.IsValid():
		return Outcome{}
	case p.LiveBoards() > 0:
		if p.variant.noughts && p.crosses[0]|p.noughts == fullBoard {
			return Outcome{Reason: ReasonDraw}
		}
		return Outcome{}
	case p.variant.noughts:
		return Outcome{Winner: p.Turn().Other(), Reason: ReasonLine}
	default: // the killer of the last board has lost, and the winner would be on turn
		return Outcome{Winner: p.Turn(), Reason: ReasonBoards}
	}
}

// Check returns the rule that m would break, or nil: [ErrOver], [ErrNoSuchBoard], [ErrNoSuchCell], [ErrBoardDead] or
// [ErrCellTaken].
func (p Position) Check(m Move) error {
	if err := p.variant.checkMove(m); err != nil {
		return err
	}
	switch {
	case p.Outcome().IsOver():
		return ErrOver
	case p.IsDead(int(m.Board)):
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
	return err == nil && !p.variant.noughts && next.IsDead(int(m.Board))
}

// LegalMoves lists the legal moves by boards, and on each board by cells from 1 to 9. A finished game has no legal
// moves.
func (p Position) LegalMoves() []Move {
	if p.Outcome().IsOver() {
		return nil
	}
	moves := make([]Move, 0, rows*rows*p.LiveBoards())
	for i := range p.variant.Boards() {
		if p.IsDead(i) {
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

// isReachable reports whether play that stops at a line can lead to b.
func (b board) isReachable() bool {
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
