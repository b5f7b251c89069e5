package classic

import (
	"strings"

	"notakto/rules"
)

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
