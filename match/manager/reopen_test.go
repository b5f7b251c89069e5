package manager

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/rules"
)

// restart stops a manager and an hour later starts another one on the same journal.
func (h *harness) restart() *harness {
	h.Helper()
	h.Close()
	pass(time.Hour)
	again := newHarness(h.T, h.cfg)
	synctest.Wait() // until it has recorded who left
	return again
}

// After a restart players find their match as it was, and continue. The time without a server does not count for
// absence.
func TestMatchLivesOnAfterARestart(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		b.play(one, "A5")
		b.play(other, "B5")
		other.Close()
		before := b.sees(one)
		b = b.restart()
		defer b.Close()
		again := b.sit(one.ID(), bob())
		s := b.sees(again)
		if s.Over() || s.Turn() != rules.First || s.Position != before.Position || !slices.Equal(s.Moves, before.Moves) {
			b.Errorf("after the restart: %+v", s)
		}
		if s.SeatState(rules.First).Present || !s.SeatState(rules.Second).Present ||
			!slices.Equal(b.MatchesOf(ann().ID), []match.ID{one.ID()}) {
			b.Errorf("who is here after the restart: %+v", s)
		}
		// bob had left before, ann was cut off
		checkKinds(b, one.ID(), match.Moved, match.Moved, match.Left, match.Left, match.Returned)
		pass(grace - 1)
		checkGoesOn(b, one.ID())
		back := b.sit(one.ID(), ann())
		b.play(back, "A1")
		if s := b.sees(again); len(s.Moves) != 3 || !s.SeatState(rules.First).Present {
			b.Errorf("bob sees %+v", s)
		}
	})
}

// A player who does not return after a restart has the grace period from then on.
func TestGraceAfterARestart(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		one.Close()
		pass(grace - 1)
		b = b.restart()
		defer b.Close()
		b.sit(one.ID(), bob())
		checkEndsAt(b, one.ID(), time.Now().Add(grace), rules.Second)
	})
}

// Codes still work after a restart, once the match is resumed.
func TestCodesAfterARestart(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code := b.private(guy())
		host := b.sit(id, guy())
		resumeCode := b.sees(host).SeatState(host.Side()).Code
		b = b.restart()
		defer b.Close()
		host = b.sit(id, guy())
		if _, _, err := b.Join(b.Context(), bob(), code); err != nil {
			b.Error(err)
		}
		b.sit(id, bob())
		host.Close()
		synctest.Wait()
		if _, player, err := b.Join(b.Context(), cleo(), resumeCode); err != nil || player != guy() {
			b.Errorf("%+v, %v", player, err)
		}
	})
}

// The computer continues where the log ends, with the moves that it would have played.
func TestComputerGoesOnAfterARestart(t *testing.T) {
	inBubble(t, Config{ComputerPause: time.Second}, func(b *harness) {
		id, err := b.Play(b.Context(), ann(), match.DefaultTerms(), 1, rules.First)
		b.must(err)
		b.play(b.sit(id, ann()), "A5")
		b = b.restart()
		defer b.Close()
		seat := b.sit(id, ann())
		pass(time.Second)
		s := b.sees(seat)
		want := strategyMove(b, id, s)
		if len(s.Moves) != 2 || s.Moves[1] != want {
			b.Errorf("the computer played %v, want %v", s.Moves, want)
		}
	})
}

func strategyMove(b *harness, id match.ID, s match.Snapshot) rules.Move {
	p, err := s.Variant.Start().Play(s.Moves[0])
	b.must(err)
	return s.SeatState(rules.Second).Player.Level.Choose(p, newRNG(7).at(id, 1))
}

// A match that was over before the restart shows its result, and nothing is recorded in it any more.
func TestResultAfterARestart(t *testing.T) {
	var book logBook
	inBubble(t, Config{Log: book.logger()}, func(b *harness) {
		one, _ := b.ended()
		events := len(b.kinds(one.ID()))
		b = b.restart()
		defer b.Close()
		pass(time.Hour)
		seat := b.sit(one.ID(), bob())
		onlooker := b.onlooker(one.ID())
		if s := b.sees(onlooker); s.Outcome.Reason != rules.Resign || len(b.MatchesOf(bob().ID)) > 0 {
			b.Errorf("who looks on sees %+v", s)
		}
		if err := seat.OfferRematch(b.Context()); !isErr(err, match.ErrClosed) {
			b.Errorf("a rematch: %v", err)
		}
		b.sees(seat)
		pass(DefaultLinger - 1)
		b.seesNothing(seat)
		seat.Close()
		onlooker.Close()
		pass(closeDelay)
		if text := book.String(); strings.Contains(text, "level=WARN") || strings.Count(text, "match ended") != 1 {
			b.Error(text)
		}
		if n := len(b.kinds(one.ID())); n != events || b.tables.index.tableCount() > 0 {
			b.Errorf("the log grew from %d to %d events", events, n)
		}
	})
}

// A log that cannot be folded is an error for its readers only.
func TestBadLog(t *testing.T) {
	var book logBook
	inBubble(t, Config{Log: book.logger()}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		mustAppend(b.T, b.cfg.Journal, "bad", 1, 2)
		if _, err := b.Sit(b.Context(), "bad", ann().ID); !isErr(err, match.ErrBadEvent) {
			b.Error(err)
		}
		mustAppend(b.T, b.cfg.Journal, one.ID(), 4)
		b.seesEnd(other)
		if err := one.Play(b.Context(), move(b.T, "A5")); err == nil {
			b.Error("a move was recorded in a log that makes no sense")
		}
		if n := strings.Count(book.String(), "makes no sense"); n != 2 {
			b.Errorf("said %d times:\n%s", n, book.String())
		}
		b.pair(rules.DefaultVariant())
	})
}

// mustAppend records events that make no sense.
func mustAppend(t *testing.T, j match.Journal, id match.ID, seqs ...uint64) {
	t.Helper()
	for _, seq := range seqs {
		if _, err := j.Append(t.Context(), match.Event{Match: id, Seq: seq, Kind: match.Opened,
			Terms: match.DefaultTerms()}); err != nil {
			t.Fatal(err)
		}
	}
}
