package manager

import (
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

func checkKinds(b *harness, id match.ID, want ...match.Kind) {
	b.Helper()
	want = append([]match.Kind{match.Opened, match.Seated, match.Seated}, want...)
	if got := b.kinds(id); !slices.Equal(got, want) {
		b.Errorf("the log has the kinds %v, want %v", got, want)
	}
}

// One key in two sessions is one player, who is away when both sessions have ended. The opponent is told of that and of
// the return, but not of the first connection.
func TestOpponentIsNotifiedBothTimes(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		second := b.sit(one.ID(), ann())
		if s := b.sees(other); !s.Seat(rules.First).Present {
			b.Error("ann is not here at the beginning")
		}
		b.play(one, "A5")
		if b.sees(second).Seq != b.sees(one).Seq {
			b.Error("two windows of one player show different things")
		}
		one.Close()
		one.Close()
		b.seesEnd(one)
		b.sees(other)
		pass(3 * time.Second)
		b.seesNothing(other)
		second.Close()
		if seat := b.sees(other).Seat(rules.First); seat.Present || !seat.Since.Equal(time.Now()) {
			b.Errorf("ann has left: %+v", seat)
		}
		pass(4 * time.Second)
		back := b.sit(one.ID(), ann())
		if seat := b.sees(other).Seat(rules.First); !seat.Present || !seat.Since.Equal(time.Now()) {
			b.Errorf("ann is back: %+v", seat)
		}
		if s := b.sees(back); !s.Seat(rules.First).Present || back.Side() != rules.First || back.ID() != one.ID() {
			b.Errorf("ann sees %+v", s)
		}
		checkKinds(b, one.ID(), match.Moved, match.Left, match.Returned)
	})
}

func TestNoPlayerTakesAnothersSeat(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(ann(), match.Computer(1), rules.DefaultVariant())
		for _, p := range []match.PlayerID{cleo().ID, "", match.Computer(1).ID} {
			b.fails(errOf(b.Sit(b.Context(), id, p)), match.ErrNotSeated)
		}
		b.fails(errOf(b.Sit(b.Context(), "nosuchmatch", ann().ID)), match.ErrNoSuchMatch)
		b.fails(errOf(b.Watch(b.Context(), "nosuchmatch", cleo().ID)), match.ErrNoSuchMatch)
	})
}

// A client that repeatedly left and returned filled the log without bound, and redrew the opponent's screen.
func TestComingAndGoingIsRecordedNowAndThen(t *testing.T) {
	inBubble(t, Config{Grace: time.Minute}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		id := one.ID()
		for range 10 * returnBurst {
			one.Close()
			pass(time.Second)
			one = b.sit(id, ann())
			pass(time.Second)
		}
		if n, most := len(b.kinds(id)), 3+2*returnBurst+3; n > most { // and one for the ten minutes that have passed
			b.Errorf("%d events, at most %d", n, most)
		}
		// A server that waited for its matches before a stop ended the session of such a player.
		if !b.IsSeated(ann().ID) {
			b.Error("a player whose return is not recorded counts as away")
		}
		pass(5 * time.Minute)
		if s := b.sees(other); s.IsOver() || !s.ForfeitAt.IsZero() {
			b.Errorf("the time runs against ann, who is here: %+v", s)
		}
		b.play(one, "A5")
		if s := b.sees(other); !s.Seat(rules.First).Present {
			b.Error("ann moves, and is told to be away")
		}
		b.play(other, "B5")
		one.Close()
		pass(30 * time.Second)
		if s := b.sees(other); s.IsOver() || !s.ForfeitAt.Equal(time.Now().Add(30*time.Second)) {
			b.Errorf("ann has left: over is %v, lost at %v, now %v", s.IsOver(), s.ForfeitAt, time.Now())
		}
		one = b.sit(id, ann())
		pass(3 * returnInterval)
		if s := b.sees(other); s.IsOver() || !s.Seat(rules.First).Present {
			b.Errorf("ann has been back for long: %+v", s)
		}
		one.Close()
		pass(time.Minute)
		if s := b.sees(other); !s.IsOver() {
			b.Errorf("ann has left: %+v", s)
		}
	})
}

// Other nodes know a player's presence only from the log, and took a delayed record for an absence. The match was lost,
// or the table of a player who waited at it closed.
func TestWhoIsHereIsNotTakenForAwayByAnotherNode(t *testing.T) {
	for name, test := range map[string]struct {
		times int // the second node must look after about half of the tables
		open  func(*harness) match.ID
	}{
		"a person": {1, func(b *harness) match.ID { return b.open(ann(), bob(), rules.DefaultVariant()) }},
		"the computer": {1, func(b *harness) match.ID {
			return b.open(ann(), match.Computer(1), rules.DefaultVariant())
		}},
		"no player yet": {6, func(b *harness) match.ID { id, _ := b.private(ann()); return id }},
	} {
		inBubble(t, Config{Grace: time.Minute}, func(near *harness) {
			far := near.sister()
			defer far.Close()
			for range test.times {
				id := test.open(near)
				one := near.sit(id, ann())
				if near.logged(id).Side(bob().ID) != rules.NoSide {
					far.sit(id, bob())
				}
				pass(5 * time.Second)
				for range returnBurst + 3 { // more often than returns are recorded
					one.Close()
					pass(time.Second)
					one = near.sit(id, ann())
					pass(time.Second)
				}
				pass(3 * time.Minute)
				if s := near.sees(one); s.IsOver() {
					near.Errorf("against %s: %+v, and ann sits here all the time", name, s.Outcome)
				}
				near.must(one.Resign(near.Context()))
				one.Close()
			}
		})
	}
}
