package strategy

import "notakto/rules"

// ticTacToeLines returns the lines in the order in which the seed's rule looks at them, by cells numbered from the top
// left.
func ticTacToeLines() [8][3]int {
	return [8][3]int{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}}
}

// centerTicTacToe completes a line of its own; else blocks one of the opponent's; else takes the centre, then the
// corners, then any cell, the first that is free.
func centerTicTacToe(p rules.Position) rules.Move {
	own, other := rules.Nought, rules.Cross
	if p.Turn() == rules.Second {
		own, other = other, own
	}
	n := completing(p, own)
	if n == 0 {
		n = completing(p, other)
	}
	if n == 0 {
		n = firstFree(p)
	}
	return rules.Move{Cell: numbered(n)}
}

// completing returns the free cell of the first line that holds two of the marks, 0 if there is none.
func completing(p rules.Position, m rules.Mark) int {
	for _, line := range ticTacToeLines() {
		marks, free := 0, 0
		for _, n := range line {
			switch p.At(0, numbered(n)) {
			case m:
				marks++
			case rules.Empty:
				free = n
			}
		}
		if marks == 2 && free != 0 {
			return free
		}
	}
	return 0
}

func firstFree(p rules.Position) int {
	for _, n := range [...]int{5, 1, 3, 7, 9, 2, 4, 6, 8} {
		if p.At(0, numbered(n)) == rules.Empty {
			return n
		}
	}
	return 0
}
