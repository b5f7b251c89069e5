package plain

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// This test plays a match from the first move to the review, and a rematch with swapped seats.
func TestComputer(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.against(strategy.Perfect, boards(t, 1))
		a.expects("Notakto, line by line. You are ann. With ssh -t you get the full screen.",
			"1 board, against the computer, level perfect. You move first. Your turn.")
		a.types("5")
		a.expects("Board A: you at 5. The computer's turn.")
		pass(time.Second)
		a.expects("Board A: the computer at 6. Your turn.")
		a.types("a4")
		a.expects("Board A: you at 4. Board A is dead. No board is left. You made three in a row. You lost. Type " +
			"rematch, review or leave.")
		a.types("review")
		a.expects(
			"3 moves. You made three in a row. You lost. Your last slip was move 3, A4. A1 would have won.",
			"Winning with perfect play: you after moves 1 to 2, the computer after move 3.",
			"Move 3, A4 by you. A slip. A1 was one of 2 winning moves: then each safe cell of A has an "+
				"answer. Rule of thumb: on the last board, have an answer ready for every safe move.",
			"Type review all to hear every move, or review, theory or playon and a move's number.",
		)
		a.types("rematch")
		a.expects("The rematch begins.",
			"1 board, against the computer, level perfect. You move second. The computer's turn.")
		pass(time.Second)
		a.expects("Board A: the computer at 5. Your turn.")
		a.types("resign", "yes", "leave")
		a.asked("matches", "The last match to end: the computer beat ann on 1 board.",
			"There is no match to watch now. Type watch to follow a demonstration.")
	})
}

func TestTheNextLevelIsNamedAfterAWin(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.against(strategy.Novice, boards(t, 1))
		for rng := rand.New(rand.NewPCG(1, 2)); len(b.manager.List()) > 0; pass(time.Second) {
			a.types(strategy.Perfect.Choose(b.manager.List()[0].Position, rng).Cell.String())
		}
		a.hears("Type computer learner for the next level, or rematch, review or leave.")
	})
}

// The words may come in any order. Older levels are accepted too. The session remembers the level.
func TestComputerIsChosen(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		for _, c := range [][2]string{
			{"computer first", "3 boards, against the computer, level novice. You move first. Your turn."},
			{"computer first 9 boards student",
				"9 boards, against the computer, level student. You move first. Your turn."},
			{"computer club 1 board second",
				"1 board, against the computer, level club. You move second. The computer's turn."},
			{"COMPUTER  Tictactoe PERFECT first",
				"Tic-tac-toe, against the computer, level perfect. You move first with O. Your turn."},
			{"computer first", "3 boards, against the computer, level perfect. You move first. Your turn."},
		} {
			a.asked(c[0], c[1])
			a.types("resign", "yes", "leave")
		}
		a.asked("levels",
			"novice: slips on 4 moves in 5.", "learner: slips on every second move.",
			"steady: slips on 3 moves in 10.",
			"careful: slips on 1 move in 6.", "sharp: slips on 1 move in 12.", "perfect: never gives a win away.",
			"Each level wins about two games of three against the level before. Older levels are random, student, "+
				"centre, "+
				"club. Type computer and a level. Without a level it is perfect.",
		)
	})
}

func TestTicTacToe(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.meet(match.Terms{Variant: rules.TicTacToe()})
		id := b.manager.List()[0].ID
		c.asksFor("turn", "You play with X.")
		for i, cell := range strings.Split("512873469", "") {
			[]*person{a, c}[i%2].types(cell)
		}
		a.hears("You at 9. The board is full. A draw. Type rematch, review or leave.\n")
		a.asked("boards", "The board: O at 2, 4, 5, 7 and 9; X at 1, 3, 6 and 8; nothing free.")
		a.asked("review 1", "Move 1, 5 by you. Every move draws.")
		b.come(guy()).asksFor("watch "+string(id),
			"ann at 9.\nThe board is full. A draw. Type review to look back, or leave.\n")
		a.types("rematch")
		c.types("rematch")
		for i, cell := range strings.Split("71829", "") {
			[]*person{c, a}[i%2].types(cell)
		}
		a.asked("boards", "The board: O at 7, 8 and 9; X at 1 and 2; three in a row at 7, 8 and 9.")
	})
}
