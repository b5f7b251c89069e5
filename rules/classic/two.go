package classic

import (
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

const outOfRange = "Input out of range. Please input again:"

// two is a game of [Two].
type two struct {
	*dialogue
	position rules.Position
	people   int
}

func (d *dialogue) playTwo() error {
	variant, err := rules.Notakto(2)
	if err != nil {
		return err
	}
	t := two{dialogue: d, position: variant.Start()}
	t.say("Enter the number of human players [1-2]:")
	if t.people, err = t.upTo(2); err != nil {
		return err
	}
	for !t.position.Outcome().Over() {
		t.show()
		if err := t.turn(); err != nil {
			return err
		}
	}
	t.show()
	t.congratulate()
	return nil
}

func (t *two) turn() error {
	var m rules.Move
	var err error
	if t.computers(t.position.Turn()) {
		m = t.computerMove()
	} else {
		m, err = t.humanMove()
	}
	if err != nil {
		return err
	}
	t.position, err = t.position.Play(m)
	return err
}

// computers reports whether a side is the computer's.
func (t *two) computers(side rules.Side) bool { return t.people == 1 && side == rules.Second }

// computerMove plays as the student does, whose rule on two boards is this program's. The student draws no lots.
func (t *two) computerMove() rules.Move {
	m := strategy.Student.Choose(t.position, nil)
	t.say("# Computer's turn #")
	t.sayf("Choose the game board:\n%d", m.Board+1)
	t.sayf("Choose the cell:\n%d", m.Cell)
	return m
}

func (t *two) humanMove() (rules.Move, error) {
	t.sayf("# Player %d's turn #", t.position.Turn())
	board, err := t.chooseBoard()
	if err != nil {
		return rules.Move{}, err
	}
	return t.chooseCell(board)
}

func (t *two) chooseBoard() (int, error) {
	t.say("Choose the game board:")
	for {
		number, err := t.upTo(2)
		if err != nil || !t.position.Dead(number-1) {
			return number - 1, err
		}
		t.say("The chosen game board is dead. Please input again:")
	}
}

func (t *two) chooseCell(board int) (rules.Move, error) {
	t.say("Choose the cell:")
	for {
		number, err := t.upTo(9)
		if err != nil {
			return rules.Move{}, err
		}
		m := rules.Move{Board: uint8(board), Cell: rules.Cell(number)}
		if t.position.At(board, m.Cell) == rules.Empty {
			return m, nil
		}
		t.say("The chosen cell is occupied. Please input again:")
	}
}

// upTo waits for a line that is a decimal integer from 1 to highest, perhaps as +1 or 01, and nothing else.
func (t *two) upTo(highest int) (int, error) {
	for {
		line, err := t.reply()
		if err != nil {
			return 0, err
		}
		if number, err := strconv.Atoi(line); err == nil && 1 <= number && number <= highest {
			return number, nil
		}
		t.say(outOfRange)
	}
}

// show prints both boards, dead or alive, cells numbered like a keypad.
func (t *two) show() {
	for board := range t.position.Variant().Boards() {
		t.sayf("# Game Board %d #", board+1)
		for row := range 3 {
			t.say("|" + strings.Join(t.row(board, row), "|") + "|")
		}
	}
}

func (t *two) row(board, row int) []string {
	faces := make([]string, 0, 3)
	for column := range 3 {
		m := rules.Move{Board: uint8(board), Cell: t.position.Variant().CellAt(row, column)}
		faces = append(faces, face(t.position, m, int(m.Cell)))
	}
	return faces
}

func (t *two) congratulate() {
	winner := t.position.Outcome().Winner
	if t.computers(winner) {
		t.say("Computer wins!")
		return
	}
	t.sayf("Congratulations! Player %d wins!", winner)
}
