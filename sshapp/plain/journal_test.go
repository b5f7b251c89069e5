package plain

import (
	"fmt"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/sshapp/start"
)

// Giving up a place in the queue may take a while. A player who sought another place at once used to be told that
// they were waiting in another window.
func TestPlayAgainAtOnce(t *testing.T) {
	inBubbleWith(t, manager.Config{Journal: journaltest.NewFaulty(3 * time.Second)}, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}}).skips()
		a.types("leave", "play 1")
		pass(time.Second)
		a.expects("You have stopped waiting.")
		pass(3 * time.Second)
		a.expects("Waiting for an opponent, for 1 board. No one else is waiting.")
		a.types("quit")
		pass(time.Second)
		a.ended()
	})
}

// The player reads the journal's error and can try again. An outage has a line at its begin and one at its end.
func TestNothingCanBeRecorded(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, second := b.pair(2)
		lobby := b.come(guy())
		const full = "The server cannot save moves now: the disk is full; try again soon."
		j.Fail(fmt.Errorf("%w: the disk is full; try again soon", match.ErrUnavailable))
		first.asked("a5", full)
		first.types("resign")
		first.asked("yes", full)
		for _, line := range []string{"play", "computer", "private", "watch nosuchmatch"} {
			lobby.asked(line, full)
		}
		pass(10 * time.Second)
		second.expects("The server cannot save moves now, and what you hear may be out of date. " +
			"Wait, or connect again.")
		j.Fail(fmt.Errorf("reading: %w", match.ErrDamaged))
		lobby.asked("watch c6zl3rq7s7", "The record of that match is damaged, so it cannot be shown or continued.")
		j.Fail(nil)
		pass(3 * time.Second)
		second.expects("The server can save moves again.")
		first.asked("a5", "Board A: you at 5. bob's turn.")
		second.expects("Board A: ann at 5. Your turn.")
	})
}

// A session that cannot begin at Config.Start prints no line and returns the error.
func TestNoStart(t *testing.T) {
	inBubbleWith(t, manager.Config{MaxMatches: 1}, func(b *harness) {
		b.open(Config{Player: ann(), Start: start.Start{At: start.Computer}})
		for from, want := range map[start.Start]error{
			{At: start.Queue}:                       match.ErrTooMany,
			{At: start.Computer}:                    match.ErrTooMany,
			{At: start.Private}:                     match.ErrTooMany,
			{At: start.Code, Code: "ZZZZ"}:          match.ErrNoSuchTable,
			{At: start.Match, Match: "nosuchmatch"}: match.ErrNoSuchMatch,
		} {
			p := b.open(Config{Player: ann(), Start: from})
			p.ended()
			p.expects()
			testkit.ErrorIs(t, p.err, want, from)
		}
	})
}
