package rules_test

import (
	"slices"
	"testing"

	"notakto/rules"
)

// tree counts what a full game tree holds, by depth and by winner.
type tree struct {
	Nodes [10]int // at each depth
	Games int     // finished within the depth
	Wins  [3]int  // by winner, 0 for a draw
}

func countTree(p rules.Position, depth, ply int, count *tree) {
	count.Nodes[ply]++
	if outcome := p.Outcome(); outcome.Over() {
		count.Games++
		count.Wins[outcome.Winner]++
		return
	}
	if ply == depth {
		return
	}
	for _, m := range p.Legal() {
		next, err := p.Play(m)
		if err != nil {
			panic(err)
		}
		countTree(next, depth, ply+1, count)
	}
}

func countNaiveTree(g *naiveGame, depth int, count *tree) {
	count.Nodes[g.ply]++
	if winner := g.winner(); winner >= 0 {
		count.Games++
		count.Wins[winner]++
		return
	}
	if g.ply < depth {
		g.each(func(string) { countNaiveTree(g, depth, count) })
	}
}

// The numbers of tic-tac-toe are the published ones: 255,168 games, 131,184 won by the first player, 77,904 by the
// second, 46,080 drawn. Those of Notakto were counted once more by a program in another language.
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
		{notakto(t, 2), 5, tree{Nodes: [10]int{1, 18, 306, 4896, 72864, 990720}}},
		{notakto(t, 3), 4, tree{Nodes: [10]int{1, 27, 702, 17550, 420336}}},
	} {
		t.Run(c.variant.String(), func(t *testing.T) {
			t.Parallel()
			var got, naive tree
			countTree(c.variant.Start(), c.depth, 0, &got)
			countNaiveTree(newNaiveGame(c.variant), c.depth, &naive)
			if got != c.want || naive != c.want {
				t.Errorf("counted %+v\nnaively %+v\nwant    %+v", got, naive, c.want)
			}
		})
	}
}

// Both ways of writing the rules agree on the moves, the boards and the winner at every node of whole trees, not only
// in number.
func TestEveryNodeAgreesWithTheNaiveRules(t *testing.T) {
	for variant, depth := range map[rules.Variant]int{
		rules.TicTacToe(): 9, notakto(t, 1): 9, notakto(t, 2): 3, notakto(t, 9): 2,
	} {
		t.Run(variant.String(), func(t *testing.T) {
			t.Parallel()
			nodes := 0
			compareTrees(t, variant.Start(), newNaiveGame(variant), depth, &nodes)
			if nodes < 5000 {
				t.Errorf("only %d nodes compared", nodes)
			}
		})
	}
}

func compareTrees(t *testing.T, p rules.Position, g *naiveGame, depth int, nodes *int) {
	*nodes++
	winner := g.winner()
	if outcome := p.Outcome(); outcome.Over() != (winner >= 0) || outcome.Over() && int(outcome.Winner) != winner ||
		p.String() != g.String() {
		t.Fatalf("%v has outcome %+v, naively %v has winner %d", p, outcome, g, winner)
	}
	if g.ply == depth {
		return
	}
	var moves []string
	for _, m := range p.Legal() {
		moves = append(moves, m.String())
	}
	var naive []string
	g.each(func(move string) {
		naive = append(naive, move)
		m, err := p.Variant().ParseMove(move)
		if err != nil {
			t.Fatal(err)
		}
		next, err := p.Play(m)
		if err != nil {
			t.Fatalf("after %v: %v", p, err)
		}
		compareTrees(t, next, g, depth, nodes)
	})
	if !slices.Equal(moves, naive) {
		t.Fatalf("after %v the moves are %v, naively %v", p, moves, naive)
	}
}
