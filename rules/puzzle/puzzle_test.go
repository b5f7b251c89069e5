package puzzle_test

import (
	"errors"
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

// kinds groups moves of p by the board before the move, with "*" in the cell of the move, up to symmetry.
func kinds(p rules.Position, moves []rules.Move) map[string]int {
	all := map[string]int{}
	for _, m := range moves {
		board := []byte(strings.Split(p.String(), "/")[m.Board])
		board[strings.Index("789456123", m.Cell.String())] = '*'
		var images []string
		for range 4 {
			turned, mirrored := make([]byte, 9), make([]byte, 9)
			for i := range 9 {
				turned[i] = board[6-3*(i%3)+i/3]
				mirrored[i/3*3+2-i%3] = turned[i]
			}
			board, images = turned, append(images, string(turned), string(mirrored))
		}
		all[slices.Min(images)]++
	}
	return all
}

// liveShapes returns the 46 live boards up to symmetry.
func liveShapes() (all []string) {
	seen := map[rules.Shape]bool{}
	for pattern := range 512 {
		text := []byte(".........")
		for i := range text {
			text[i] = ".X"[pattern>>i&1]
		}
		p, err := rules.ParsePosition(string(text))
		if err == nil && !p.IsDead(0) && !seen[p.Shape()] {
			seen[p.Shape()] = true
			all = append(all, string(text))
		}
	}
	return all
}

// The test takes all positions of three live boards. An earlier program counted 3,724 with one winning move.
func TestAPuzzleHasOneKindOfWinningMoveAndAPlausibleMistake(t *testing.T) {
	positions, oneMove, oneKind, puzzles := 0, 0, 0, 0
	boards := liveShapes()
	for i, a := range boards {
		for j, b := range boards[i:] {
			for _, c := range boards[i+j:] {
				p := parse(t, a+"/"+b+"/"+c)
				winning := strategy.Analyse(p).WinningMoves()
				isWinning := func(m rules.Move) bool { return slices.Contains(winning, m) }
				isOneKind := len(kinds(p, winning)) == 1
				want := isOneKind && !isWinning(strategy.Student.Choose(p, nil)) &&
					slices.ContainsFunc(p.LegalMoves(), func(m rules.Move) bool { return !p.Kills(m) && !isWinning(m) })
				if _, err := puzzle.New(p); (err == nil) != want || err != nil && !errors.Is(err, puzzle.ErrNotPuzzle) {
					t.Fatalf("%v, won by %v: %v", p, winning, err)
				}
				positions++
				if len(winning) == 1 {
					oneMove++
				}
				if isOneKind {
					oneKind++
				}
				if want {
					puzzles++
				}
			}
		}
	}
	if positions != 17296 || oneMove != 3724 || oneKind != 4182 || puzzles < oneKind*3/4 {
		t.Errorf("%d positions, %d with one winning move, %d with one kind of them, %d puzzles", positions, oneMove,
			oneKind, puzzles)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, p := range map[string]rules.Position{
		"the zero position": {},
		"tic-tac-toe":       rules.TicTacToe().Start(),
		"a finished game":   parse(t, "XXX......"),
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

// FuzzCheck judges moves in any position. Slips of matches have any number of kinds of winning moves, also in
// tic-tac-toe.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		".........", "XX..X..../.........", "XXX....../X........", "XX......./X......../....X....", "OO.XX....",
		"........./.........",
	} {
		for cell := range uint8(11) {
			f.Add(text, uint8(1), cell)
			f.Add(text, uint8(0), cell)
		}
	}
	f.Fuzz(func(t *testing.T, text string, board, cell uint8) {
		p, err := rules.ParsePosition(text)
		if err != nil {
			return
		}
		m := rules.Move{Board: board, Cell: rules.Cell(cell)}
		a, err := puzzle.Check(p, m)
		winning := strategy.Analyse(p).WinningMoves()
		switch illegal := p.Check(m); {
		case illegal != nil:
			if err == nil || err.Error() != illegal.Error() {
				t.Errorf("%v in %v: %v, want %v", m, p, err, illegal)
			}
		case len(winning) == 0:
			testkit.ErrorIs(t, err, puzzle.ErrNotWon)
		case err != nil, a.IsRight() != slices.Contains(winning, m), !slices.Equal(a.Review.Best, winning),
			a.Review.Move != m, a.Review.PositionBefore != p, a.Clearest.PositionBefore != p,
			!slices.Contains(winning, a.Clearest.Move):
			t.Errorf("%v in %v: %+v, %v", m, p, a, err)
		}
		if got, err := puzzle.New(p); (got.Difficulty() > 0) != (err == nil) || got.Difficulty() > 833 {
			t.Errorf("%v has the difficulty %d, %v", p, got.Difficulty(), err)
		}
	})
}
