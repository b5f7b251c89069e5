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

func compareTrees(t *testing.T, p rules.Position, g *naiveGame, depth int, count *tree) {
	count.Nodes[g.ply]++
	winner, outcome := g.winner(), p.Outcome()
	if outcome.IsOver() != (winner >= 0) || outcome.IsOver() && int(outcome.Winner) != winner ||
		p.String() != g.String() {
		t.Fatalf("%v has outcome %+v, naively %v has winner %d", p, outcome, g, winner)
	}
	if outcome.IsOver() {
		count.Games++
		count.Wins[winner]++
	}
	if g.ply == depth {
		return
	}
	var moves, naive []string
	for _, m := range p.LegalMoves() {
		moves = append(moves, m.String())
	}
	g.each(func(move string) {
		naive = append(naive, move)
		m, err := p.Variant().ParseMove(move)
		testkit.OK(t, err)
		next, err := p.Play(m)
		testkit.OK(t, err)
		compareTrees(t, next, g, depth, count)
	})
	if !slices.Equal(moves, naive) {
		t.Fatalf("after %v the moves are %v, naively %v", p, moves, naive)
	}
}

// FuzzPlay plays a whole game with moves from the fuzzer, and checks at every ply the properties of every game.
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
		playOut(t, all[int(variant)%len(all)], func(ply, n int) int {
			if ply < len(choices) {
				return int(choices[ply]) % n
			}
			return 0
		})
	})
}

func playOut(t *testing.T, v rules.Variant, choose func(ply, n int) int) {
	t.Helper()
	game := rules.Game{Variant: v, Position: v.Start()}
	for ply := 0; !game.Position.Outcome().IsOver(); ply++ {
		p := game.Position
		checkTurn(t, p, ply)
		legal := p.LegalMoves()
		checkLegality(t, p, legal)
		m := legal[choose(ply, len(legal))]
		next, err := p.Play(m)
		if err != nil {
			t.Fatalf("%v: %v is legal, but %v", p, m, err)
		}
		checkMoved(t, p, next, m)
		game.Position, game.Moves = next, append(game.Moves, m)
	}
	checkEnd(t, game)
}

func checkTurn(t *testing.T, p rules.Position, ply int) {
	t.Helper()
	want := rules.First
	if ply%2 == 1 {
		want = rules.Second
	}
	if p.Plies() != ply || p.Turn() != want {
		t.Fatalf("%v: %d plies and side %d's turn after %d moves", p, p.Plies(), p.Turn(), ply)
	}
	if ply > 0 || !p.Variant().IsTicTacToe() {
		if again, err := rules.ParsePosition(p.String()); err != nil || again != p {
			t.Fatalf("%v is read back as %v, %v", p, again, err)
		}
	}
}

// checkLegality compares all moves, and some impossible ones, with the list of legal moves.
func checkLegality(t *testing.T, p rules.Position, legal []rules.Move) {
	t.Helper()
	if len(legal) == 0 {
		t.Fatalf("%v goes on, but nothing can be played", p)
	}
	listed := 0
	for board := range uint8(11) {
		for cell := range rules.Cell(12) {
			m := rules.Move{Board: board, Cell: cell}
			if err := p.Check(m); err != nil {
				continue
			}
			if listed == len(legal) || legal[listed] != m {
				t.Fatalf("%v: %v breaks no rule, but the list in board, then cell order is %v", p, m, legal)
			}
			listed++
		}
	}
	if listed != len(legal) {
		t.Fatalf("%v: only %d of the moves listed break no rule: %v", p, listed, legal)
	}
}

func checkMoved(t *testing.T, before, after rules.Position, m rules.Move) {
	t.Helper()
	for board := range before.Variant().Boards() {
		if before.IsDead(board) && (!after.IsDead(board) || after.Crosses(board) != before.Crosses(board)) {
			t.Fatalf("dead board %d changed from %v to %v", board, before, after)
		}
		for cell := range before.Variant().Cells() {
			placed := uint8(board) == m.Board && cell == m.Cell
			if got, was := after.At(board, cell), before.At(board, cell); placed == (got == was) ||
				placed && was != rules.Empty {
				t.Fatalf("%v made %v of %v", m, after, before)
			}
		}
	}
	if alive := after.LiveBoards(); alive > before.LiveBoards() || alive < before.LiveBoards()-1 {
		t.Fatalf("%v left %d of %d boards alive", m, alive, before.LiveBoards())
	}
	for _, cell := range after.Line(int(m.Board)) {
		if mark := after.At(int(m.Board), cell); after.IsDead(int(m.Board)) != (mark != rules.Empty) ||
			mark != rules.Empty && mark != after.At(int(m.Board), m.Cell) {
			t.Fatalf("the line on board %d of %v is %v", m.Board, after, after.Line(int(m.Board)))
		}
	}
}

func checkEnd(t *testing.T, game rules.Game) {
	t.Helper()
	p, last := game.Position, rules.First
	if len(game.Moves)%2 == 0 {
		last = rules.Second
	}
	want := rules.Outcome{Winner: last.Other(), Reason: rules.ReasonBoards}
	if game.Variant.IsTicTacToe() {
		want = rules.Outcome{Winner: last, Reason: rules.ReasonLine}
		if !p.IsDead(0) {
			want = rules.Outcome{Reason: rules.ReasonDraw}
		}
	}
	if p.Outcome() != want || p.LegalMoves() != nil || len(game.Moves) > 9*game.Variant.Boards() {
		t.Fatalf("%v ended with %+v, want %+v", game, p.Outcome(), want)
	}
	again, err := rules.ParseGame(game.String())
	if err != nil || again.Position != p || !slices.Equal(again.Moves, game.Moves) {
		t.Fatalf("%v is read back as %v, %v", game, again, err)
	}
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

// each plays every possible move in turn, calls visit with its notation, and takes the move back.
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
