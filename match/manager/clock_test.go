package manager

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

func clock(t *testing.T, text string) match.Terms {
	t.Helper()
	terms := match.DefaultTerms()
	if err := terms.Clock.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return terms
}

// clocked seats ann and bob at a new match with a clock, as a private table would.
func (h *harness) clocked(text string) (one, other *Seat) {
	h.Helper()
	id := h.openWith(clock(h.T, text), ann(), bob())
	return h.sit(id, ann()), h.sit(id, bob())
}

// thinks has ann think at a match with a clock, after both first moves.
func (h *harness) thinks(text string) (one, other *Seat) {
	h.Helper()
	one, other = h.clocked(text)
	h.play(one, "A5")
	h.play(other, "B5")
	return one, other
}

// checkTime checks what the clock of each side has left.
func (h *harness) checkTime(seat *Seat, first, second time.Duration) {
	h.Helper()
	s := h.sees(seat)
	if one, other := s.ClockLeft(rules.First, time.Now()), s.ClockLeft(rules.Second, time.Now()); one != first ||
		other != second {
		h.Errorf("the clocks have %v and %v, want %v and %v", one, other, first, second)
	}
}

// checkFlag checks that a match is lost by time at a moment, and that the log says why.
func checkFlag(b *harness, id match.ID, at time.Time, loser rules.Side, spent time.Duration) {
	b.Helper()
	if left := time.Until(at); left > 2*time.Hour {
		b.skip(left - time.Hour)
	}
	pass(time.Until(at) - 1)
	if s := b.logged(id); s.IsOver() {
		b.Fatalf("over %v early: %+v", s.EndedAt.Sub(at), s.Outcome)
	}
	pass(1 + time.Second) // without a table here, a node looks once a second
	events, err := b.cfg.Journal.Load(b.Context(), id, 0)
	b.must(err)
	s, last := b.logged(id), match.Event{}
	for _, e := range events {
		if e.Kind == match.Overdue {
			last = e
		}
	}
	want := rules.Outcome{Winner: loser.Other(), Reason: rules.ReasonTime}
	if s.Outcome != want || last.Seat != loser || last.Spent.Round(time.Second) != spent ||
		s.Seat(loser).ClockLeft != 0 {
		b.Fatalf("it ended with %+v by %+v, want %+v after %v", s.Outcome, last, want, spent)
	}
}

func TestFischerClock(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.clocked("1+2")
		pass(40 * time.Second) // the first moves are not charged
		b.play(one, "A5")
		pass(50 * time.Second)
		b.play(other, "B5")
		b.checkTime(one, time.Minute, time.Minute)
		pass(20 * time.Second)
		soon := &match.Snapshot{State: b.tables.index.table(one.ID()).state, MoveBy: time.Now().Add(40 * time.Second)}
		if left := soon.ClockLeft(rules.First, time.Now()); left != 40*time.Second {
			b.Errorf("ann has %v", left)
		}
		b.seesNothing(one) // the clock runs without new snapshots
		b.play(one, "A1")
		b.checkTime(one, 42*time.Second, time.Minute)
		pass(1500 * time.Millisecond)
		b.play(other, "B1")
		b.checkTime(other, 42*time.Second, time.Minute+500*time.Millisecond)
		checkFlag(b, one.ID(), time.Now().Add(42*time.Second), rules.First, 42*time.Second)
		if next := b.logged(b.rematch(one, other)); next.Terms != clock(b.T, "1+2") ||
			next.Seat(rules.First).ClockLeft != time.Minute {
			b.Errorf("the rematch is on %+v", next.Terms)
		}
	})
}

// An opponent who never moved held up a player indefinitely. The limit of the first move is half a minute in the queue,
// elsewhere the clock's time. A player who ran out of time has played, and may meet the opponent again at once.
func TestClockedMatchWithoutAFirstMoveIsVoid(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.clocked("3+2")
		pass(3*time.Minute - 1)
		checkGoesOn(b, one.ID())
		pass(1)
		if s := b.logged(one.ID()); !s.Outcome.IsVoid() {
			b.Errorf("it ended with %+v", s.Outcome)
		}
		first, second := b.meet(ann(), bob(), clock(b.T, "1+0"))
		b.play(first, "A5")
		b.play(second, "B5")
		checkFlag(b, first.ID(), time.Now().Add(time.Minute), rules.First, time.Minute)
		first, second = b.meet(ann(), bob(), clock(b.T, "3+2"))
		b.play(first, "A5")
		if s := b.sees(second); !s.MoveBy.Equal(time.Now().Add(DefaultFirstMove)) {
			b.Errorf("the limit is %v", s.MoveBy)
		}
		pass(DefaultFirstMove)
		if s := b.logged(first.ID()); !s.Outcome.IsVoid() || s.Clock != clock(b.T, "3+2").Clock {
			b.Errorf("in the queue it ended with %+v", s.Outcome)
		}
		if len(b.PlayerMatches(ann().ID)) > 0 {
			b.Error("a void match counts")
		}
	})
}

// A clock of days has no forfeit by absence.
func TestAbsenceWithAClock(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.thinks("180+0")
		one.Close()
		if m := b.Summaries([]match.ID{other.ID()}); len(m) != 1 || !m[0].MoveBy.IsZero() {
			b.Errorf("with minutes the lists have %+v", m)
		}
		checkEndsAt(b, one.ID(), time.Now().Add(grace), rules.Second)

		one, other = b.thinks("1d")
		one.Close()
		pass(grace * 2)
		s := b.sees(other)
		if s.IsOver() || !s.ForfeitAt.IsZero() || !s.MoveBy.Equal(s.TurnSince.Add(4*24*time.Hour)) {
			b.Errorf("away with a day: %+v, until %v and %v", s.Outcome, s.ForfeitAt, s.MoveBy)
		}
		if m := b.Summaries([]match.ID{one.ID()}); len(m) != 1 || !m[0].ForfeitAt.IsZero() ||
			!m[0].MoveBy.Equal(s.MoveBy) {
			b.Errorf("the lists have %+v", m)
		}
	})
}

// A match of days needs no table while both players are away, and continues after restarts. The time without a
// server is not charged, and the time between two restarts is. Beyond the two days, the bank of three days runs.
func TestCorrespondence(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.clocked("2d")
		id := one.ID()
		b.play(one, "A5")
		b.skip(40 * time.Hour)
		other := b.sit(id, bob())
		b.play(other, "B5")
		other.Close()
		pass(time.Minute)
		turn := b.logged(id).TurnSince
		if b.tables.index.table(id) != nil {
			b.Error("its table stays although both players are away")
		}
		const lost = 3 * time.Hour
		for range 3 {
			b.skip(7 * time.Hour)
			b.restart()
		}
		if b.tables.index.table(id) != nil || len(b.PlayerMatches(ann().ID)) != 1 {
			b.Errorf("after the restart: a table, or ann has %v", b.PlayerMatches(ann().ID))
		}
		seat := b.sit(id, ann())
		if s := b.sees(seat); s.MoveBy.Sub(turn.Add(120*time.Hour+lost)).Abs() > time.Second {
			b.Errorf("ann has until %v, want %v and %v", s.MoveBy, turn.Add(120*time.Hour), lost)
		}
		b.skip(40 * time.Hour)
		seat = b.sit(id, ann())
		b.play(seat, "A1")
		s := b.sees(seat)
		move, bank := s.DaysLeft(rules.First, b.Now())
		want := turn.Add(120*time.Hour + lost).Sub(s.TurnSince)
		if move != 48*time.Hour || (bank-want).Abs() > time.Second {
			b.Errorf("ann has %v and a bank of %v, want %v", move, bank, want)
		}
		seat.Close()
		pass(time.Minute)
		checkFlag(b, id, s.TurnSince.Add(120*time.Hour), rules.Second, 120*time.Hour)
	})
}

func TestCorrespondenceTableWaits(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id, code, err := b.OpenPrivate(b.Context(), ann(), clock(b.T, "1d"))
		b.must(err)
		b.sit(id, ann()).Close()
		pass(time.Minute)
		if b.tables.index.table(id) != nil {
			b.Error("its table stays although both players are away")
		}
		b.skip(20 * time.Hour)
		b.must(b.join(bob(), code))
		b.sit(id, bob())
		b.skip(20 * time.Hour)
		checkGoesOn(b, id)

		id, _, err = b.OpenPrivate(b.Context(), ann(), clock(b.T, "1d"))
		b.must(err)
		b.sit(id, ann()).Close()
		pass(time.Minute)
		b.skip(24 * time.Hour)
		if s := b.logged(id); !s.Closed {
			b.Errorf("after a day: %+v", s)
		}
	})
}

// An outage of a moment was once charged to a player who only thought. The time in which the process stood still, as on
// a machine asleep, is charged to no player either, even if a table runs before the next check.
func TestAShortOutageIsNotCharged(t *testing.T) {
	for name, begin := range map[string]func(*harness, *Seat){
		"checks fail": func(b *harness, _ *Seat) { b.die(true) },
		"a move fails": func(b *harness, one *Seat) {
			b.die(true)
			b.fails(one.Play(b.Context(), move(b.T, "A1")), errTrouble)
		},
		"a standstill": nil,
	} {
		inBubble(t, Config{}, func(b *harness) {
			one, other := b.thinks("1+0")
			pass(5 * time.Second)
			if begin == nil {
				b.disk.slept.Store(int64(time.Hour))
			} else {
				begin(b, one)
				pass(2500 * time.Millisecond)
				b.die(false)
				pass(checkInterval)
			}
			b.play(one, "A1")
			s := b.sees(other)
			if left := s.ClockLeft(rules.First, b.Now()); (left - 55*time.Second).Abs() > checkInterval {
				b.Errorf("%s: ann has %v", name, left)
			}
			pass(10 * time.Second)
			checkGoesOn(b, one.ID())
		})
	}
}

// A node fails, and its player moves to another node before the failure is noticed, or after it. The time on the way is
// charged only while the first node was up.
func TestTheWayToAnotherNodeIsNotCharged(t *testing.T) {
	for _, test := range []struct {
		hasFailed        bool
		way, least, most time.Duration
	}{
		{true, 8 * time.Second, 149 * time.Second, 153 * time.Second},
		{false, 8 * time.Second, 142 * time.Second, 142 * time.Second},
		{true, match.EntryTTL + 2*heartbeatInterval, 140 * time.Second, 154 * time.Second},
	} {
		inBubble(t, Config{}, func(here *harness) {
			there := here.sister()
			id := there.openWith(clock(here.T, "3+0"), ann(), bob())
			far, near := there.sit(id, ann()), here.sit(id, bob())
			there.play(far, "A5")
			here.play(near, "B5")
			pass(20 * time.Second)
			if test.hasFailed {
				there.perish()
			} else {
				defer there.Close()
			}
			pass(test.way)
			seat := here.sit(id, ann())
			pass(10 * time.Second)
			here.play(seat, "A1")
			here.play(near, "B1")
			if left := here.sees(seat).Seat(rules.First).ClockLeft; left < test.least || left > test.most {
				here.Errorf("%+v: ann has %v", test, left)
			}
		})
	}
}

// A match against the computer runs on its clock, if any, also while the player is away.
func TestComputerWithAClock(t *testing.T) {
	inBubble(t, Config{ComputerPause: time.Second}, func(b *harness) {
		for _, text := range []string{"1+0", "1d"} {
			terms := clock(b.T, text)
			id, err := b.PlayComputer(b.Context(), ann(), terms, 1, rules.First)
			b.must(err)
			seat := b.sit(id, ann())
			b.play(seat, "A5")
			pass(time.Second)
			turn := b.logged(id).TurnSince
			seat.Close()
			checkFlag(b, id, turn.Add(terms.Clock.Initial()), rules.First, terms.Clock.Initial())
		}
	})
}

func TestCharged(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	out := func(from, to int) match.Period { return match.Period{From: at(from), To: at(to)} }
	for _, test := range []struct {
		outages []match.Period
		want    time.Duration
	}{
		{nil, 10}, {[]match.Period{out(0, 5)}, 10}, {[]match.Period{out(0, 12)}, 8}, {[]match.Period{out(12, 14)}, 8},
		{[]match.Period{out(15, 16), out(12, 14)}, 7}, {[]match.Period{out(12, 16), out(13, 14)}, 6},
		{[]match.Period{out(12, 16), out(14, 18)}, 4}, {[]match.Period{out(18, 30)}, 8},
		{[]match.Period{out(25, 30)}, 10}, {[]match.Period{out(0, 30)}, 0},
		{[]match.Period{out(0, 30), out(12, 13)}, 0},
	} {
		if got := charged(at(10), at(20), test.outages...); got != test.want*time.Second {
			t.Errorf("%v: %v, want %v", test.outages, got, test.want*time.Second)
		}
	}
}

// The question before leaving a table named the grace period even if the first move, or the clock, left less time.
func TestTimeToReturn(t *testing.T) {
	for _, test := range []struct {
		origin   match.Origin
		clock    string
		hasMoved bool
		want     time.Duration
	}{
		{match.QueueOrigin, "none", false, 30 * time.Second},
		{match.QueueOrigin, "6+0", true, 90 * time.Second},
		{match.PrivateOrigin, "none", false, 90 * time.Second},
		{match.PrivateOrigin, "1+0", false, time.Minute},
		{match.PrivateOrigin, "1+0", true, time.Minute},
	} {
		inBubble(t, Config{FirstMove: 30 * time.Second, Grace: 90 * time.Second}, func(b *harness) {
			id, _, err := b.tables.open(b.Context(), match.Opening{
				Terms: clock(t, test.clock), Origin: test.origin, Players: [2]match.Player{ann(), bob()},
			})
			b.must(err)
			if test.hasMoved {
				b.play(b.sit(id, ann()), "A5")
			}
			s := b.logged(id)
			if got := b.TimeLimits().ReturnLimit(&s, rules.First); got != test.want {
				t.Errorf("%+v: %v", test, got)
			}
		})
	}
}
