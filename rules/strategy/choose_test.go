package strategy_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// playOut plays a game between two levels to its end and fails on the first illegal move, and on a move of the perfect
// player that gives a win or a draw away.
func playOut(t testing.TB, v rules.Variant, first, second strategy.Level, rng *rand.Rand) rules.Game {
	t.Helper()
	game := rules.Game{Variant: v, Position: v.Start()}
	for !game.Position.Outcome().IsOver() {
		level := first
		if game.Position.Turn() == rules.Second {
			level = second
		}
		m := level.Choose(game.Position, rng)
		next, err := game.Position.Play(m)
		if err != nil {
			t.Fatalf("%v: %v plays %v: %v", game.Position, level, m, err)
		}
		checkPerfect(t, level, game.Position, next)
		game.Position, game.Moves = next, append(game.Moves, m)
	}
	return game
}

func checkPerfect(t testing.TB, level strategy.Level, before, after rules.Position) {
	t.Helper()
	kept := strategy.Win + strategy.Loss - strategy.Evaluate(after)
	if level == strategy.Perfect && kept != strategy.Evaluate(before) {
		t.Fatalf("the perfect player makes %v of %v", after, before)
	}
}

func FuzzChoose(f *testing.F) {
	for variant := range uint8(10) {
		f.Add(variant, uint64(1), []byte{})
		f.Add(variant, uint64(2), []byte{4, 0, 255, 17, 3, 80, 9, 1, 1, 1})
	}
	f.Fuzz(func(t *testing.T, variant uint8, seed uint64, moves []byte) {
		all := variants(t)
		p := all[int(variant)%len(all)].Start()
		for _, choice := range moves {
			if legal := p.LegalMoves(); len(legal) > 0 {
				p = play(t, p, legal[int(choice)%len(legal)])
			}
		}
		for _, level := range strategy.Levels() {
			m := level.Choose(p, rand.New(rand.NewPCG(seed, 0)))
			if err := p.Check(m); (err == nil) == p.Outcome().IsOver() {
				t.Fatalf("%v: %v plays %v: %v", p, level, m, err)
			} else if err == nil {
				checkPerfect(t, level, p, play(t, p, m))
			}
			if again := level.Choose(p, rand.New(rand.NewPCG(seed, 0))); again != m {
				t.Fatalf("%v: %v plays %v, then with the same seed %v", p, level, m, again)
			}
		}
	})
}

// drawn counts the moves of a level in a position.
func drawn(p rules.Position, level strategy.Level, times int) map[rules.Move]int {
	rng, count := rand.New(rand.NewPCG(11, 12)), map[rules.Move]int{}
	for range times {
		count[level.Choose(p, rng)]++
	}
	return count
}

// checkUniform checks that the moves, and no others, are about equally frequent.
func checkUniform(t *testing.T, count map[rules.Move]int, moves []rules.Move) {
	t.Helper()
	total := 0
	for _, n := range count {
		total += n
	}
	chiSquare, expected := 0.0, float64(total)/float64(len(moves))
	for _, m := range moves {
		deviation := float64(count[m]) - expected
		chiSquare += deviation * deviation / expected
	}
	if len(count) != len(moves) || chiSquare > 3*float64(len(moves))+10 {
		t.Errorf("%d moves were drawn, %v (chi square %.1f); want each of %v as often", len(count), count, chiSquare, moves)
	}
}

func TestRandomDrawsFromAllLegalMoves(t *testing.T) {
	for _, p := range []rules.Position{
		notakto(t, 2).Start(), after(t, "tictactoe: 5 1"), after(t, "notakto/3: A7 A8 A9 B5"),
	} {
		checkUniform(t, drawn(p, strategy.Random, 20_000), p.LegalMoves())
	}
}

// equallyGood returns the moves that the perfect player may play in p, found by analysis of every reply.
func equallyGood(t testing.TB, p rules.Position) []rules.Move {
	t.Helper()
	a := strategy.Analyse(p)
	var best []rules.Move
	fewest := math.MaxInt
	for _, verdict := range a.Moves {
		if verdict.Verdict != a.Verdict {
			continue
		}
		next, cost := play(t, p, verdict.Move), 0
		switch {
		case a.Verdict == strategy.Loss && next.Outcome().IsOver():
			cost = math.MaxInt
		case a.Verdict == strategy.Loss:
			cost = len(strategy.Analyse(next).WinningMoves())
		case next.Outcome().Reason == rules.ReasonLine:
			cost = -1
		}
		if cost < fewest {
			best, fewest = nil, cost
		}
		if cost == fewest {
			best = append(best, verdict.Move)
		}
	}
	return best
}

func TestPerfectDrawsFromTheEquallyGoodMoves(t *testing.T) {
	for _, p := range []rules.Position{
		notakto(t, 1).Start(), // won by the centre
		notakto(t, 2).Start(), // lost
		notakto(t, 3).Start(), // won
		notakto(t, 9).Start(),
		rules.TicTacToe().Start(),
		after(t, "notakto/1: 5"),
		after(t, "notakto/3: A5 B1 A1"),
		after(t, "notakto/2: A7 A8 A9 B5"),
		after(t, "tictactoe: 5 2"),
		after(t, "tictactoe: 5 2 7"),
		after(t, "tictactoe: 7 8 4 5"), // completes the column
	} {
		checkUniform(t, drawn(p, strategy.Perfect, 5_000), equallyGood(t, p))
	}
}

func checkMove(t *testing.T, level strategy.Level, p rules.Position, want string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(23, 24))
	if got := p.Variant().FormatMove(level.Choose(p, rng)); got != want {
		t.Errorf("%v: %v plays %s, want %s", p, level, got, want)
	}
}

func TestStudentOnOtherNumbersOfBoards(t *testing.T) {
	for text, want := range map[string]string{
		".........":                     "A1",
		"......XX.":                     "A4", // does not kill the last board alive
		"XX.XX....":                     "A1", // every cell kills
		"........./........./.........": "C9",
		"........./X......../X........": "A1",
		"X......../........./X........": "B9",
		"XX......./X......../X........": "C9",
		"......XX./XXX....../XX.XX....": "A3", // may kill, not the last board
		"XXX....../XXX....../XX.......": "C6",
		"XXX....../.XX....../XXX......": "B6",
	} {
		checkMove(t, strategy.Student, parse(t, text), want)
	}
	checkMove(t, strategy.Student, rules.TicTacToe().Start(), "1")
	checkMove(t, strategy.Student, after(t, "tictactoe: 1 2 5"), "3")
}

// seedStudent is a second implementation of the seed's rule for two boards, on the characters of the notation.
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
			if p.Outcome().IsOver() {
				continue
			}
			if got, want := strategy.Student.Choose(p, nil).String(), seedStudent(first, second); got != want {
				t.Fatalf("%v: the student plays %s, the seed %s", p, got, want)
			}
		}
	}
}

// The one-board program of package classic plays Center against a second implementation of its rule.
func TestCenter(t *testing.T) {
	for game, want := range map[string]string{
		"notakto/3:":                      "A5",
		"notakto/3: A5":                   "A7",
		"notakto/3: A5 A8":                "A1",
		"notakto/2: A1 A2 A3":             "B5",
		"notakto/2: A7 A8 A5 A6 A1":       "B5", // no good cell on A
		"notakto/2: A1 A2 A3 B5 B8 B1 B4": "B3",
		"notakto/3: A7 A8 A9 C1 C2 C3 B5": "B7",
	} {
		checkMove(t, strategy.Center, after(t, game), want)
	}
	p := after(t, "notakto/1: 7 8 5 6 1") // all is bad
	checkUniform(t, drawn(p, strategy.Center, 5_000), p.LegalMoves())
}

func TestAPerfectChoiceDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		start := notakto(t, boards).Start()
		for _, p := range []rules.Position{start, play(t, start, rules.Move{Cell: 5})} {
			if n := testing.AllocsPerRun(100, func() { strategy.Perfect.Choose(p, rng) }); n != 0 {
				t.Errorf("%v: a choice makes %v allocations", p, n)
			}
		}
	}
}
