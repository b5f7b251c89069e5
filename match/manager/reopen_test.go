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

// reopened is a journal that was closed for some time.
type reopened struct {
	match.Store
	outages []match.Period
}

func (r *reopened) Outages() []match.Period { return r.outages }

// restart replaces the manager by another one on its journal after an hour without a server.
func (h *harness) restart() {
	h.Helper()
	h.Close()
	down := h.Now()
	pass(time.Hour)
	cfg := h.cfg
	cfg.Journal = &reopened{cfg.Journal, append(cfg.Journal.Outages(), match.Period{From: down, To: h.Now()})}
	h.Manager = New(cfg)
	synctest.Wait() // the departures are recorded now
}

// skip lets d pass, and the manager runs for the last hour of d only, because the heartbeats of a week take seconds.
// Seats are closed. Unlike in restart, the time is charged as if another node had recorded.
func (h *harness) skip(d time.Duration) {
	h.Helper()
	h.Close()
	pass(d - time.Hour)
	h.Manager = New(h.cfg)
	pass(time.Hour)
}

// Players continue their match after a restart. The time without a server does not count for absence.
func TestMatchLivesOnAfterARestart(t *testing.T) {
	inBubble(t, Config{ComputerPause: time.Second}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		b.play(one, "A5")
		b.play(other, "B5")
		other.Close()
		before := b.sees(one)
		computer := b.vsComputer(cleo(), rules.First)
		b.play(computer, "A5")
		b.restart()
		computer = b.sit(computer.ID(), cleo())
		pass(time.Second)
		if s := b.sees(computer); len(s.Moves) != 2 {
			b.Errorf("the computer played %v", s.Moves)
		}
		again := b.sit(one.ID(), bob())
		s := b.sees(again)
		if s.IsOver() || s.Turn() != rules.First || s.Position != before.Position ||
			!slices.Equal(s.Moves, before.Moves) || s.Seat(rules.First).Present || !s.Seat(rules.Second).Present ||
			!slices.Equal(b.PlayerMatches(ann().ID), []match.ID{one.ID()}) {
			b.Errorf("after the restart: %+v", s)
		}
		// bob had left before, ann was cut off
		checkKinds(b, one.ID(), match.Moved, match.Moved, match.Left, match.Left, match.Returned)
		pass(grace - time.Second - 1)
		checkGoesOn(b, one.ID())
		back := b.sit(one.ID(), ann())
		b.play(back, "A1")
		if s := b.sees(again); len(s.Moves) != 3 || !s.Seat(rules.First).Present {
			b.Errorf("bob sees %+v", s)
		}
	})
}

// A match that ended before the restart is archived after it. Its readers cause no new records.
func TestResultAfterARestart(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.ended()
		events := len(b.kinds(one.ID()))
		b.restart()
		pass(time.Hour)
		if !b.disk.archived(one.ID()) {
			b.Error("the match is not archived")
		}
		seat := b.sit(one.ID(), bob())
		onlooker := b.onlooker(one.ID())
		if s := b.sees(onlooker); s.Outcome.Reason != rules.ReasonResign || len(b.PlayerMatches(bob().ID)) > 0 {
			b.Errorf("who looks on sees %+v", s)
		}
		b.fails(seat.OfferRematch(b.Context()), match.ErrClosed)
		b.sees(seat)
		pass(DefaultLinger - 1)
		b.seesNothing(seat)
		seat.Close()
		onlooker.Close()
		pass(closeDelay)
		text := b.book.String()
		if strings.Contains(text, "level=WARN") || strings.Contains(text, "match resumed") ||
			strings.Count(text, "match ended") != 1 {
			b.Error(text)
		}
		if n := len(b.kinds(one.ID())); n != events || b.tables.index.tableCount() > 0 {
			b.Errorf("the log grew from %d to %d events", events, n)
		}
	})
}

func TestBadLog(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		for _, e := range []match.Event{{Match: "bad", Seq: 1}, {Match: "bad", Seq: 2}, {Match: one.ID(), Seq: 4}} {
			e.Kind, e.Terms = match.Opened, match.DefaultTerms()
			b.must(errOf(b.cfg.Journal.Append(b.Context(), e)))
		}
		b.fails(errOf(b.Sit(b.Context(), "bad", ann().ID)), match.ErrBadEvent)
		b.seesEnd(other)
		if err := one.Play(b.Context(), move(b.T, "A5")); err == nil {
			b.Error("a move was recorded in a log that makes no sense")
		}
		if n := strings.Count(b.book.String(), "makes no sense"); n != 2 {
			b.Errorf("said %d times:\n%s", n, b.book.String())
		}
		b.pair(rules.DefaultVariant())
	})
}
