package plain

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/sshapp/start"
)

// A place in the queue may take a while to be given up. Who asked for another at once was told to wait already, in
// another session.
func TestPlayAgainAtOnce(t *testing.T) {
	inBubbleWith(t, manager.Config{Journal: journaltest.NewFaulty(3 * time.Second)}, func(b *harness) {
		a := b.open(Config{Player: ann(), Start: start.Start{At: start.Queue}}).skips()
		a.types("leave", "play 1")
		pass(time.Second)
		a.expects("You have stopped waiting.")
		pass(3 * time.Second)
		a.expects("Waiting for an opponent, for 1 board. You are the only one waiting.")
		a.types("quit")
		pass(time.Second)
		a.ended()
	})
}

// What cannot be recorded just now is told in the words of the journal, and can be asked for again.
func TestNothingCanBeRecorded(t *testing.T) {
	for fault, words := range map[error]string{
		fmt.Errorf("%w: the disk is full; try again soon",
			match.ErrUnavailable): "Nothing can be recorded just now: the disk is full; try again soon.",
		context.DeadlineExceeded: "The server took too long to say whether that is recorded: type turn or mine to " +
			"hear how things stand.",
	} {
		j := journaltest.NewFaulty(0)
		inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
			first, second := b.pair(2)
			lobby := b.come(guy())
			j.Fail(fault)
			first.asked("a5", words)
			first.types("resign")
			first.asked("yes", words)
			for _, line := range []string{"play", "computer", "private", "watch nosuchmatch"} {
				lobby.asked(line, words)
			}
			j.Fail(nil)
			first.asked("a5", "Board A: you at 5. bob's turn.")
			second.expects("Board A: ann at 5. Your turn.")
		})
	}
}

// A match whose record is damaged is refused as that.
func TestDamaged(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		a := b.come(ann())
		j.Fail(fmt.Errorf("reading: %w", match.ErrDamaged))
		a.asked("watch c6zl3rq7s7", "The record of that match is damaged: it cannot be shown, nor go on.")
	})
}

// A session that cannot begin where it should says nothing, and why is its error.
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
			if p.expects(); !errors.Is(p.err, want) {
				t.Errorf("%+v ends with %v, want %v", from, p.err, want)
			}
		}
	})
}

// Players of a server that cannot record are told so once, and once that it is over.
func TestCutOffServerSaysSo(t *testing.T) {
	j := journaltest.NewFaulty(0)
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		first, _ := b.pair(2)
		waiting := b.open(Config{Player: guy(), Start: start.Start{At: start.Queue}}).skips()
		j.Fail(match.ErrUnavailable)
		pass(10 * time.Second)
		for _, p := range []*person{first, waiting} {
			p.expects("Nothing can be recorded at this server just now, and what it tells may be old. Wait, or connect again.")
		}
		j.Fail(nil)
		pass(3 * time.Second)
		for _, p := range []*person{first, waiting} {
			p.expects("This server can record again.")
		}
	})
}
