package strategy_test

import (
	"testing"

	"notakto/rules"
	"notakto/rules/strategy"
)

// fromTopLeft makes a game of moves on one board that are numbered 1 to 9 from the top left, as in the seed.
func fromTopLeft(t *testing.T, v rules.Variant, numbers string) rules.Position {
	t.Helper()
	p := v.Start()
	for _, digit := range numbers {
		n := int(digit - '1')
		p = play(t, p, rules.Move{Cell: p.Variant().CellAt(n/3, n%3)})
	}
	return p
}

// checkNumber checks the move's number, counted from the top left.
func checkNumber(t *testing.T, p rules.Position, want int) {
	t.Helper()
	checkMove(t, strategy.Center, p, p.Variant().FormatMove(rules.Move{Cell: p.Variant().CellAt((want-1)/3, (want-1)%3)}))
}

// The seed's second game against its Notakto rule.
func TestCenterPlaysAsTheSeedShows(t *testing.T) {
	one := notakto(t, 1)
	checkNumber(t, one.Start(), 5)
	checkNumber(t, fromTopLeft(t, one, "52"), 7)
	checkNumber(t, fromTopLeft(t, one, "5274"), 9)
}

func TestCenterOnOneBoard(t *testing.T) {
	one := notakto(t, 1)
	checkNumber(t, fromTopLeft(t, one, "5"), 1)
	checkNumber(t, fromTopLeft(t, one, "1"), 5)
	checkNumber(t, fromTopLeft(t, one, "51"), 6)
	checkNumber(t, fromTopLeft(t, one, "59"), 2)
	checkNumber(t, fromTopLeft(t, one, "54"), 3)
}

// The seed claims that its rule never loses when it moves first. Every line of play against it is tried, with every
// draw that it may make.
func TestCenterMovingFirstNeverLosesOnOneBoard(t *testing.T) {
	neverLoses(t, notakto(t, 1).Start(), 50)
}

func TestCenterMovingFirstNeverLosesTicTacToe(t *testing.T) {
	neverLoses(t, rules.TicTacToe().Start(), 1)
}

func neverLoses(t *testing.T, p rules.Position, draws int) {
	t.Helper()
	if outcome := p.Outcome(); outcome.Over() {
		if outcome.Winner == rules.Second {
			t.Fatalf("centre has lost: %v", p)
		}
		return
	}
	if p.Turn() == rules.Second {
		for _, m := range p.Legal() {
			neverLoses(t, play(t, p, m), draws)
		}
		return
	}
	for m := range drawn(p, strategy.Center, draws) {
		neverLoses(t, play(t, p, m), draws)
	}
}

func TestCenterOnSeveralBoards(t *testing.T) {
	for game, want := range map[string]string{
		"notakto/3:":                      "A5",
		"notakto/3: A5":                   "A7", // 1 from the top left
		"notakto/3: A5 A8":                "A1",
		"notakto/2: A1 A2 A3":             "B5",
		"notakto/2: A7 A8 A5 A6 A1":       "B5", // nothing good on A
		"notakto/2: A1 A2 A3 B5 B8 B1 B4": "B3",
		"notakto/3: A7 A8 A9 C1 C2 C3 B5": "B7",
	} {
		checkMove(t, strategy.Center, after(t, game), want)
	}
}

func TestCenterDrawsWhereAllIsBad(t *testing.T) {
	p := fromTopLeft(t, notakto(t, 1), "12567")
	checkUniform(t, drawn(p, strategy.Center, 5_000), p.Legal())
}

func TestCenterInTicTacToe(t *testing.T) {
	for numbers, want := range map[string]int{
		"":       5,
		"5":      1,
		"1":      5,
		"51":     3,
		"513":    7, // blocks 3 5 7
		"5137":   4, // blocks 1 4 7
		"175":    9, // blocks 1 5 9
		"152":    3, // blocks 1 2 3
		"15234":  7, // completes 3 5 7 rather than block 1 4 7
		"519":    3,
		"5193":   2, // blocks 1 2 3
		"15937":  8, // of two lines to block the row comes first
		"159372": 8, // of two to complete too
		"1524":   3, // completes 1 2 3
		"519328": 7, // no line is open: the first corner that is free
	} {
		checkNumber(t, fromTopLeft(t, rules.TicTacToe(), numbers), want)
	}
}

// The rule depends on which of two marks came last: the same position has two answers.
func TestCenterHeedsTheLastMark(t *testing.T) {
	for game, want := range map[string]string{
		"notakto/1: A6 A5 A8": "A1",
		"notakto/1: A8 A5 A6": "A7",
		"notakto/1: A9 A5 A4": "A3",
		"notakto/1: A4 A5 A9": "A2",
	} {
		g, err := rules.ParseGame(game)
		if err != nil {
			t.Fatal(err)
		}
		if got := strategy.Center.ChooseAfter(g.Moves[len(g.Moves)-1], g.Position, nil); got.String() != want {
			t.Errorf("%s: got %s, want %s", game, got, want)
		}
	}
}
