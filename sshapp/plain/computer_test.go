package plain

import (
	"math/rand/v2"
	"testing"
	"time"

	"notakto/internal/testkit"
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
	})
}

func TestTheNextLevelIsNamedAfterAWin(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, rng := b.against(strategy.Novice, boards(t, 1)), rand.New(rand.NewPCG(1, 2))
		id := b.manager.PlayerMatches(ann().ID)[0]
		watching, err := b.manager.Watch(b.Context(), id, bob().ID)
		testkit.OK(t, err)
		defer watching.Close()
		for {
			at := <-watching.Snapshots()
			if at.IsOver() {
				break
			}
			if at.Turn() == rules.First {
				a.types(strategy.Perfect.Choose(at.Position, rng).Cell.String())
			}
			pass(time.Second)
		}
		a.receives("Type computer learner for the next level, or rematch, review or leave.")
		a.asked("computer learner 1 second",
			"1 board, against the computer, level learner. You move second. The computer's turn.")
	})
}

// To resign a won position is the last slip. The review names no slip before it as the last.
func TestResigningAWonPosition(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.against(strategy.Perfect, boards(t, 1))
		a.types("5")
		pass(time.Second)
		a.types("resign")
		a.skips().asked("yes", "You resigned. You lost. Type rematch, review or leave.")
		a.asked("review", "2 moves. You resigned while winning. You lost.",
			"Winning with perfect play, after every move: you.",
			"Type review all to hear every move, or review, theory or playon and a move's number.")
	})
}

// The words may come in any order. Older levels are accepted too. The session remembers the level.
func TestComputerIsChosen(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		for _, c := range [][2]string{
			{"computer first", "3 boards, against the computer, level novice. You move first. Your turn."},
			{"computer sharp 3 first", "3 boards, against the computer, level sharp. You move first. Your turn."},
			{"computer random 1 first", "1 board, against the computer, level random. You move first. Your turn."},
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

// The command matches used to give the computer two different names.
func TestTheLastMatchNamesTheComputer(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.against(strategy.Perfect, boards(t, 1))
		a.types("5")
		pass(time.Second)
		a.types("4")
		pass(time.Second)
		a.asked("matches", "The last match to end: the computer beat ann on 1 board.",
			"There is no match to watch now. Type watch to follow a demonstration.")
	})
}

func TestTicTacToe(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.against(strategy.Perfect, rules.TicTacToe())
		a.asked("5", "You at 5. The computer's turn.")
		pass(time.Second)
		a.expects("The computer at 7. Your turn.")
		a.asked("boards", "The board: O at 5; X at 7; free 1 2 3 4 6 8 9.", "Your turn.")
		a.asked("2", "You at 2. The computer's turn.")
		pass(time.Second)
		a.expects("The computer at 8. Your turn.")
		a.types("4")
		pass(time.Second)
		a.expects("You at 4. The computer's turn.",
			"The computer at 9. The computer made three in a row. You lost. Type rematch, review or leave.")
		a.asked("boards", "The board: O at 2, 4 and 5; X at 7, 8 and 9; three in a row at 7, 8 and 9.")
	})
}
