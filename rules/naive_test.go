package rules_test

import (
	"strings"

	"notakto/rules"
)

// naiveGame is a second implementation of the rules to check the first against: boards are runes in rows, a move is
// made and undone in place, lines are found by walking.
type naiveGame struct {
	boards    [][3][3]rune
	ticTacToe bool
	ply       int
}

func newNaiveGame(v rules.Variant) *naiveGame {
	g := &naiveGame{boards: make([][3][3]rune, v.Boards()), ticTacToe: v.IsTicTacToe()}
	for i := range g.boards {
		for row := range 3 {
			g.boards[i][row] = [3]rune{'.', '.', '.'}
		}
	}
	return g
}

func (g *naiveGame) threeInARow(board int) bool {
	grid := &g.boards[board]
	for row := range 3 {
		for column := range 3 {
			for _, step := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				length := 0
				for y, x := row, column; y < 3 && x >= 0 && x < 3 && grid[y][x] != '.' && grid[y][x] == grid[row][column]; {
					length, y, x = length+1, y+step[0], x+step[1]
				}
				if length == 3 {
					return true
				}
			}
		}
	}
	return false
}

// winner returns 1 or 2, 0 for a draw, -1 for a game that goes on.
func (g *naiveGame) winner() int {
	mover, other := 2-g.ply%2, 1+g.ply%2 // who moved last, and who would move now
	if g.ticTacToe {
		switch {
		case g.threeInARow(0):
			return mover
		case g.ply == 9:
			return 0
		}
		return -1
	}
	for i := range g.boards {
		if !g.threeInARow(i) {
			return -1
		}
	}
	return other
}

// each calls visit after every move that can be played, with the move's notation, and takes the move back.
func (g *naiveGame) each(visit func(move string)) {
	if g.winner() >= 0 {
		return
	}
	mark := 'X'
	if g.ticTacToe && g.ply%2 == 0 {
		mark = 'O'
	}
	for i := range g.boards {
		if g.threeInARow(i) {
			continue
		}
		for digit := range 9 {
			cell := &g.boards[i][2-digit/3][digit%3]
			if *cell != '.' {
				continue
			}
			*cell, g.ply = mark, g.ply+1
			visit(string([]rune{'A' + rune(i), '1' + rune(digit)}))
			*cell, g.ply = '.', g.ply-1
		}
	}
}

func (g *naiveGame) String() string {
	groups := make([]string, len(g.boards))
	for i, grid := range g.boards {
		groups[i] = string(grid[0][:]) + string(grid[1][:]) + string(grid[2][:])
	}
	return strings.Join(groups, "/")
}
