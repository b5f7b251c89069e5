package rules

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrBadPosition says that a text is not the notation of a position, or that the position cannot be reached by play.
var ErrBadPosition = errors.New("not a position")

var markBytes = [...]byte{Empty: '.', Cross: 'X', Nought: 'O'}

// String returns the position's notation: one group of nine characters per board, joined by "/". [ParsePosition] reads
// it back, but for the start of tic-tac-toe, which looks like the start of Notakto on one board.
func (p Position) String() string {
	var text strings.Builder
	for i := range p.variant.Boards() {
		if i > 0 {
			text.WriteByte('/')
		}
		for cell := range rows * rows {
			text.WriteByte(markBytes[p.At(i, p.variant.CellAt(cell/rows, cell%rows))])
		}
	}
	return text.String()
}

// ParsePosition reads a position's notation. A single board with a nought on it is tic-tac-toe; everything else is
// Notakto with as many boards as there are groups. Lower case is accepted. The error is [ErrBadPosition] with what is
// wrong, and covers positions that no play leads to.
func ParsePosition(text string) (Position, error) {
	variant, err := Notakto(strings.Count(text, "/") + 1)
	if err != nil {
		return Position{}, fmt.Errorf("%w: it has 1 to %d boards, joined by /", ErrBadPosition, MaxBoards)
	}
	if variant.boards == 1 && strings.ContainsAny(text, "Oo") {
		variant = TicTacToe()
	}
	p := variant.Start()
	for i, group := range strings.Split(text, "/") {
		if err := p.readBoard(i, group); err != nil {
			return Position{}, err
		}
	}
	if err := p.possible(); err != nil {
		return Position{}, err
	}
	return p, nil
}

func (p *Position) readBoard(index int, group string) error {
	name := BoardName(index)
	if n := utf8.RuneCountInString(group); n != rows*rows {
		return fmt.Errorf("%w: board %s has %d characters, it needs %d", ErrBadPosition, name, n, rows*rows)
	}
	for i, r := range group {
		switch {
		case r == '.':
		case r == 'X' || r == 'x':
			p.crosses[index] |= 1 << i
		case p.variant.noughts && (r == 'O' || r == 'o'):
			p.noughts |= 1 << i
		default:
			return fmt.Errorf("%w: board %s has %q, it takes X and . (and O on a single board)", ErrBadPosition, name, r)
		}
	}
	return nil
}

func (p Position) possible() error {
	if p.variant.noughts {
		return p.possibleTicTacToe()
	}
	for i, b := range p.crosses[:p.variant.boards] {
		if !b.reachable() {
			return fmt.Errorf("%w: a cross was placed on board %s after it died", ErrBadPosition, BoardName(i))
		}
	}
	return nil
}

func (p Position) possibleTicTacToe() error {
	noughts, crosses := p.noughts, p.crosses[0]
	switch ahead := noughts.count() - crosses.count(); {
	case ahead < 0 || ahead > 1:
		return fmt.Errorf("%w: noughts move first, so there are as many as crosses or one more", ErrBadPosition)
	case noughts.hasLine() && (crosses.hasLine() || ahead == 0 || !noughts.reachable()):
		return fmt.Errorf("%w: a mark was placed after noughts had won", ErrBadPosition)
	case crosses.hasLine() && (ahead == 1 || !crosses.reachable()):
		return fmt.Errorf("%w: a mark was placed after crosses had won", ErrBadPosition)
	}
	return nil
}
