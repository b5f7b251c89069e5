package plain

import (
	"slices"
	"strings"

	"notakto/rules"
)

// boardsLeft is which boards are alive.
func boardsLeft(p rules.Position) string {
	var left []string
	for i := range p.Variant().Boards() {
		if !p.Dead(i) {
			left = append(left, rules.BoardName(i))
		}
	}
	switch len(left) {
	case 0:
		return "No board is left."
	case 1:
		return "Board left: " + left[0] + "."
	default:
		return "Boards left: " + listText(left) + "."
	}
}

// boardText is what stands on a board.
func boardText(p rules.Position, board int) string {
	name := "Board " + rules.BoardName(board)
	if p.Variant().IsTicTacToe() {
		name = "The board"
	}
	var shown []string
	for _, mark := range [2]struct {
		mark rules.Mark
		name string
	}{{rules.Nought, "O"}, {rules.Cross, "X"}} {
		if cells := cellsWith(p, board, mark.mark); len(cells) > 0 {
			shown = append(shown, mark.name+" at "+andText(cells))
		}
	}
	free := "free " + strings.Join(cellsWith(p, board, rules.Empty), " ")
	switch {
	case p.Dead(board) && !p.Variant().IsTicTacToe():
		return name + " is dead: three in a row at " + lineText(p, board) + "."
	case p.Dead(board):
		return name + ": " + strings.Join(shown, "; ") + "; three in a row at " + lineText(p, board) + "."
	case len(shown) == 0:
		return name + " is empty."
	case free == "free ":
		return name + ": " + strings.Join(shown, "; ") + "; nothing free."
	default:
		return name + ": " + strings.Join(append(shown, free), "; ") + "."
	}
}

func cellsWith(p rules.Position, board int, mark rules.Mark) []string {
	var cells []string
	for c := range p.Variant().Cells() {
		if p.At(board, c) == mark {
			cells = append(cells, c.String())
		}
	}
	return cells
}

func lineText(p rules.Position, board int) string {
	line := p.Line(board)
	slices.Sort(line)
	cells := make([]string, len(line))
	for i, c := range line {
		cells[i] = c.String()
	}
	return andText(cells)
}

// andText is "1", "1 and 5" or "1, 5 and 9".
func andText(words []string) string {
	if len(words) < 2 {
		return listText(words)
	}
	last := len(words) - 1
	return listText(words[:last]) + " and " + words[last]
}
