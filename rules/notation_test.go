package rules_test

import (
	"errors"
	"strings"
	"testing"

	"notakto/rules"
)

func TestPositionNotation(t *testing.T) {
	for _, c := range []struct{ game, text string }{
		{"notakto/1:", "........."},
		{"notakto/2: A7 B3", "X......../........X"},
		{"notakto/3: A7 C5 A9", "X.X....../........./....X...."},
		{"notakto/1: 7 8 9", "XXX......"},
		{"tictactoe: 5", "....O...."},
		{"tictactoe: 5 1 9", "..O.O.X.."},
	} {
		p := position(t, c.game)
		if p.String() != c.text {
			t.Errorf("%s is written %q, want %q", c.game, p, c.text)
		}
		for _, text := range []string{c.text, strings.ToLower(c.text)} {
			if got, err := rules.ParsePosition(text); err != nil || got != p {
				t.Errorf("ParsePosition(%q) = %v, %v", text, got, err)
			}
		}
	}
}

func TestTheStartOfTicTacToeReadsAsNotakto(t *testing.T) {
	got, err := rules.ParsePosition(rules.TicTacToe().Start().String())
	if err != nil || got != notakto(t, 1).Start() {
		t.Errorf("it reads as %v of %v, %v", got, got.Variant(), err)
	}
}

func TestParsePositionRefuses(t *testing.T) {
	const empty = "........."
	for _, c := range []struct{ text, says string }{
		{"", "board A has 0 characters"},
		{"/", "board A has 0 characters"},
		{empty + "/", "board B has 0 characters"},
		{"..........", "board A has 10 characters"},
		{"......é..", "takes X"},
		{"......é.", "8 characters"},
		{"X...Y....", "'Y'"},
		{"........\xff", "takes X"},
		{"XX./......", "3 characters"},
		{empty + "/O........", "'O'"},
		{strings.Repeat(empty+"/", 9) + empty, "1 to 9 boards"},
		{strings.Repeat("/", 1_000_000), "1 to 9 boards"},
		{"XXXXXX...", "after it died"},
		{"........./XXX...XXX", "board B after it died"},
		{"X........", ""}, // on its own a cross is Notakto's
		{"XO.......", ""},
		{"OO.......", "noughts move first"},
		{"OXX......", "noughts move first"},
		{"OOOXX...X", "after noughts had won"},
		{"OOOXXX...", "after noughts had won"},
		{"OOO...XXO", "noughts move first"},
		{"XXXOO..OO", "after crosses had won"},
		{"XXXOO.O..", ""},
		{"OOOXX....", ""},
		{"OXOXOXOXO", ""},
	} {
		p, err := rules.ParsePosition(c.text)
		if c.says == "" {
			if err != nil {
				t.Errorf("ParsePosition(%q): %v", c.text, err)
			}
			continue
		}
		if !errors.Is(err, rules.ErrBadPosition) || !strings.Contains(err.Error(), c.says) || p != (rules.Position{}) {
			t.Errorf("ParsePosition(%.99q) = %v, %v; want ErrBadPosition saying %q", c.text, p, err, c.says)
		}
	}
}

// A board stops at its first line, so among the 512 patterns exactly the reachable ones are valid.
func TestEveryBoardThatPlayComesToIsRead(t *testing.T) {
	reached := map[string]bool{}
	walk(notakto(t, 1).Start(), func(p rules.Position) { reached[p.String()] = true })
	live := 0
	for pattern := range 512 {
		text := boardText(pattern)
		p, err := rules.ParsePosition(text)
		if (err == nil) != reached[text] {
			t.Errorf("ParsePosition(%q) = %v, but reached by play is %v", text, err, reached[text])
		}
		if err == nil && int(p.Crosses(0)) != pattern {
			t.Errorf("ParsePosition(%q) has crosses %o", text, p.Crosses(0))
		}
		if err == nil && !p.Dead(0) {
			live++
		}
	}
	if live != 230 {
		t.Errorf("%d live patterns, theory says 230", live)
	}
}

func TestLivePatternsUpToSymmetry(t *testing.T) {
	classes := map[string]bool{}
	for pattern := range 512 {
		if p, err := rules.ParsePosition(boardText(pattern)); err == nil && !p.Dead(0) {
			classes[canonical(p.String())] = true
		}
	}
	if len(classes) != 46 {
		t.Errorf("%d live patterns up to symmetry, theory says 46", len(classes))
	}
}

// Of the 19,683 ways to fill nine cells, exactly the 5,478 reachable ones are tic-tac-toe, and 765 of them up to
// symmetry; by the number of marks those are the numbers of OEIS A008907.
func TestEveryTicTacToePositionThatPlayComesToIsRead(t *testing.T) {
	reached, classes := map[string]bool{}, [10]map[string]bool{}
	for plies := range classes {
		classes[plies] = map[string]bool{}
	}
	walk(rules.TicTacToe().Start(), func(p rules.Position) {
		reached[p.String()] = true
		classes[p.Plies()][canonical(p.String())] = true
	})
	if len(reached) != 5478 {
		t.Errorf("play comes to %d positions, want 5478", len(reached))
	}
	for plies, want := range []int{1, 3, 12, 38, 108, 174, 204, 153, 57, 15} {
		if got := len(classes[plies]); got != want {
			t.Errorf("%d positions up to symmetry after %d plies, want %d", got, plies, want)
		}
	}
	for code := range 19683 {
		text := []byte(".........")
		for i, rest := 0, code; i < 9; i, rest = i+1, rest/3 {
			text[i] = ".XO"[rest%3]
		}
		if !strings.Contains(string(text), "O") {
			continue // Notakto's
		}
		if p, err := rules.ParsePosition(string(text)); (err == nil) != reached[string(text)] ||
			err == nil && p.String() != string(text) {
			t.Errorf("ParsePosition(%q) = %v, %v, but reached by play is %v", text, p, err, reached[string(text)])
		}
	}
}

// walk visits every position reachable from p, once.
func walk(p rules.Position, visit func(rules.Position)) {
	seen := map[rules.Position]bool{}
	var from func(rules.Position)
	from = func(p rules.Position) {
		if seen[p] {
			return
		}
		seen[p] = true
		visit(p)
		for _, m := range p.Legal() {
			next, err := p.Play(m)
			if err != nil {
				panic(err)
			}
			from(next)
		}
	}
	from(p)
}

// boardText returns the notation of one board with crosses at the set bits, the lowest one top left.
func boardText(pattern int) string {
	text := []byte(".........")
	for i := range text {
		if pattern>>i&1 == 1 {
			text[i] = 'X'
		}
	}
	return string(text)
}

// canonical returns the alphabetically first of the board's eight mirror images and rotations.
func canonical(board string) string {
	first := board
	for range 2 {
		for range 4 {
			turned := make([]byte, 9)
			for i := range 9 {
				turned[i] = board[6-3*(i%3)+i/3]
			}
			board = string(turned)
			first = min(first, board)
		}
		board = board[6:9] + board[3:6] + board[0:3]
	}
	return first
}
