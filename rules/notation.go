package rules

import (
	"errors"
	"fmt"
	"strings"
)

// ErrBadPosition says that a text is not written like a position, or that no play leads to what it shows.
var ErrBadPosition = errors.New("not a position")

// ErrBadGame says that a text is not written like a game.
var ErrBadGame = errors.New("not a game: write the variant, a colon and the moves, such as notakto/3: A5 B5")

var markBytes = [...]byte{Empty: '.', Cross: 'X', Nought: 'O'}

// String is the position's notation: one group of nine characters per board, joined by "/". [ParsePosition] reads it back.
func (p Position) String() string {
	var text strings.Builder
	for i := range p.variant.Boards() {
		if i > 0 {
			text.WriteByte('/')
		}
		for cell := range 9 {
			text.WriteByte(markBytes[p.At(i, CellAt(cell/3, cell%3))])
		}
	}
	return text.String()
}

// ParsePosition reads a position's notation. A single board with a nought on it is tic-tac-toe; everything else is Notakto with as many
// boards as there are groups. Lower case is accepted. The error is [ErrBadPosition] with what is wrong, and covers positions that no play
// leads to.
func ParsePosition(text string) (Position, error) {
	groups := strings.Split(strings.ToUpper(text), "/")
	variant, err := Notakto(len(groups))
	if err != nil {
		return Position{}, fmt.Errorf("%w: there are 1 to %d boards, not %d", ErrBadPosition, MaxBoards, len(groups))
	}
	if len(groups) == 1 && strings.Contains(groups[0], "O") {
		variant = TicTacToe()
	}
	p := variant.Start()
	for i, group := range groups {
		if err := p.readBoard(i, group); err != nil {
			return Position{}, err
		}
	}
	return p, p.possible()
}

func (p *Position) readBoard(index int, group string) error {
	name := BoardName(index)
	if len(group) != 9 {
		return fmt.Errorf("%w: board %s has %d characters, it needs 9", ErrBadPosition, name, len(group))
	}
	for i := range 9 {
		switch c := group[i]; {
		case c == '.':
		case c == 'X':
			p.crosses[index] |= 1 << i
		case c == 'O' && p.variant.noughts:
			p.noughts |= 1 << i
		default:
			return fmt.Errorf("%w: board %s has %q, it takes X and . (and O on a single board)", ErrBadPosition, name, c)
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

// Game is a variant and the moves played in it, all legal. [ParseGame] makes one.
type Game struct {
	Variant  Variant
	Moves    []Move
	Position Position // after the moves
}

// ParseGame reads a game's notation: "notakto/3: A5 B5 C1". The errors are [ErrBadGame], those of [ParseVariant] and [Variant.ParseMove],
// and the rule that the first illegal move breaks.
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

// String is the notation that [ParseGame] reads.
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
