package plain

import (
	"strings"
	"testing"
	"testing/synctest"

	"notakto/internal/testkit"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

func TestLearn(t *testing.T) {
	onDay(t, 146, func(b *harness) {
		kept := b.store.Progress()
		p := b.open(Config{Player: ann(), Progress: kept, Start: start.Start{At: start.Learn}})
		p.hears("Lesson 1 of 6: the rule and safe cells, new.", "Lesson 6 of 6: the four lost products, new.",
			"Type learn and a number.")
		p.asked("learn x", "Type learn and the number of a lesson, such as learn 1.")
		p.asked("learn 7", "There is no such lesson: want 1 to 6.")
		p.asked("back", "There is no step to go back to.")
		p.types("learn 2")
		p.hears("Lesson 2 of 6: one board: the centre, then a knight's move. Type a move,",
			"1 of 7. On one empty board, only the centre wins. Take it.", "Board A is empty.")
		p.types("1")
		p.hears("Wrong. A1 lets your opponent win with A9. Try again.")
		p.types("5")
		p.hears("Right. A5 wins: each safe cell of A has an answer.",
			"1 of 7. Answer a knight's move away", "Your opponent played A")
		p.types("back")
		p.hears("1 of 7. On one empty board", "Board A is empty.")
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
		p.types("learn 1 test")
		p.hears("Lesson 1 of 6: the rule and safe cells, test.",
			"1 of 3. Three positions, one try each.")
		p.types("leave")
		p.hears("You have left.")
		if said := p.out.Take(); strings.Contains(said, "are kept") {
			b.Errorf("%s", said)
		}
	})
}

func TestTry(t *testing.T) {
	onDay(t, 146, func(b *harness) {
		kept := b.store.Progress()
		p := b.open(Config{Player: ann(), Progress: kept, History: b.store.History()})
		p.hears("New here? Type try: the game in one minute.")
		p.types("try")
		p.hears("You both place X. Put one anywhere: type 1 to 9. 7, 8 and 9 are the top row.", "Board A is empty.")
		p.types("5")
		p.hears("novice, the computer, answered. X is the only sign: there is no O.", "Board A: X at ")
		p.types("5")
		p.hears("That cell is taken")
		p.types("")
		p.hears("novice, the computer, answered.")
		p.finishVisit("Now with two boards? Type try, or leave.")
		p.types("5")
		p.hears("Type try for the match on two boards, or leave.")
		broken := b.open(Config{Player: ann(), Progress: kept, History: b.store.History()})
		broken.hears("New here? Type try")
		p.types("rematch")
		p.hears("novice played ", "Your turn: type a letter for the board, then a digit.", "Board B")
		p.finishVisit("You know the rule. learn shows how to win; daily is new every day.")
		again := b.open(Config{Player: ann(), Progress: kept, History: b.store.History()})
		again.types("try", "leave")
		synctest.Wait()
		if said := again.out.Take(); strings.Contains(said, "New here?") ||
			!strings.Contains(said, "Type try to see it again.") {
			b.Errorf("%s", said)
		}
	})
	onDay(t, 146, func(b *harness) {
		b.open(Config{Player: guy(), Progress: b.store.Progress()}).hears("New here? Type try")
	})
}

// finishVisit types all moves until a text is said.
func (p *person) finishVisit(end string) {
	p.Helper()
	for _, board := range "ab" {
		for _, cell := range "123456789" {
			p.types(string(board) + string(cell))
			synctest.Wait()
			if strings.Contains(p.out.String(), end) {
				p.out.Take()
				return
			}
		}
	}
	p.Errorf("%q is missing in\n%s", end, p.out.Take())
}
