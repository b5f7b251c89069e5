package tui

import (
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/tui/draw"
)

// placing chooses a cell on the boards of a screen, by keys or by a click.
type placing struct {
	*env
	cursor *cursor
	shown  func() (rules.Position, draw.Arrangement)
	verb   string            // what a digit does, for the footer
	long   string            // what Enter does, for the help
	say    func(text string) // says why a key had no effect
	place  func(m rules.Move, by placer) tea.Cmd
}

// placer tells how the player has chosen a cell.
type placer uint8

const (
	byCursor placer = iota
	byDigit
	byClick
)

// actions returns the actions of the keys for a position of v.
func (p placing) actions(v rules.Variant) []action {
	keys, isRoomy, hasBoards := p.keys, p.isRoomy(), v.Boards() > 1
	return []action{
		{key: &keys.move, long: "move", run: func(*Root) tea.Cmd {
			at, boards := p.shown()
			*p.cursor = p.cursor.step(p.pressedArrow(), boards, at)
			return nil
		}},
		{key: &keys.byLetters, long: textIf(isRoomy, "move")},
		{key: &keys.digit, short: p.verb, long: p.verb, run: func(*Root) tea.Cmd {
			if p.attention.followsRefused { // the digit was meant for the refused board
				p.say("Choose a board first.")
				return nil
			}
			return p.place(rules.Move{Board: p.cursor.move().Board, Cell: p.pressedCell(v)}, byDigit)
		}},
		{
			key: &keys.boards[v.Boards()-1], long: textIf(hasBoards, p.either("to board (Shift)", "to board")),
			run: p.pickBoard,
		},
		{
			key: &keys.nextBoard, short: textIf(hasBoards, "board"), long: textIf(hasBoards, "next board"),
			run: p.cycle(1),
		},
		{key: &keys.boardBefore, long: textIf(hasBoards && isRoomy, "previous board"), run: p.cycle(-1)},
		{key: &keys.enter, long: p.long, run: func(*Root) tea.Cmd { return p.place(p.cursor.move(), byCursor) }},
		{key: &keys.bySpace, long: textIf(isRoomy, p.long)},
		{key: &keys.smallBoards, run: p.pickBoard},
	}
}

// moveHint is an action for the footer. The footer has moveHint near the end, because a narrow window has no room for
// the last hints.
func (p placing) moveHint() action {
	return action{key: &p.keys.move, short: textIf(p.isRoomy(), "move")}
}

func (p placing) pickBoard(*Root) tea.Cmd {
	at, _ := p.shown()
	letter := p.attention.key[0]
	isSmall := letter >= 'a'
	board := int(letter-'A') % ('a' - 'A')
	name := rules.BoardName(board)
	p.attention.refused = true
	switch {
	case board >= at.Variant().Boards():
		p.say("There is no board " + name + ".")
	case isSmall:
		p.say("Hold Shift to go to board " + name + ".")
	case at.IsDead(board):
		p.say("Board " + name + " is dead.")
	default:
		*p.cursor, p.attention.refused = cursor{board: board, cell: p.cursor.cell}, false
	}
	return nil
}

func (p placing) cycle(by int) navigation {
	return func(*Root) tea.Cmd {
		at, _ := p.shown()
		*p.cursor = p.cursor.cycle(by, at)
		return nil
	}
}

func (p placing) click(msg tea.MouseClickMsg) tea.Cmd {
	at, boards := p.shown()
	m, onCell := boards.Hit(msg.X, msg.Y)
	if !onCell || at.IsDead(int(m.Board)) {
		return nil
	}
	return p.place(m, byClick)
}
