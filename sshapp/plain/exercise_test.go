package plain

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

// laterJournal is a journal whose clock is ahead of the clock of synctest, so that there are daily puzzles.
type laterJournal struct {
	*store.Store
	ahead time.Duration
}

func (j laterJournal) Now() time.Time { return time.Now().Add(j.ahead) }

// onDay runs a test on a day of puzzles, a Monday at noon.
func onDay(t *testing.T, day int, test func(b *harness)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := &harness{T: t, store: testkit.OpenStore(t, dir)}
		ahead := time.Until(puzzle.Begin(day).Add(12 * time.Hour))
		b.start(manager.Config{Journal: laterJournal{b.store, ahead}})
		defer func() {
			b.end()
			if err := b.store.Close(); err != nil {
				t.Error(err)
			}
		}()
		test(b)
	})
}

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

func (p *person) hears(parts ...string) {
	p.Helper()
	synctest.Wait()
	said := p.out.Take()
	testkit.Contains(p, said, parts...)
}

func TestDaily(t *testing.T) {
	onDay(t, 146, func(b *harness) {
		kept := b.store.Progress()
		e := client.Exercises{Player: ann(), Progress: kept, Now: b.manager.Now}
		p := b.open(Config{Player: ann(), Progress: kept, Host: "example.org"})
		p.hears("Daily 146 is new: type daily.")
		p.types("daily")
		p.hears("Daily 146, Monday.", "1 of 3. One move wins. You have one try.", "Board A: ")
		p.asked("b5", "There is no such board.")
		p.asked("boards z", "There is no such board: the only board is A.")
		p.types("")
		p.hears("1 of 3.", "Board A: ")
		p.types("help")
		p.hears("You can type: a move such as A5, boards, leave, quit.")
		p.answer(e, true)
		p.hears("Right. ", "2 of 3.", "Board B: ")
		p.asked("skip", "Only slips can be skipped. Type leave to stop here.")
		p.asked("leave", "You have left. Your answers are kept.")
		p.types("daily")
		p.hears("2 of 3.")
		p.answer(e, false)
		p.hears("Wrong. ", " wins", "3 of 3.")
		p.answer(e, true)
		p.hears("Right. ", "Daily 146, Monday is over. You solved 2 of 3. Streak 1. Tomorrow's puzzles in 12 hours.",
			"This week: a miss on Monday.", "Notakto daily 146  +x+  ssh -t example.org daily")
		p.types("daily")
		p.hears("Daily 146, Monday is over.")
		p.asked("daily 200", "There is no such daily puzzle: want 1 to 146, today's.")
		p.asked("daily x", "Type daily, or daily and the number of an earlier day, such as daily 1.")
		p.types("daily 1")
		p.hears("Daily 1, Wednesday.", "1 of 3. One move wins.")
	})
}

func TestAMatchEndsAnExercise(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(ann())
		p.types("rush")
		p.hears("1. Board A: ")
		p.types("computer novice 1 board first")
		p.hears("Your turn.", "Rush is over.")
		p.types("5")
		p.hears("Board A: you at 5.")
		p.asked("rush", "You are in a match. First type resign to lose it, or leave to step away from it.")
	})
}

func TestRush(t *testing.T) {
	onDay(t, 146, func(b *harness) {
		p := b.open(Config{Player: ann(), Progress: b.store.Progress(), Start: start.Start{At: start.Rush}})
		p.hears("Rush. You have 3 minutes, and 3 wrong answers end it.", "1. Board A: ")
		pass(client.RushTime + time.Second)
		p.hears("Rush is over. 0 puzzles solved.")
		p.asked("slips", "None of your slips waits today: a win that you miss in a match comes here a day later.")
		p.types("rush")
		p.hears("1. Board A: ")
		p.types("leave")
		p.hears("Rush is over.")
	})
}

func TestARushTakesATurn(t *testing.T) {
	inBubble(t, func(b *harness) {
		turns := 0
		p := b.open(Config{Player: ann(), InTurn: func(do func()) { turns++; do() }})
		p.types("rush")
		if p.hears("1. Board A: "); turns != 1 {
			t.Errorf("the rush opened after %d turns", turns)
		}
		p.types("1")
		p.hears("Look at the boards first, then answer again.")
	})
}

func TestAGuestReadsHowToKeepAStreak(t *testing.T) {
	onDay(t, 146, func(b *harness) {
		p := b.open(Config{Player: guy(), Progress: b.store.Progress(), Start: start.Start{At: start.Daily}})
		e := client.Exercises{Player: guy(), Now: b.manager.Now}
		p.answer(e, true)
		p.hears("2 of 3.")
		p.types("leave", "rush", "leave")
		p.hears("Nothing is kept for a guest. To keep your results, run ssh-keygen once, then connect again.")
	})
}
