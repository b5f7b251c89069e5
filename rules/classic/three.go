package classic

import (
	"strings"

	"notakto/rules"
)

// three is a game of [Three].
type three struct {
	*dialogue
	position rules.Position
}

func (d *dialogue) playThree() error {
	variant, err := rules.Notakto(3)
	if err != nil {
		return err
	}
	t := three{dialogue: d, position: variant.Start()}
	for !t.position.Outcome().Over() {
		t.show()
		m, err := t.move()
		if err != nil {
			return err
		}
		if t.position, err = t.position.Play(m); err != nil {
			return err
		}
	}
	t.sayf("Player %d wins game", t.position.Outcome().Winner)
	return nil
}

// move waits for a move that can be played.
func (t *three) move() (rules.Move, error) {
	for {
		t.promptf("Player %d: ", t.position.Turn())
		line, err := t.reply()
		if err != nil {
			return rules.Move{}, err
		}
		if m, ok := parseLettered(line); ok && t.position.Check(m) == nil {
			return m, nil
		}
		t.say("Invalid move, please input again")
	}
}

// parseLettered reads a capital letter and a digit, such as A6; the cells are numbered from the top left, which is 0.
// The position checks whether the board exists.
func parseLettered(line string) (rules.Move, bool) {
	if len(line) != 2 || line[0] < 'A' || 'Z' < line[0] || line[1] < '0' || '8' < line[1] {
		return rules.Move{}, false
	}
	return rules.Move{Board: line[0] - 'A', Cell: fromTopLeft(int(line[1] - '0'))}, true
}

// show prints the boards alive side by side.
func (t *three) show() {
	var letters []string
	var rows [3][]string
	for board := range t.position.Variant().Boards() {
		if t.position.Dead(board) {
			continue
		}
		letters = append(letters, rules.BoardName(board))
		for row := range rows {
			rows[row] = append(rows[row], strings.Join(rowFaces(t.position, board, row, 0), " "))
		}
	}
	t.say(strings.Join(letters, "      "))
	for _, row := range rows {
		t.say(strings.Join(row, "  "))
	}
}
