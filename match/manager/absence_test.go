package manager

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

const grace = DefaultGrace

// checkEndsAt checks that a match continues until an instant and is abandoned exactly then; bob observes it.
func checkEndsAt(b *harness, id match.ID, at time.Time, winner rules.Side) {
	b.Helper()
	onlooker, err := b.Watch(b.Context(), id, cleo().ID)
	b.must(err)
	pass(time.Until(at) - 1)
	if s := b.sees(onlooker); s.IsOver() {
		b.Fatalf("over %v early: %+v", time.Until(at), s.Outcome)
	}
	pass(1)
	s := b.sees(onlooker)
	want := rules.Outcome{Winner: winner, Reason: rules.ReasonAbandoned}
	if s.Outcome != want || !s.EndedAt.Equal(at) {
		b.Fatalf("%+v at %v, want %+v at %v", s.Outcome, s.EndedAt, want, at)
	}
}

func checkGoesOn(b *harness, id match.ID) {
	b.Helper()
	onlooker, err := b.Watch(b.Context(), id, cleo().ID)
	b.must(err)
	defer onlooker.Close()
	if s := b.sees(onlooker); s.IsOver() {
		b.Fatalf("over by %+v at %v", s.Outcome, s.EndedAt)
	}
}

// Absence costs nothing on the opponent's turn. The time begins with the player's own turn, and a return stops it. It
// runs also if both players are away.
func TestAbsence(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		id := one.ID()
		other.Close()
		pass(time.Hour)
		checkGoesOn(b, id)
		b.play(one, "A5")
		for range 3 {
			pass(grace - 1)
			other = b.sit(id, bob())
			pass(grace)
			other.Close()
		}
		pass(time.Second)
		one.Close()
		pass(grace - time.Second - 1)
		checkGoesOn(b, id)
		pass(1)
		want := rules.Outcome{Winner: rules.First, Reason: rules.ReasonAbandoned}
		if s := b.logged(id); s.Outcome != want {
			b.Errorf("the log says %+v", s.Outcome)
		}
	})
}

func TestNeverSatDown(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(ann(), bob(), rules.DefaultVariant())
		opened := time.Now()
		other := b.sit(id, bob())
		pass(joinTimeout - 1)
		if !b.sees(other).Seat(rules.First).Present {
			b.Error("ann is missed before she had time to come")
		}
		pass(1)
		if seatState := b.sees(other).Seat(rules.First); seatState.Present || !seatState.Since.Equal(opened) {
			b.Errorf("ann's chair: %+v", seatState)
		}
		checkEndsAt(b, id, opened.Add(grace), rules.Second)
		checkKinds(b, id, match.NoShow, match.Forfeited)
	})
}

// A match against the computer waits for weeks for its player, because the computer is always present and no other
// player waits.
func TestGraceAgainstTheComputer(t *testing.T) {
	inBubble(t, Config{ComputerPause: 2 * time.Second}, func(b *harness) {
		one := b.vsComputer(ann(), rules.First)
		id := one.ID()
		b.vsComputer(guy(), rules.First).Close()
		pass(time.Hour)
		if s := b.sees(one); s.IsOver() || !s.Seat(rules.Second).Present {
			b.Errorf("after an hour: %+v", s)
		}
		b.play(one, "A5")
		one.Close()
		pass(grace)
		if m := b.Summaries([]match.ID{id}); len(m) != 1 || !m[0].ForfeitAt.IsZero() {
			b.Errorf("the lists have %+v", m)
		}
		if b.tables.index.table(id) != nil {
			b.Error("its table stays, and with it a goroutine")
		}
		s := b.logged(id)
		if kept := b.tables.keptUntil(&s); !kept.Equal(s.TurnSince.Add(ComputerRetention)) {
			b.Errorf("it is kept until %v", kept)
		}
		b.skip(2 * GuestRetention)
		if ids := b.PlayerMatches(ann().ID); len(ids) != 1 {
			b.Errorf("ann has %v", ids)
		}
		if ids := b.PlayerMatches(guy().ID); len(ids) != 0 {
			b.Errorf("a guest still has %v", ids)
		}
	})
}
