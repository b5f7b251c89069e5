package strategy

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"notakto/rules"
)

// What is said of a position is true: by the rules alone, not by the theory that found it.
func TestReasonsAreTrue(t *testing.T) {
	rng, seen := rand.New(rand.NewPCG(7, 1)), map[Reason]int{}
	for range 300 {
		v, err := rules.Notakto(1 + rng.IntN(3))
		if err != nil {
			t.Fatal(err)
		}
		for p := v.Start(); !p.Outcome().Over(); {
			if Evaluate(p) == Loss {
				why := WhyLost(p)
				seen[why.Reason]++
				checkReason(t, p, why)
			}
			legal := p.Legal()
			p = after(p, legal[rng.IntN(len(legal))])
		}
	}
	for _, reason := range []Reason{ByTheory, NoSafeCell, Paired, Twins} {
		if seen[reason] == 0 {
			t.Errorf("reason %d was never given", reason)
		}
	}
}

func checkReason(t *testing.T, p rules.Position, why Why) {
	t.Helper()
	for _, m := range p.Legal() {
		next := after(p, m)
		switch why.Reason {
		case NoSafeCell:
			if int(m.Board) != why.Boards[0] || next.Outcome().Winner != p.Turn().Other() {
				t.Fatalf("%v: %v does not lose at once", p, m)
			}
		case Paired:
			if int(m.Board) != why.Boards[0] || !next.Outcome().Over() && !losesToSomeAnswer(next) {
				t.Fatalf("%v: no answer to %v leaves no safe cell", p, m)
			}
		case Twins:
			if twin := twinOf(int(m.Board), why.Boards); !hasAnswerOn(next, twin) {
				t.Fatalf("%v: no answer to %v on board %d", p, m, twin)
			}
		case ByTheory, IsOver:
		}
	}
}

// twinOf is the board that stands beside another in the pairs.
func twinOf(board int, pairs []int) int { return pairs[slices.Index(pairs, board)^1] }

// hasAnswerOn reports whether a move on a board wins.
func hasAnswerOn(p rules.Position, board int) bool {
	return slices.ContainsFunc(p.Legal(), func(m rules.Move) bool {
		return int(m.Board) == board && Evaluate(after(p, m)) == Loss
	})
}

// Boards that are alike in pairs are answered on the twin: any two patterns, each with itself turned and mirrored.
func TestTwins(t *testing.T) {
	rng, live := rand.New(rand.NewPCG(3, 9)), notakto().live
	for first := range pattern(patterns) {
		second := pattern(rng.IntN(patterns))
		if !live[first] || !live[second] {
			continue
		}
		for _, boards := range [][]pattern{
			{first, images(first)[rng.IntN(8)]},
			{first, second, images(second)[rng.IntN(8)], images(first)[rng.IntN(8)]},
		} {
			p := positionOf(t, boards)
			if Evaluate(p) == Loss {
				checkReason(t, p, WhyLost(p))
			}
		}
	}
}

func positionOf(t *testing.T, boards []pattern) rules.Position {
	t.Helper()
	var text []string
	for _, crosses := range boards {
		board := make([]byte, 9)
		for i := range board {
			board[i] = "X."[1-crosses>>i&1]
		}
		text = append(text, string(board))
	}
	p, err := rules.ParsePosition(strings.Join(text, "/"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The product tells who wins, and that of one board is its value.
func TestWorth(t *testing.T) {
	live := notakto().live
	for crosses := range pattern(patterns) {
		if !live[crosses] {
			continue
		}
		p := positionOf(t, []pattern{crosses, 0})
		w := WorthOf(p)
		if isLost := slices.Contains([]string{"a", "bb", "bc", "cc"}, w.Product); isLost != (Evaluate(p) == Loss) {
			t.Errorf("%v is worth %v", p, w)
		}
		if one := WorthOf(positionOf(t, []pattern{crosses})); one.Product != one.Boards[0] || one.Product != w.Boards[0] {
			t.Errorf("%v alone is worth %v, beside another %v", p, one, w)
		}
	}
	if w := WorthOf(positionOf(t, []pattern{0o007, 0, 0o020})); !slices.Equal(w.Boards, []string{"1", "c", "cc"}) ||
		w.Product != "acc" {
		t.Errorf("a dead board, an empty one and one with its centre: %v", w)
	}
	if w := WorthOf(rules.TicTacToe().Start()); w.Product != "" {
		t.Errorf("tic-tac-toe is worth %v", w)
	}
}

// losesToSomeAnswer reports whether the side to move has an answer after which every move ends the game.
func losesToSomeAnswer(p rules.Position) bool {
	for _, m := range p.Legal() {
		next, all := after(p, m), true
		if next.Outcome().Over() {
			continue
		}
		for _, last := range next.Legal() {
			all = all && after(next, last).Outcome().Winner == next.Turn().Other()
		}
		if all {
			return true
		}
	}
	return false
}

// After a slip the opponent has the move that is named, and it wins.
func TestRefutationsWin(t *testing.T) {
	rng, refuted := rand.New(rand.NewPCG(5, 2)), 0
	for range 100 {
		var moves []rules.Move
		for p := rules.DefaultVariant().Start(); !p.Outcome().Over(); {
			m := Random.Choose(p, rng)
			moves, p = append(moves, m), after(p, m)
		}
		for _, r := range Review(rules.DefaultVariant().Start(), moves) {
			m, ok := r.Refutation()
			if want := r.After == Loss && !r.Position.Outcome().Over(); ok != want {
				t.Fatalf("%v after %v: a refutation %v, want %v", r.Previous, r.Move, ok, want)
			}
			if ok {
				refuted++
				if Evaluate(after(r.Position, m)) != Loss {
					t.Fatalf("%v: %v does not win", r.Position, m)
				}
			}
		}
	}
	if refuted == 0 {
		t.Error("no slip was refuted")
	}
}

// What is said of a situation is true of every position in it.
func TestSituations(t *testing.T) {
	empty, dead := pattern(0), pattern(0o007)
	for boards := 1; boards < rules.MaxBoards; boards++ {
		p := positionOf(t, append(slices.Repeat([]pattern{empty}, boards), dead))
		if wins := boards%2 == 1; wins != (Evaluate(p) == Win) {
			t.Errorf("%d empty boards: %v", boards, Evaluate(p))
		}
		if situation := SituationOf(p); situation != EmptyBoards && boards > 1 || situation != OneEmptyBoard && boards == 1 {
			t.Errorf("%d empty boards: situation %d", boards, situation)
		}
	}
	if best := Analyse(positionOf(t, []pattern{dead, empty})).Winning(); !slices.Equal(best,
		[]rules.Move{{Board: 1, Cell: 5}}) {
		t.Errorf("on one empty board %v wins", best)
	}
	for _, p := range []rules.Position{
		positionOf(t, []pattern{dead}), positionOf(t, []pattern{empty, bit(1)}), rules.TicTacToe().Start(),
	} {
		if SituationOf(p) != AnySituation {
			t.Errorf("%v: situation %d", p, SituationOf(p))
		}
	}
}
