package plain

import (
	"slices"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

// answer types a move for the open daily puzzle, one that wins or not.
func (p *person) answer(e client.Exercises, right bool) {
	p.Helper()
	x, err := e.Puzzles(p.Context(), 0)
	testkit.OK(p, err)
	q, _ := x.Question()
	winning := strategy.Analyse(q.Position).WinningMoves()
	for _, m := range q.Position.LegalMoves() {
		if slices.Contains(winning, m) == right {
			p.types(m.String())
			return
		}
	}
}

func TestDaily(t *testing.T) {
	onMonday(t, func(b *harness) {
		kept := b.store.Progress()
		e := client.Exercises{Player: ann(), Progress: kept, Now: b.manager.Now}
		p := b.open(Config{Player: ann(), Progress: kept, Host: "example.org"})
		p.hears("Daily 146 is new: type daily.")
		p.asksFor("daily", "Daily 146, Monday.", "1 of 3. One move wins. You have one try.", "Board A: ")
		p.asked("b5", "There is no such board.")
		p.asked("boards z", "There is no such board: the only board is A.")
		p.asksFor("", "1 of 3.", "Board A: ")
		p.asksFor("help", "You can type: a move such as A5, boards, leave, quit.")
		p.skips().answer(e, true)
		p.hears("Right. ", "2 of 3.", "Board B: ")
		p.asked("skip", "Only slips can be skipped. Type leave to stop here.")
		p.asked("leave", "You have left. Your answers are kept.")
		p.asksFor("daily", "2 of 3.")
		p.answer(e, false)
		p.hears("Wrong. ", " wins", "3 of 3.")
		p.answer(e, true)
		p.hears("Right. ", "Daily 146, Monday is over. You solved 2 of 3. Streak 1. Tomorrow's puzzles in 12 hours.",
			"This week: a miss on Monday.", "Notakto daily 146  +x+  ssh -t example.org daily")
		p.asksFor("daily", "Daily 146, Monday is over.")
		p.asked("daily 200", "There is no such daily puzzle: want 1 to 146, today's.")
		p.asked("daily x", "Type daily, or daily and the number of an earlier day, such as daily 1.")
		p.asksFor("daily 1", "Daily 1, Wednesday.", "1 of 3. One move wins.")
	})
}

// The puzzles of a rush are drawn in the session's turn.
func TestRush(t *testing.T) {
	onMonday(t, func(b *harness) {
		turns := 0
		p := b.open(Config{Player: ann(), Progress: b.store.Progress(), Start: start.Start{At: start.Rush},
			InTurn: func(do func()) { turns++; do() }})
		p.hears("Rush. You have 3 minutes, and 3 wrong answers end it.", "1. Board A: ")
		testkit.Equal(t, turns, 1)
		p.asked("1", "Look at the boards first, then answer again.")
		pass(client.RushTime + time.Second)
		p.hears("Rush is over. 0 puzzles solved.")
		p.asked("slips", "None of your slips waits today: a win that you miss in a match comes here a day later.")
		p.types("rush")
		p.asksFor("leave", "Rush is over.")
	})
	inBubble(t, func(b *harness) { // a match ends the exercise
		p := b.come(ann())
		p.types("rush")
		p.asksFor("computer novice 1 board first", "Your turn.", "Rush is over.")
		p.asksFor("5", "Board A: you at 5.")
	})
}

func TestAGuestReadsHowToKeepAStreak(t *testing.T) {
	onMonday(t, func(b *harness) {
		p := b.open(Config{Player: guy(), Progress: b.store.Progress(), Start: start.Start{At: start.Daily}})
		p.answer(client.Exercises{Player: guy(), Now: b.manager.Now}, true)
		p.hears("2 of 3.")
		p.types("leave", "rush", "leave")
		p.hears("Nothing is kept for a guest. To keep your results, run ssh-keygen once, then connect again.")
	})
}
