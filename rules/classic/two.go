package classic

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

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
	people, err := t.askNumber(2)
	if err != nil {
		return err
	}
	computer := rules.NoSide
	if people == 1 {
		computer = rules.Second
	}
	for !t.position.Outcome().IsOver() {
		t.show()
		var m rules.Move
		if t.position.Turn() == computer {
			m = strategy.Student.Choose(t.position, nil) // the rule of this program on two boards, without a random choice
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

func (t *two) askMove() (m rules.Move, err error) {
	t.sayf("# Player %d's turn #", t.position.Turn())
	t.say("Choose the game board:")
	board, err := t.askNumber(2)
	for err == nil && t.position.IsDead(board-1) {
		t.say("The chosen game board is dead. Please input again:")
		board, err = t.askNumber(2)
	}
	if err != nil {
		return m, err
	}
	t.say("Choose the cell:")
	cell, err := t.askNumber(9)
	for err == nil && t.position.At(board-1, rules.Cell(cell)) != rules.Empty {
		t.say("The chosen cell is occupied. Please input again:")
		cell, err = t.askNumber(9)
	}
	return rules.Move{Board: uint8(board - 1), Cell: rules.Cell(cell)}, err
}

// askNumber waits for a line with only a decimal integer from 1 to highest. The forms +1 and 01 are valid.
func (t *two) askNumber(highest int) (int, error) {
	for {
		line, err := t.readLine()
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
			var texts [3]string
			for column := range texts {
				cell := variant.CellAt(row, column)
				texts[column] = cellText(t.position, rules.Move{Board: uint8(board), Cell: cell}, int(cell))
			}
			t.say("|" + strings.Join(texts[:], "|") + "|")
		}
	}
}
