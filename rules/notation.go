package rules

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrBadMove says that a text is not written like a move.
var ErrBadMove = errors.New("not a move: a move is a board's letter and a cell's digit, such as B5")

// Cell is a cell of a board, numbered like a numeric keypad: 7 8 9 on the top row, 1 2 3 on the bottom row.
type Cell uint8

// String returns the cell's digit.
func (c Cell) String() string { return strconv.Itoa(int(c)) }

// Move is a mark to be placed in a cell of a board. Boards are counted from 0.
type Move struct {
	Board uint8
	Cell  Cell
}

// BoardName returns the letter of a board counted from 0, or "?" beyond Z.
func BoardName(index int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if index < 0 || index >= len(letters) {
		return "?"
	}
	return letters[index : index+1]
}

// moveNames has the names of all moves, of two bytes each, one after the other. Every frame of a match needs some.
var moveNames = sync.OnceValue(func() string {
	var names strings.Builder
	for board := range MaxBoards {
		for cell := range Cell(rows*rows + 1) {
			names.WriteString(BoardName(board) + cell.String())
		}
	}
	return names.String()
})

// String returns the move with its board's letter, such as "B5".
func (m Move) String() string {
	if m.Board < MaxBoards && m.Cell <= rows*rows {
		at := 2 * (int(m.Board)*(rows*rows+1) + int(m.Cell))
		return moveNames()[at : at+2]
	}
	return BoardName(int(m.Board)) + m.Cell.String()
}

// FormatMove writes a move in v's notation: "B5" in Notakto, "5" in tic-tac-toe.
func (v Variant) FormatMove(m Move) string {
	if v.noughts {
		return m.Cell.String()
	}
	return m.String()
}

// ParseMove reads a move in v's notation, in upper or lower case. On a variant of one board the letter is optional.
// ParseMove does not check whether the move is legal in a position. Errors: [ErrBadMove], [ErrNoSuchBoard],
// [ErrNoSuchCell].
func (v Variant) ParseMove(text string) (Move, error) {
	word := text
	if len(word) == 1 && v.boards == 1 {
		word = "A" + word
	}
	if len(word) != 2 || !isLetter(word[0]) || !isDigit(word[1]) {
		return Move{}, fmt.Errorf("%w (not %.20q)", ErrBadMove, text)
	}
	m := Move{Board: upper(word[0]) - 'A', Cell: Cell(word[1] - '0')}
	if err := v.checkMove(m); err != nil {
		return Move{}, err
	}
	return m, nil
}

func upper(b byte) byte    { return b &^ 0x20 }
func isLetter(b byte) bool { return 'A' <= upper(b) && upper(b) <= 'Z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }

func (v Variant) checkMove(m Move) error {
	switch {
	case m.Board >= v.boards:
		return fmt.Errorf("%w %s: the boards are %s", ErrNoSuchBoard, BoardName(int(m.Board)), v.boardRange())
	case !v.HasCell(m.Cell):
		return fmt.Errorf("%w %d: the cells are 1 to %d", ErrNoSuchCell, m.Cell, rows*rows)
	}
	return nil
}

func (v Variant) boardRange() string {
	switch v.boards {
	case 0:
		return "none"
	case 1:
		return "A"
	default:
		return "A to " + BoardName(int(v.boards)-1)
	}
}

// ErrBadPosition says that a text is not the notation of a position, or that the position cannot be reached by play.
var ErrBadPosition = errors.New("not a position")

var markBytes = [...]byte{Empty: '.', Cross: 'X', Nought: 'O'}

// String returns the notation that [ParsePosition] reads, nine characters for each board, joined by "/". The start
// of tic-tac-toe looks like the start of Notakto on one board, and is read as that.
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

// ParsePosition reads a position's notation, in upper or lower case. A single board with a nought is tic-tac-toe.
// Any other text is Notakto, with a board for each group. The error is [ErrBadPosition] with the fault, also for a
// position that no play leads to.
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
	if err := p.checkReachable(); err != nil {
		return Position{}, err
	}
	return p, nil
}

func (p *Position) readBoard(index int, group string) error {
	name := BoardName(index)
	if n := utf8.RuneCountInString(group); n != rows*rows {
		return fmt.Errorf("%w: board %s needs %d characters, not %d", ErrBadPosition, name, rows*rows, n)
	}
	for i, r := range group {
		switch {
		case r == '.':
		case r == 'X' || r == 'x':
			p.crosses[index] |= 1 << i
		case p.variant.noughts && (r == 'O' || r == 'o'):
			p.noughts |= 1 << i
		default:
			return fmt.Errorf("%w: board %s has %q, it takes X and . (and O on a single board)", ErrBadPosition,
				name, r)
		}
	}
	return nil
}

func (p Position) checkReachable() error {
	if p.variant.noughts {
		return p.checkReachableTicTacToe()
	}
	for i, b := range p.crosses[:p.variant.boards] {
		if !b.isReachable() {
			return fmt.Errorf("%w: a cross was placed on board %s after it died", ErrBadPosition, BoardName(i))
		}
	}
	return nil
}

func (p Position) checkReachableTicTacToe() error {
	noughts, crosses := p.noughts, p.crosses[0]
	switch ahead := noughts.count() - crosses.count(); {
	case ahead < 0 || ahead > 1:
		return fmt.Errorf("%w: noughts move first, so there are as many as crosses or one more", ErrBadPosition)
	case noughts.hasLine() && (crosses.hasLine() || ahead == 0 || !noughts.isReachable()):
		return fmt.Errorf("%w: a mark was placed after noughts had won", ErrBadPosition)
	case crosses.hasLine() && (ahead == 1 || !crosses.isReachable()):
		return fmt.Errorf("%w: a mark was placed after crosses had won", ErrBadPosition)
	}
	return nil
}

// ErrBadGame says that a text is not the notation of a game.
var ErrBadGame = errors.New("not a game: write the variant, a colon and the moves, such as notakto/3: A5 B5")

// Game is a variant and the legal moves played in it. [ParseGame] makes one.
type Game struct {
	Variant  Variant
	Moves    []Move
	Position Position // after the moves
}

// ParseGame reads a game's notation: "notakto/3: A5 B5 C1". The errors are [ErrBadGame], those of [ParseVariant] and
// [Variant.ParseMove], and the rule that the first illegal move breaks.
func ParseGame(text string) (Game, error) {
	name, list, found := strings.Cut(text, ":")
	if !found {
		return Game{}, fmt.Errorf("%w (not %.40q)", ErrBadGame, text)
	}
	variant, err := ParseVariant(strings.TrimSpace(name))
	if err != nil {
		return Game{}, err
	}
	game := Game{Variant: variant, Position: variant.Start()}
	for i, word := range strings.Fields(list) {
		m, err := variant.ParseMove(word)
		if err == nil {
			game.Position, err = game.Position.Play(m)
		}
		if err != nil {
			return Game{}, fmt.Errorf("move %d, %.20q: %w", i+1, word, err)
		}
		game.Moves = append(game.Moves, m)
	}
	return game, nil
}

// String returns the notation that [ParseGame] reads.
func (g Game) String() string {
	var text strings.Builder
	text.WriteString(g.Variant.String())
	text.WriteByte(':')
	for _, m := range g.Moves {
		text.WriteByte(' ')
		text.WriteString(g.Variant.FormatMove(m))
	}
	return text.String()
}
