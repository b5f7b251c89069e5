package manager

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"notakto/match"
	"notakto/rules"
)

// A paused or draining manager refuses new matches. Players continue theirs, and may return to them. A pause ends with
// a resumption, a drain does not.
func TestPauseAndDrain(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		id, code := b.private(cleo())
		b.sit(id, cleo())
		waiting, asked := b.seek(guy()), b.challenge(ann(), bob(), "1d")
		b.status(waiting)
		if !b.IsSeated(ann().ID) || b.IsSeated(cleo().ID) || b.IsSeated(guy().ID) {
			b.Error("other players are seated than those of a match in progress")
		}
		for _, stop := range []func(){b.Pause, b.Drain} {
			stop()
			stop()
			if _, open := b.status(waiting); open {
				b.Error("the seek that waited was not cancelled")
			}
			waiting.Cancel()
			checkRefuses(b, guy(), match.ErrDraining)
			b.fails(errOf(b.Challenge(b.Context(), bob(), Challenge{Terms: clock(t, "1d")})), match.ErrDraining)
			b.fails(b.Accept(b.Context(), bob(), asked, match.PeoplePool), match.ErrDraining)
			b.fails(b.join(guy(), code), match.ErrDraining)
			b.fails(b.Ready(), match.ErrDraining)
			if !b.Stats.Draining.Load() {
				b.Error("monitors see a server that takes new matches")
			}
			one.Close()
			if synctest.Wait(); b.IsSeated(ann().ID) {
				b.Error("ann has left, and is seated")
			}
			one = b.sit(one.ID(), ann())
			b.must(one.Play(b.Context(), b.legal(one.ID())))
			b.must(other.Play(b.Context(), b.legal(one.ID())))
			b.Resume()
			if !b.Stats.Draining.Load() {
				b.must(b.Ready())
				waiting = b.seek(guy())
				b.vsComputer(guy(), rules.First)
			}
		}
		b.fails(b.Ready(), match.ErrDraining)
	})
}

// Close ends every handle at once, even while the journal hangs, and ends no match.
func TestClose(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		onlooker, waiting := b.onlooker(one.ID()), b.seek(cleo())
		defer b.disk.stop()()
		results := make(chan error)
		go func() { results <- one.Play(b.Context(), move(b.T, "A5")) }()
		go func() { results <- other.Resign(b.Context()) }()
		synctest.Wait()
		b.Close()
		for range 2 {
			if err := <-results; err == nil {
				b.Error("something was recorded")
			}
		}
		b.seesEnd(one)
		b.seesEnd(other)
		b.seesEnd(onlooker)
		if _, open := b.status(waiting); open {
			b.Error("the seek is open")
		}
		b.fails(one.Play(b.Context(), move(b.T, "A5")), match.ErrClosed)
		b.fails(errOf(b.Sit(b.Context(), one.ID(), ann().ID)), match.ErrDraining)
		one.Close()
		checkKinds(b, one.ID())
		b.Close()
	})
}

// A panic closes the mailboxes of its match only. The match can be resumed from its log.
func TestPanicStaysInItsMatch(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		onlooker := b.onlooker(one.ID())
		b.disk.interrupt(match.Moved, fault)
		safe := b.sit(b.open(ann(), cleo(), rules.DefaultVariant()), ann())
		b.fails(one.Play(b.Context(), move(b.T, "A5")), match.ErrClosed)
		b.seesEnd(one)
		b.seesEnd(other)
		b.seesEnd(onlooker)
		b.play(safe, "A5")
		if text := b.book.String(); !strings.Contains(text, "a fault of the journal") ||
			!strings.Contains(text, "unruly") ||
			!strings.Contains(text, string(one.ID())) {
			b.Errorf("the log lacks the fault, its stack or its match:\n%s", text)
		}
		if !slices.Contains(b.PlayerMatches(bob().ID), one.ID()) {
			b.Error("bob cannot find his match any more")
		}
		again := b.sit(one.ID(), ann())
		b.play(again, "A5")
		if s := b.sees(again); len(s.Moves) != 1 {
			b.Errorf("ann sees %+v", s)
		}
	})
}

// Opening and end are logged in one line each, with the players and the reason.
func TestLogLines(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.ended()
		id, _ := b.private(cleo())
		b.must(b.sit(id, cleo()).Resign(b.Context()))
		text := b.book.String()
		for _, want := range []string{
			`msg="match opened" match=` + string(one.ID()) +
				` variant=notakto/1 plies=0 first=SHA256:ann second=SHA256:bob event=match-begin`,
			`msg="match ended" match=` + string(one.ID()) + ` event=match-end reason=resign winner=SHA256:ann plies=1`,
			`msg="match ended" match=` + string(id) + ` event=match-end reason=dismantled winner="" plies=0`,
		} {
			if strings.Count(text, want) != 1 {
				b.Errorf("not once in the log: %s\n%s", want, text)
			}
		}
	})
}
