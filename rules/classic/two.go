package classic

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

// two is a game of [Two].
type two struct {
	*dialogue
	position rules.Position
}

func (d *dialogue) playTwo() error {
	variant, err := rules.Notakto(2)
	if err != nil {
		return err
	}
	t := two{dialogue: d, position: variant.Start()}
	t.say("Enter the number of human players [1-2]:")
	people, err := t.upTo(2)
	if err != nil {
		return err
	}
	computer := rules.Nobody
	if people == 1 {
		computer = rules.Second
	}
	for !t.position.Outcome().Over() {
		t.show()
		var m rules.Move
		if t.position.Turn() == computer {
			m = strategy.Student.Choose(t.position, nil) // the rule of this program on two boards, which draws no lots
			t.say("# Computer's turn #")
			t.sayf("Choose the game board:\n%d", m.Board+1)
			t.sayf("Choose the cell:\n%d", m.Cell)
		} else if m, err = t.askMove(); err != nil {
			return err
		}
		if t.position, err = t.position.Play(m); err != nil {
			return err
		}
	}
	t.show()
	if winner := t.position.Outcome().Winner; winner == computer {
		t.say("Computer wins!")
	} else {
		t.sayf("Congratulations! Player %d wins!", winner)
	}
	return nil
}

// askMove waits for the number of a live board, and then for that of a free cell.
func (t *two) askMove() (m rules.Move, err error) {
	t.sayf("# Player %d's turn #", t.position.Turn())
	t.say("Choose the game board:")
	board, err := t.upTo(2)
	for err == nil && t.position.Dead(board-1) {
		t.say("The chosen game board is dead. Please input again:")
		board, err = t.upTo(2)
	}
	if err != nil {
		return m, err
	}
	t.say("Choose the cell:")
	cell, err := t.upTo(9)
	for err == nil && t.position.At(board-1, rules.Cell(cell)) != rules.Empty {
		t.say("The chosen cell is occupied. Please input again:")
		cell, err = t.upTo(9)
	}
	return rules.Move{Board: uint8(board - 1), Cell: rules.Cell(cell)}, err
}

// upTo waits for a line that is a decimal integer from 1 to highest, perhaps written +1 or 01, and nothing else.
func (t *two) upTo(highest int) (int, error) {
	for {
		line, err := t.reply()
		if err != nil {
			return 0, err
		}
		if number, err := strconv.Atoi(line); err == nil && 1 <= number && number <= highest {
			return number, nil
		}
		t.say("Input out of range. Please input again:")
	}
}

// show prints both boards, dead or alive. The cells are numbered like a keypad.
func (t *two) show() {
	variant := t.position.Variant()
	for board := range variant.Boards() {
		t.sayf("# Game Board %d #", board+1)
		for row := range 3 {
			var faces [3]string
			for column := range faces {
				cell := variant.CellAt(row, column)
				faces[column] = face(t.position, rules.Move{Board: uint8(board), Cell: cell}, int(cell))
			}
			t.say("|" + strings.Join(faces[:], "|") + "|")
		}
	}
}
