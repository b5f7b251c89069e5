package strategy_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

func checkMove(t *testing.T, level strategy.Level, p rules.Position, want string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(23, 24))
	if got := p.Variant().FormatMove(level.Choose(p, rng)); got != want {
		t.Errorf("%v: %v plays %s, want %s", p, level, got, want)
	}
}

// The six pictures of the seed program's description, section 4.7.
func TestStudentPlaysAsTheSeedShows(t *testing.T) {
	for text, want := range map[string]string{
		"........./......X..": "A1",
		"X...X.X../.XX......": "B7",
		"......X.X/XXX......": "A4",
		".XXX.XXX./......XXX": "A3",
		"X..X..XX./.XX.....X": "B5",
		"...X..XXX/.XXXX...X": "B7",
	} {
		checkMove(t, strategy.Student, parse(t, text), want)
	}
}

func TestStudentOnOtherNumbersOfBoards(t *testing.T) {
	for text, want := range map[string]string{
		".........":                               "A1",
		"......XX.":                               "A4", // the last board alive is not killed
		"XX.XX....":                               "A1", // unless nothing else is left
		"........./........./.........":           "C9",
		"X......../X......../.........":           "C9",
		"........./X......../X........":           "A1",
		"X......../........./X........":           "B9",
		"X......../........./.........":           "C9",
		"XX......./X......../X........":           "C9",
		"......XX./XXX....../XX.XX....":           "A3", // not the last board: it may be killed
		"XXX....../........./XX.......":           "B9",
		"XXX....../XXX....../XX.......":           "C6",
		"XXX....../.XX....../XXX......":           "B6",
		"XXX....../XXX....../XXX....../XX......X": "D6",
	} {
		checkMove(t, strategy.Student, parse(t, text), want)
	}
}

func TestStudentInTicTacToe(t *testing.T) {
	checkMove(t, strategy.Student, rules.TicTacToe().Start(), "1")
	checkMove(t, strategy.Student, after(t, "tictactoe: 1 2 5"), "3")
}

// seedStudent returns the seed's rule for two boards once more, on the notation's characters.
func seedStudent(first, second string) string {
	number := func(digit byte) int { return strings.IndexByte("789456123", digit) } // the cell's index in the notation
	kills := func(board string, digit byte) bool {
		i := number(digit)
		return deadOnPaper(board[:i] + "X" + board[i+1:])
	}
	choose := func(name, board, digits string, careful bool) string {
		free := ""
		for i := range digits {
			if board[number(digits[i])] == '.' {
				free += digits[i : i+1]
			}
		}
		for i := range free {
			if !careful || !kills(board, free[i]) {
				return name + free[i:i+1]
			}
		}
		return name + free[:1]
	}
	bothAlive := !deadOnPaper(first) && !deadOnPaper(second)
	if deadOnPaper(second) || bothAlive && strings.Count(first, "X") < strings.Count(second, "X") {
		return choose("A", first, "123456789", !bothAlive)
	}
	return choose("B", second, "987654321", !bothAlive)
}

func TestStudentOnTwoBoardsIsExactlyTheSeed(t *testing.T) {
	var boards []string
	for pattern := range 512 {
		text := []byte(".........")
		for i := range text {
			if pattern>>i&1 == 1 {
				text[i] = 'X'
			}
		}
		if _, err := rules.ParsePosition(string(text)); err == nil {
			boards = append(boards, string(text))
		}
	}
	for _, first := range boards {
		for _, second := range boards {
			p := parse(t, first+"/"+second)
			if p.Outcome().Over() {
				continue
			}
			if got, want := strategy.Student.Choose(p, nil).String(), seedStudent(first, second); got != want {
				t.Fatalf("%v: the student plays %s, the seed %s", p, got, want)
			}
		}
	}
}
