package tui

import (
	"testing"

	"notakto/rules"
	"notakto/rules/lesson"
	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

func (b *harness) lesson(n int) *person {
	return b.comeTo(keyed("ann"), start.Start{At: start.Learn, Lesson: n})
}

// solve presses the keys of the first move that wins, and goes on.
func (p *person) solve() {
	p.Helper()
	x := p.exercise()
	if p.playMove(strategy.Analyse(x.position()).WinningMoves()[0]); x.answer == nil || !x.answer.Right {
		p.Fatalf("it is not right:\n%s", p.sees())
	}
	p.press("enter")
}

// solveAll solves the rest of a lesson.
func (p *person) solveAll() *person {
	for x := p.exercise(); !x.isAtEnd(); {
		p.solve()
	}
	return p
}

func TestLessonOnTheScreen(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func()) {
		p := b.comeTo(keyed("ann"), start.Start{At: start.Learn})
		p.mustSee("▸ 1 The rule and safe cells", "○○○○○○○", "x I know it")
		p.press("x")
		p.mustSee("1 of 3", "Three positions, one try each.", "Esc leave")
		p.mustNotSee("you return here")
		for range 3 {
			p.solve()
		}
		p.mustSee("You know lesson 1. Next is lesson 2")
		p.press("esc")
		p.mustSee("●●●●●●●", "▸ 2 ")
		p.press("enter")
		p.mustSee("lesson 2 of 6: one board", "1 of 7", "only the centre wins", "Esc leave, you return here")
		p.press("1")
		p.mustSee("✗ A1 lets your opponent win with A9.", "Try again.")
		p.press("5 enter")
		p.mustSee("1 of 7", "Your opponent played A2.", "knight's move")
		p.press("backspace")
		p.mustSee("only the centre wins")
		for x := p.exercise(); x.exercise.Step() == 0; {
			p.solve()
		}
		p.mustSee("2 of 7", "●○○○○○○")
		p.press("esc")
		p.mustSee("How to play", "●○○○○○○")
		restart()
		p = b.lesson(2)
		p.mustSee("2 of 7")
		p.solveAll().mustSee("You solved 3 of 3.", "Lesson 2 is done. Next is lesson 3: even and odd")
		p.press("1s enter")
		p.mustSee("lesson 3 of 6")
	})
}

// finishVisit presses the safe cell that wins, else any cell, until the match of the first visit is over.
func (p *person) finishVisit() *person {
	p.Helper()
	x := p.exercise()
	for range 30 {
		if x.answer != nil {
			return p
		}
		m := x.position().LegalMoves()[0]
		if wins := strategy.Analyse(x.position()).WinningMoves(); len(wins) > 0 {
			m = wins[0]
		}
		p.playMove(m)
	}
	p.Fatal(p.sees())
	return nil
}

func TestFirstVisit(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		p := b.comeAs(Config{Player: keyed("ann"), FirstVisit: true, Renamed: true})
		p.mustSee("You both place X. Put one anywhere: press 1 to 9.")
		p.mustNotSee("You are ann", "Play someone")
		x := p.env.exercises()
		if !x.IsNew(p.env.ctx) {
			b.Error("a lost connection would end the visit")
		}
		p.press("5 5")
		p.mustSee("That cell is taken.")
		p.finishVisit()
		p.mustSee("You win.", "Now with two boards?", "Enter yes")
		p.press("1s enter")
		p.finishVisit()
		p.press("enter")
		p.mustSee("You know the rule. learn (l) shows how to win; daily (d) is new every day.")
		p.mustSee("▸ 2 Play the computer")
		if x.IsNew(p.env.ctx) {
			b.Error("the visit would be shown again")
		}
	})
}

func TestTheVisitsCursorAvoidsALoss(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		for first := range rules.Cell(9) {
			p := b.comeAs(Config{Player: keyed("ann"), FirstVisit: true})
			p.press((first + 1).String())
			for x := p.exercise(); x.answer == nil; p.press("enter") {
				at, isSafe := x.position(), false
				for _, m := range at.LegalMoves() {
					isSafe = isSafe || !at.Kills(m)
				}
				if m := x.cursor.move(); isSafe && at.Kills(m) {
					b.Errorf("%v: the cursor waits on %v", at, m)
				}
			}
		}
	})
}

func TestAGuestFindsTheFirstVisit(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		p := b.come(guest("gail"))
		p.mustSee("▸ y Try it: one minute", "1 Play someone", "q Quit")
		p.press("enter")
		p.mustSee("You both place X.")
		p.press("esc")
		p.mustSee("▸ 2 Play the computer")
		p.mustNotSee("Try it: one minute")
		p.press("5 y")
		p.mustSee("You both place X.")
		p.press("esc 7")
		p.mustSee("Guests keep no history.")
	})
}

func TestEveryLessonFitsIntoTheSmallestWindow(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		for _, l := range lesson.All() {
			p := b.lesson(l.Number)
			for x := p.exercise(); !x.isAtEnd(); {
				for _, size := range [][2]int{{minWidth, minHeight}, {80, 24}} {
					p.resize(size[0], size[1])
					if q, _ := x.exercise.Question(); x.boards(q).IsEmpty() {
						b.Errorf("no room for the boards of lesson %d:\n%s", l.Number, p.sees())
					}
				}
				p.solve()
			}
		}
	})
}
