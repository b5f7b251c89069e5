package tui

import (
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

func (b *harness) daily() *person {
	p := b.comeTo(keyed("ann"), start.Start{At: start.Daily})
	p.exercise().result.Streak = progress.Streak{Days: 12, HasFreeze: true}
	return p
}

// answered returns a player of the daily puzzles after some answers, at the last answer or, with next, behind it.
func (b *harness) answered(next bool, answers ...bool) *person {
	p := b.daily()
	for i, right := range answers {
		if p.answer(right); next || i < len(answers)-1 {
			p.press("enter")
		}
	}
	return p
}

func (p *person) exercise() *exerciseScreen {
	p.Helper()
	x, ok := p.screen.(*exerciseScreen)
	if !ok {
		p.Fatalf("no exercise:\n%s", p.sees())
	}
	return x
}

func (x *exerciseScreen) position() rules.Position {
	q, _ := x.exercise.Question()
	return q.Position
}

// answerTo returns an answer to a question, right or wrong, if possible one that kills no board.
func answerTo(q rules.Position, right bool) (found rules.Move) {
	for _, m := range q.LegalMoves() {
		a, err := puzzle.Check(q, m)
		if err == nil && a.IsRight() == right && (found.Cell == 0 || q.Kills(found)) {
			found = m
		}
	}
	return found
}

// answer presses the keys of an answer to the current question.
func (p *person) answer(right bool) {
	p.Helper()
	p.advance(time.Second) // the same key could be held down
	p.playMove(answerTo(p.exercise().position(), right))
}

// playMove presses the keys of a move in the current question.
func (p *person) playMove(m rules.Move) {
	if p.exercise().position().Variant().Boards() > 1 {
		p.press(rules.BoardName(int(m.Board)))
	}
	p.press(m.Cell.String())
}

// rush returns a player in a run after some answers. Its positions are always the same.
func (b *harness) rush(answers ...bool) *person {
	cryptotest.SetGlobalRandom(b.T, 1)
	p := b.comeTo(keyed("ann"), start.Start{At: start.Rush})
	b.advance(40 * time.Second)
	for _, right := range answers {
		p.answer(right)
	}
	return p
}

// slip returns a player who is asked for the first of two slips.
func (b *harness) slip(variant string, moves ...string) *person {
	kept := testkit.OpenStore(b.T, b.TempDir())
	b.Cleanup(func() { _ = kept.Close() })
	b.manager.Close()
	b.store = kept
	b.start(manager.Config{Journal: kept})
	first, second := b.pair(variant)
	b.play(first, second, moves...)
	[2]*person{first, second}[len(moves)%2].press("r y")
	players := [2]match.Player{first.env.player, second.env.player}
	b.end()
	<-time.After(25 * time.Hour)
	b.start(manager.Config{Journal: kept})
	p := b.comeTo(players[0], start.Start{At: start.Slips})
	if _, isAsked := p.screen.(*exerciseScreen); !isAsked {
		p = b.comeTo(players[1], start.Start{At: start.Slips})
	}
	p.exercise()
	return p
}

func TestTheDailyIsRecorded(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		p := b.come(keyed("ann"))
		p.mustSee("Daily 149 is new")
		p.press("d")
		p.answer(true)
		p.mustSee("✓ ", " wins", "Enter next")
		p.press("5 enter") // the question is answered
		p.mustSee("2 of 3", "✓ ▪ ·")
		p.press("esc")
		p.mustSee("Daily 149 has 2 puzzles left")
		p.press("d")
		p.mustSee("2 of 3", "✓ ▪ ·")
		p.answer(false)
		p.press("enter")
		p.answer(true)
		p.press("enter")
		p.mustSee("You solved 2 of 3.", "T ✗", "Streak 1. Tomorrow's puzzles in 1", "l lesson 6 explains it")
		p.press("2")
		p.mustSee("2 of 3", "✗ ", "Enter back")
		p.press("enter s")
		testkit.Contains(t, p.QuitText(), "Notakto daily 149  ✓✗✓", "ann  daily 149 ✓✗✓  streak 1")
		p.press("esc")
		p.mustNotSee("Daily 149")
		again := b.comeTo(keyed("ann"), start.Start{At: start.Daily})
		again.mustSee("You solved 2 of 3.")
		b.comeTo(keyed("bob"), start.Start{At: start.Daily, Day: 148}).mustSee("daily 148 · Wednesday")
		again.press("1s l")
		again.mustSee("lesson 6 of 6")
	})
}

// The answer was recorded and yet dropped.
func TestAnAnswerOutlastsAnotherFailure(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		p := b.daily()
		p.press("left") // keys count from the first one on
		x := p.exercise()
		answered := x.place(answerTo(x.position(), true))
		p.send(failedMsg{nil, match.ErrTooMany})
		if !x.pending {
			t.Error("the failure of another request ends the wait for the answer")
		}
		p.run(answered)
		p.rest()
		if x.pending || !x.exercise.IsAnswered() {
			t.Errorf("the answer is lost:\n%s", p.sees())
		}
	})
}

func TestARushNeedsNoPause(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		b.moving = true
		p := b.come(keyed("ann"))
		p.press("u")
		p.mustSee("Notakto · rush", "3:00   ···   0 solved")
		p.answer(true)
		p.mustSee("1 solved", "1  ")
		<-time.After(140 * time.Millisecond)
		b.rest()
		p.mustSee("2  ")
		for range client.RushErrors {
			p.answer(false)
			b.advance(time.Second)
		}
		p.mustSee("1 puzzle solved.", "Best today 1, ever 1.", "Best of the day:  ann 1", "Enter again")
		p.press("3")
		p.mustSee("✗ ")
		p.press("esc enter")
		p.mustSee("···   0 solved   best today 1, ever 1")
		for range 2 {
			p.answer(true)
			b.advance(time.Second)
		}
		p.press("esc u") // a run that is left is recorded
		p.mustSee("0 solved   best today 2, ever 2")
		b.advance(client.RushTime - 2*time.Second)
		p.mustSee("0:0")
		b.advance(3 * time.Second)
		p.mustSee("0 puzzles solved.", "Best today 2, ever 2.")
	})
}

func TestSlipsComeBack(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.slip("notakto/1", "A1", "A5", "A9") // the first move gives the win away
		p.press("esc")
		p.mustSee("2 of your slips wait", "f fix")
		p.press("f")
		p.mustSee("your slips", "From your match against ", "You played", "and could have won.", "n skip")
		p.answer(true)
		p.mustSee("Comes back in 3 days.")
		p.press("enter")
		p.mustSee("2 of 2")
		p.press("n")
		p.mustSee("You solved 1 of 2.", "1 of your slips waits", "Enter lobby")
		p.press("enter")
		p.mustSee("1 of your slips waits")
	})
}

func TestALobbyThatIsOpenAtMidnight(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		p := b.come(guest("eve"))
		p.press("d")
		for range puzzle.PerDay {
			p.answer(true)
			p.press("enter")
		}
		p.mustSee("You solved 3 of 3.", "Nothing is kept for a guest.")
		p.mustNotSee("explains")
		q := b.come(keyed("bob"))
		q.mustSee("Daily 149 is new")
		<-time.After(12 * time.Hour)
		b.advance(pollInterval)
		q.mustSee("Daily 150 is new")
		p.mustSee("Enter today's puzzles")
		p.press("enter")
		p.mustSee("daily 150 · Friday", "1 of 3")
		p.press("esc f")
		p.mustSee("None of your slips waits today: ")
	})
}

func TestAHeldKeyOpensOneExerciseAndAnswersOnce(t *testing.T) {
	inBubble(t, func(b *harness) {
		var turns atomic.Int32
		p := b.comeAs(Config{Player: keyed("ann"), InTurn: func(do func()) {
			turns.Add(1)
			do()
		}})
		for range 5 {
			p.take(keyPress("u"))
		}
		p.rest()
		p.mustSee("0 solved")
		testkit.Equal(t, turns.Load(), 1, "the rush opened more than once")
		m := answerTo(p.exercise().position(), false)
		p.exercise().cursor.board = int(m.Board)
		b.advance(time.Second)
		for range 10 {
			p.send(keyPress(m.Cell.String()))
			<-time.After(40 * time.Millisecond)
		}
		p.mustSee("✗··")
	})
}
