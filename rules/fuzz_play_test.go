package rules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"notakto/rules"
)

// FuzzPlay plays a whole game whose moves the fuzzer chooses, and checks at every ply what must hold in any game.
func FuzzPlay(f *testing.F) {
	for variant := range uint8(10) {
		f.Add(variant, []byte{})
		f.Add(variant, []byte{4, 0, 255, 17, 3, 80, 9})
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

func TestRandomGamesKeepTheRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, v := range variants(t) {
		for range 50 {
			playOut(t, v, func(_, n int) int { return rng.IntN(n) })
		}
	}
}

func playOut(t *testing.T, v rules.Variant, choose func(ply, n int) int) {
	t.Helper()
	game := rules.Game{Variant: v, Position: v.Start()}
	for ply := 0; !game.Position.Outcome().Over(); ply++ {
		p := game.Position
		checkTurn(t, p, ply)
		legal := p.Legal()
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

// checkLegality holds every move there could be, and some there could not, against the list.
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
		if before.Dead(board) && (!after.Dead(board) || after.Crosses(board) != before.Crosses(board)) {
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
	if alive := after.Alive(); alive > before.Alive() || alive < before.Alive()-1 {
		t.Fatalf("%v left %d of %d boards alive", m, alive, before.Alive())
	}
}

func checkEnd(t *testing.T, game rules.Game) {
	t.Helper()
	p, last := game.Position, rules.First
	if len(game.Moves)%2 == 0 {
		last = rules.Second
	}
	want := rules.Outcome{Winner: last.Other(), Reason: rules.Boards}
	if game.Variant.IsTicTacToe() {
		want = rules.Outcome{Winner: last, Reason: rules.Line}
		if !p.Dead(0) {
			want = rules.Outcome{Reason: rules.Draw}
		}
	}
	if p.Outcome() != want || p.Legal() != nil || len(game.Moves) > 9*game.Variant.Boards() {
		t.Fatalf("%v ended with %+v, want %+v", game, p.Outcome(), want)
	}
	again, err := rules.ParseGame(game.String())
	if err != nil || again.Position != p || !slices.Equal(again.Moves, game.Moves) {
		t.Fatalf("%v is read back as %v, %v", game, again, err)
	}
}
