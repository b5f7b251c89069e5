package puzzle_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
)

func parse(tb testing.TB, text string) rules.Position {
	tb.Helper()
	p, err := rules.ParsePosition(text)
	testkit.OK(tb, err)
	return p
}

// The number of positions with one winning move, 3,724, is that of an earlier, independent count.
func TestNewAgreesWithTheSolver(t *testing.T) {
	s := newSolver()
	positions, oneMove, oneKind, puzzles := 0, 0, 0, 0
	boards := liveShapes()
	for i, a := range boards {
		for j, b := range boards[i:] {
			for _, c := range boards[i+j:] {
				p := parse(t, a+"/"+b+"/"+c)
				solution := s.solution(p)
				_, err := puzzle.New(p)
				want := s.isWon(strings.Split(p.String(), "/")) && len(solution) == 1 && hasPlausibleMistake(s, p)
				if (err == nil) != want || err != nil && !errors.Is(err, puzzle.ErrNotPuzzle) {
					t.Fatalf("%v with the solution %v: %v", p, solution, err)
				}
				positions++
				for _, moves := range solution {
					if len(solution) == 1 && len(moves) == 1 {
						oneMove++
					}
				}
				if len(solution) == 1 {
					oneKind++
				}
				if err == nil {
					puzzles++
				}
			}
		}
	}
	if positions != 17296 || oneMove != 3724 || oneKind != 4182 {
		t.Errorf("%d positions, %d with one winning move, %d with one kind of them", positions, oneMove, oneKind)
	}
	if puzzles < oneKind*3/4 {
		t.Errorf("%d puzzles", puzzles)
	}
}

// liveShapes returns the 46 live boards up to symmetry.
func liveShapes() []string {
	s := newSolver()
	for pattern := range 512 {
		board := ""
		for i := range 9 {
			board += string(".X"[pattern>>i&1])
		}
		s.add(board)
	}
	return s.boards[1:]
}

func hasPlausibleMistake(s *solver, p rules.Position) bool {
	var winning []rules.Move
	for _, moves := range s.solution(p) {
		winning = append(winning, moves...)
	}
	safe := slices.DeleteFunc(p.LegalMoves(), p.Kills)
	return !slices.Contains(winning, strategy.Student.Choose(p, nil)) &&
		slices.ContainsFunc(safe, func(m rules.Move) bool { return !slices.Contains(winning, m) })
}

func TestNewRefuses(t *testing.T) {
	for name, p := range map[string]rules.Position{
		"the zero position":         {},
		"tic-tac-toe":               rules.TicTacToe().Start(),
		"a lost position":           parse(t, "........./........."),
		"a finished game":           parse(t, "XXX......"),
		"several kinds of moves":    parse(t, "........./........./........."),
		"mistakes only kill boards": parse(t, "XX..XX..."),
	} {
		if got, err := puzzle.New(p); !errors.Is(err, puzzle.ErrNotPuzzle) || got != (puzzle.Puzzle{}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Dead boards change neither the solution nor the number of its kinds.
func TestDeadBoards(t *testing.T) {
	p, err := puzzle.New(parse(t, "XXX....../........."))
	testkit.OK(t, err)
	a, err := p.Check(rules.Move{Board: 1, Cell: 5})
	if err != nil || !a.IsRight() || len(a.Review.Best) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestCheckAgreesWithTheSolver(t *testing.T) {
	s := newSolver()
	for n := 1; n <= 60; n++ {
		for _, p := range day(t, n) {
			for board := range uint8(6) {
				for cell := range rules.Cell(11) {
					checkAnswer(t, s, p.Position(), rules.Move{Board: board, Cell: cell})
				}
			}
		}
	}
}

// checkAnswer compares the answer to a won position with the solver.
func checkAnswer(t *testing.T, s *solver, p rules.Position, m rules.Move) {
	t.Helper()
	a, err := puzzle.Check(p, m)
	if illegal := p.Check(m); illegal != nil {
		if err == nil || err.Error() != illegal.Error() {
			t.Errorf("%v in %v: %v, want %v", m, p, err, illegal)
		}
		return
	}
	var winning []rules.Move
	for _, moves := range s.solution(p) {
		winning = append(winning, moves...)
	}
	switch {
	case len(winning) == 0:
		if !errors.Is(err, puzzle.ErrNotWon) {
			t.Errorf("%v in %v, which is lost: %v", m, p, err)
		}
		return
	case err != nil:
		t.Errorf("%v in %v: %v", m, p, err)
		return
	}
	slices.SortFunc(winning, func(m, other rules.Move) int { return strings.Compare(m.String(), other.String()) })
	switch {
	case a.IsRight() != slices.Contains(winning, m):
		t.Errorf("%v in %v: right is %t, and %v win", m, p, a.IsRight(), winning)
	case !slices.Equal(a.Review.Best, winning):
		t.Errorf("%v in %v: best are %v, and %v win", m, p, a.Review.Best, winning)
	case a.Review.Move != m || a.Review.PositionBefore != p || a.Clearest.PositionBefore != p || a.Clearest.IsMistake():
		t.Errorf("%v in %v: %+v", m, p, a)
	case !slices.Contains(winning, a.Clearest.Move) || a.Clearest.Move != a.Review.Clearest():
		t.Errorf("%v in %v: the clearest is %v", m, p, a.Clearest.Move)
	}
}

// Slips are positions with any number of kinds of winning moves, also in tic-tac-toe.
func TestCheckOfOtherPositions(t *testing.T) {
	s := newSolver()
	boards := liveShapes()
	for i, a := range boards {
		for _, b := range boards[i:] {
			p := parse(t, a+"/"+b)
			for _, m := range p.LegalMoves() {
				checkAnswer(t, s, p, m)
			}
		}
	}
	for move, right := range map[rules.Cell]bool{9: true, 6: false} {
		a, err := puzzle.Check(parse(t, "OO.XX...."), rules.Move{Cell: move})
		if err != nil || a.IsRight() != right || a.Clearest.Move.Cell != 9 {
			t.Errorf("%d: %+v, %v", move, a, err)
		}
	}
	_, err := puzzle.Check(rules.TicTacToe().Start(), rules.Move{Cell: 5})
	testkit.ErrorIs(t, err, puzzle.ErrNotWon)
}

func FuzzCheck(f *testing.F) {
	f.Add(".........", uint8(0), uint8(5))
	f.Add("XX..X..../.........", uint8(1), uint8(3))
	f.Add("XXX....../X........", uint8(0), uint8(9))
	f.Add("XX......./X......../....X....", uint8(3), uint8(0))
	f.Fuzz(func(t *testing.T, text string, board, cell uint8) {
		p, err := rules.ParsePosition(text)
		if err != nil || p.Variant().IsTicTacToe() || p.Variant().Boards() > 3 {
			t.Skip()
		}
		s, m := newSolver(), rules.Move{Board: board, Cell: rules.Cell(cell)}
		checkAnswer(t, s, p, m)
		got, err := puzzle.New(p)
		if want := len(s.solution(p)) == 1 && hasPlausibleMistake(s, p); (err == nil) != want {
			t.Fatalf("%v: %v, want a puzzle: %t", p, err, want)
		}
		if d := got.Difficulty(); (d > 0) != (err == nil) || d > 833 {
			t.Errorf("%v has the difficulty %d", p, d)
		}
	})
}

// No way to print a puzzle shows more than its position.
func TestPrintsHideTheSolution(t *testing.T) {
	for n := 1; n <= 20; n++ {
		for _, p := range day(t, n) {
			text := p.Position().String()
			encoded, err := json.Marshal(p)
			if err != nil || string(encoded) != `"`+text+`"` {
				t.Errorf("JSON %s, %v", encoded, err)
			}
			if got := fmt.Sprintf("%v %+v %s", p, p, p); got != text+" "+text+" "+text {
				t.Errorf("%v is printed as %s", text, got)
			}
			if got, want := fmt.Sprintf("%#v", p), fmt.Sprintf("puzzle.Puzzle{position:%#v}", p.Position()); got != want {
				t.Errorf("%v is printed as %s, want %s", text, got, want)
			}
		}
	}
}

// All levels but the perfect one err now and then.
func TestLevelsMissPuzzles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 21; n++ {
		for _, p := range day(t, n) {
			for _, l := range []strategy.Level{strategy.Club, strategy.Novice, strategy.Sharp, strategy.Perfect} {
				missed := 0
				for range 200 {
					if a, err := p.Check(l.Choose(p.Position(), rng)); err != nil || !a.IsRight() {
						missed++
					}
				}
				if missed > 0 != (l != strategy.Perfect) {
					t.Errorf("day %d: %v misses %v in %d of 200 games", n, l, p, missed)
				}
			}
		}
	}
}

// The difficulty follows the weights that doc.go gives.
func TestDifficulty(t *testing.T) {
	for text, want := range map[string]int{
		"XX..X....":           87,  // one move leaves no safe cell: 12. Two lose safely: 4. Three end the game.
		"X..X.....":           282, // one move is Paired: 6. Five lose safely: 10. One ends the game.
		".........":           487, // the centre wins by theory: 3. Eight lose safely: 16.
		"X.XX....X/X.X.....X": 192, // two moves leave Twins: 12. Two lose safely, seven kill: 11.
	} {
		p, err := puzzle.New(parse(t, text))
		testkit.OK(t, err)
		testkit.Equal(t, p.Difficulty(), want, text)
	}
}
