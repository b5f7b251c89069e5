package classic

import (
	"strings"

	"notakto/rules"
)

// playThree plays a game of [Three]. The cells are numbered 0 to 8 from the top left.
func (d *dialogue) playThree() error {
	variant, err := rules.Notakto(3)
	if err != nil {
		return err
	}
	position := variant.Start()
	for !position.Outcome().IsOver() {
		d.showLiveBoards(position)
		for played := false; !played; {
			d.promptf("Player %d: ", position.Turn())
			line, err := d.readLine()
			if err != nil {
				return err
			}
			if len(line) == 2 && 'A' <= line[0] && line[0] <= 'Z' && '0' <= line[1] && line[1] <= '8' {
				m := rules.Move{Board: line[0] - 'A', Cell: fromTopLeft(int(line[1] - '0'))}
				if next, err := position.Play(m); err == nil {
					position, played = next, true
				}
			}
			if !played {
				d.say("Invalid move, please input again")
			}
		}
	}
	d.sayf("Player %d wins game", position.Outcome().Winner)
	return nil
}

func (d *dialogue) showLiveBoards(position rules.Position) {
	var letters []string
	var rows [3][]string
	for board := range position.Variant().Boards() {
		if position.IsDead(board) {
			continue
		}
		letters = append(letters, rules.BoardName(board))
		for row := range rows {
			rows[row] = append(rows[row], strings.Join(rowTexts(position, board, row, 0), " "))
		}
	}
	d.say(strings.Join(letters, "      "))
	for _, row := range rows {
		d.say(strings.Join(row, "  "))
	}
}
