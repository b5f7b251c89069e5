package rules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
)

// tree counts the nodes and games of a full game tree.
type tree struct {
	Nodes [10]int // at each depth
	Games int     // finished within the depth
	Wins  [3]int  // by winner, 0 for a draw
}

// The numbers of tic-tac-toe are published: 255,168 games, 131,184 won by the first player, 77,904 by the second,
// 46,080 drawn. Those of Notakto were counted a second time by a program in another language. The two implementations
// agree on the moves, the boards and the winner at every node.
func TestMoveCounts(t *testing.T) {
	for _, c := range []struct {
		variant rules.Variant
		depth   int
		want    tree
	}{
		{rules.TicTacToe(), 9, tree{
			Nodes: [10]int{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872},
			Games: 255168, Wins: [3]int{46080, 131184, 77904},
		}},
		{notakto(t, 1), 9, tree{
			Nodes: [10]int{1, 9, 72, 504, 2736, 9360, 13440, 4320},
			Games: 23232, Wins: [3]int{0, 864 + 12000, 48 + 6000 + 4320},
		}},
		{notakto(t, 2), 4, tree{Nodes: [10]int{1, 18, 306, 4896, 72864}}},
		{notakto(t, 3), 3, tree{Nodes: [10]int{1, 27, 702, 17550}}},
		{notakto(t, 9), 2, tree{Nodes: [10]int{1, 81, 6480}}},
	} {
		t.Run(c.variant.String(), func(t *testing.T) {
			t.Parallel()
			var got tree
			compareTrees(t, c.variant.Start(), newNaiveGame(c.variant), c.depth, &got)
			if got != c.want {
				t.Errorf("counted %+v\nwant    %+v", got, c.want)
			}
		})
	}
}

// compare fails if a position and the naive game differ in their marks, live boards, moves or outcome. It returns the
// moves in notation.
func compare(t *testing.T, p rules.Position, g *naiveGame) (moves []string) {
	t.Helper()
	winner, outcome, live := g.winner(), p.Outcome(), 0
	for board := range p.Variant().Boards() {
		isDead := g.threeInARow(board)
		if !isDead {
			live++
		}
		line, cells := p.Line(board), ""
		slices.Sort(line[:])
		for _, cell := range line {
			cells += cell.String()
		}
		isLine := slices.Contains([]string{"123", "456", "789", "147", "258", "369", "159", "357"}, cells)
		if p.IsDead(board) != isDead || isLine != isDead || isDead && p.At(board, line[0]) == rules.Empty {
			t.Fatalf("%v: board %d is dead: %v, by %s", p, board, isDead, cells)
		}
	}
	reason := rules.ReasonBoards
	if g.ticTacToe && winner == 0 {
		reason = rules.ReasonDraw
	} else if g.ticTacToe {
		reason = rules.ReasonLine
	}
	if outcome.IsOver() && outcome.Reason != reason {
		t.Fatalf("%v ended by %v, naively by %v", p, outcome.Reason, reason)
	}
	g.each(func(move string) { moves = append(moves, move) })
	var legal []string
	for _, m := range p.LegalMoves() {
		legal = append(legal, m.String())
	}
	if outcome.IsOver() != (winner >= 0) || outcome.IsOver() && int(outcome.Winner) != winner ||
		p.String() != g.String() || p.Plies() != g.ply || p.LiveBoards() != live || !slices.Equal(legal, moves) {
		t.Fatalf("%v has the outcome %+v and moves %v, naively %v has the winner %d and moves %v", p, outcome, legal, g,
			winner, moves)
	}
	return moves
}

func compareTrees(t *testing.T, p rules.Position, g *naiveGame, depth int, count *tree) {
	count.Nodes[g.ply]++
	moves := compare(t, p, g)
	if outcome := p.Outcome(); outcome.IsOver() {
		count.Games++
		count.Wins[outcome.Winner]++
	}
	if g.ply == depth {
		return
	}
	for _, move := range moves {
		undo := g.play(move)
		compareTrees(t, after(t, p, move), g, depth, count)
		undo()
	}
}

func after(t *testing.T, p rules.Position, move string) rules.Position {
	t.Helper()
	m, err := p.Variant().ParseMove(move)
	testkit.OK(t, err)
	next, err := p.Play(m)
	testkit.OK(t, err)
	return next
}

// FuzzPlay plays a whole game with moves from the fuzzer, and compares every position with the naive game.
func FuzzPlay(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for variant := range uint8(10) {
		f.Add(variant, []byte{})
		for range 50 {
			choices := make([]byte, 81)
			for i := range choices {
				choices[i] = byte(rng.Uint32())
			}
			f.Add(variant, choices)
		}
	}
	f.Fuzz(func(t *testing.T, variant uint8, choices []byte) {
		all := variants(t)
		v := all[int(variant)%len(all)]
		game, g := rules.Game{Variant: v, Position: v.Start()}, newNaiveGame(v)
		for moves := compare(t, game.Position, g); len(moves) > 0; moves = compare(t, game.Position, g) {
			if game.Position.Turn() != rules.Sides()[g.ply%2] {
				t.Fatalf("%v: side %d's turn after %d moves", game.Position, game.Position.Turn(), g.ply)
			}
			for board := range uint8(11) {
				for cell := range rules.Cell(12) {
					m := rules.Move{Board: board, Cell: cell}
					if isLegal := slices.Contains(moves, m.String()); (game.Position.Check(m) == nil) != isLegal {
						t.Fatalf("%v: %v is legal: %v", game.Position, m, isLegal)
					}
				}
			}
			choice := 0
			if g.ply < len(choices) {
				choice = int(choices[g.ply]) % len(moves)
			}
			m := game.Position.LegalMoves()[choice]
			g.play(moves[choice])
			game.Position, game.Moves = after(t, game.Position, moves[choice]), append(game.Moves, m)
			if again, err := rules.ParsePosition(game.Position.String()); err != nil || again != game.Position {
				t.Fatalf("%v is read back as %v, %v", game.Position, again, err)
			}
		}
		again, err := rules.ParseGame(game.String())
		if err != nil || again.Position != game.Position || !slices.Equal(again.Moves, game.Moves) {
			t.Fatalf("%v is read back as %v, %v", game, again, err)
		}
	})
}

// naiveGame is a second implementation of the rules, to check the first. Boards are runes in rows, a move is made
// and undone in place, and lines are found by walking.
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
	mover, other := 2-g.ply%2, 1+g.ply%2 // mover has just moved
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

// each calls visit with the notation of every possible move.
func (g *naiveGame) each(visit func(move string)) {
	if g.winner() >= 0 {
		return
	}
	for i := range g.boards {
		for digit := range 9 {
			if !g.threeInARow(i) && g.boards[i][2-digit/3][digit%3] == '.' {
				visit(string([]rune{'A' + rune(i), '1' + rune(digit)}))
			}
		}
	}
}

// play makes a move in notation.
func (g *naiveGame) play(move string) (undo func()) {
	digit := int(move[1] - '1')
	cell := &g.boards[move[0]-'A'][2-digit/3][digit%3]
	if *cell = 'X'; g.ticTacToe && g.ply%2 == 0 {
		*cell = 'O'
	}
	g.ply++
	return func() { *cell, g.ply = '.', g.ply-1 }
}

func (g *naiveGame) String() string {
	groups := make([]string, len(g.boards))
	for i, grid := range g.boards {
		groups[i] = string(grid[0][:]) + string(grid[1][:]) + string(grid[2][:])
	}
	return strings.Join(groups, "/")
}
