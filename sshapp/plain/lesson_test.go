package plain

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

func TestLearn(t *testing.T) {
	onMonday(t, func(b *harness) {
		kept := b.store.Progress()
		p := b.open(Config{Player: ann(), Progress: kept, Start: start.Start{At: start.Learn}})
		p.hears("Lesson 1 of 6: the rule and safe cells, new.", "Lesson 6 of 6: the four lost products, new.",
			"Type learn and a number.")
		p.asked("learn x", "Type learn and the number of a lesson, such as learn 1.")
		p.asked("learn 7", "There is no such lesson: want 1 to 6.")
		p.asked("back", "There is no step to go back to.")
		p.asksFor("learn 2", "Lesson 2 of 6: one board: the centre, then a knight's move. Type a move,",
			"1 of 7. On one empty board, only the centre wins. Take it.", "Board A is empty.")
		p.asksFor("1", "Wrong. A1 lets your opponent win with A9. Try again.")
		p.asksFor("5", "Right. A5 wins: each safe cell of A has an answer.",
			"1 of 7. Answer a knight's move away", "Your opponent played A")
		p.asksFor("back", "1 of 7. On one empty board", "Board A is empty.")
		x, err := client.Exercises{Player: ann(), Progress: kept, Now: b.manager.Now}.Lesson(b.Context(), 2)
		testkit.OK(b, err)
		for x.Step() == 0 { // types a right move until the step is done
			q, _ := x.Question()
			m := strategy.Analyse(q.Position).WinningMoves()[0]
			p.types(m.String())
			f, err := x.Answer(b.Context(), m)
			testkit.OK(b, err)
			x.Take(f)
			x.Next()
		}
		p.hears("2 of 7.")
		p.types("leave", "learn")
		p.hears("Lesson 2 of 6: one board: the centre, then a knight's move, 1 of 7 steps.")
		p.asksFor("learn 1 test", "Lesson 1 of 6: the rule and safe cells, test.",
			"1 of 3. Three positions, one try each.")
		p.asked("leave", "You have left.")
	})
}

func TestTry(t *testing.T) {
	onMonday(t, func(b *harness) {
		kept := b.store.Progress()
		b.open(Config{Player: guy(), Progress: kept}).hears("New here? Type try")
		p := b.open(Config{Player: ann(), Progress: kept})
		p.hears("New here? Type try: the game in one minute.")
		p.asksFor("try", "You both place X. Put one anywhere: type 1 to 9. 7, 8 and 9 are the top row.",
			"Board A is empty.")
		p.asksFor("5", "novice, the computer, answered. X is the only sign: there is no O.", "Board A: X at ")
		p.asksFor("5", "That cell is taken")
		p.asksFor("", "novice, the computer, answered.")
		p.finishVisit("Now with two boards? Type try, or leave.")
		p.asksFor("5", "Type try for the match on two boards, or leave.")
		p.asksFor("rematch", "novice played ", "Your turn: type a letter for the board, then a digit.", "Board B")
		p.finishVisit("You know the rule. learn shows how to win; daily is new every day.")
		again := b.open(Config{Player: ann(), Progress: kept})
		again.types("try", "leave")
		if said := again.out.Take(); strings.Contains(said, "New here?") ||
			!strings.Contains(said, "Type try to see it again.") {
			t.Errorf("%s", said)
		}
	})
}

// finishVisit types all moves until a text is said.
func (p *person) finishVisit(end string) {
	p.Helper()
	for _, board := range "ab" {
		for _, cell := range "123456789" {
			if p.types(string(board) + string(cell)); strings.Contains(p.out.String(), end) {
				p.skips()
				return
			}
		}
	}
	p.Errorf("%q is missing in\n%s", end, p.out.Take())
}
