package match

import (
	"errors"
	"slices"
	"testing"
	"time"

	"notakto/rules"
)

func TestClocks(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"none": 0, "1+0": time.Minute, "3+2": 3 * time.Minute, "180+180": 3 * time.Hour,
		"1d": 4 * 24 * time.Hour, "14d": 17 * 24 * time.Hour,
	} {
		c, err := ParseClock(text)
		if err != nil || c.String() != text || c.Initial() != want || c.IsNone() != (want == 0) ||
			c.IsCorrespondence() != (want >= 24*time.Hour) {
			t.Errorf("%s is read as %s of %v (%v)", text, c, c.Initial(), err)
		}
	}
	for _, text := range []string{
		"", "0+0", "181+0", "3", "3+", "+2", "3+181", "3+-1", "03+2", "3+02", "3 + 2", "0d", "15d", "d", "1D", "1h",
		"1e1+0", "99999999999999999999+0", "None",
	} {
		if c, err := ParseClock(text); !errors.Is(err, ErrBadClock) {
			t.Errorf("%q is read as %s (%v)", text, c, err)
		}
	}
	for _, c := range OfferedClocks() {
		if back, err := ParseClock(c.String()); err != nil || back != c || len(c.String()) > 5 {
			t.Errorf("%s is offered (%v)", c, err)
		}
	}
	for boards, want := range map[int]string{1: "5+0", 3: "5+0", 4: "6+0", 9: "11+0"} {
		if v, _ := rules.Notakto(boards); DefaultClock(v).String() != want {
			t.Errorf("the default on %d boards is %s", boards, DefaultClock(v))
		}
	}
}

func FuzzParseClock(f *testing.F) {
	for _, text := range []string{"none", "3+2", "14d", "0+0", "1d+2", "+", "d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseClock(text)
		if err != nil {
			if !errors.Is(err, ErrBadClock) || !c.IsNone() {
				t.Errorf("%q: %v, %v", text, c, err)
			}
			return
		}
		if c.String() != text {
			t.Errorf("%q is read as %s", text, c)
		}
	})
}

// clocked returns the events of a match with clock c that has begun.
func clocked(t *testing.T, c Clock, more ...Event) []Event {
	t.Helper()
	events := begun(t, more...)
	events[0].Clock = c
	return events
}

func spent(e Event, d time.Duration) Event {
	e.Spent = d
	return e
}

// The bank of a clock of days absorbs what moves take longer than the days, and never grows.
func TestTheBankAbsorbsAnOverrun(t *testing.T) {
	days, err := Correspondence(2)
	if err != nil {
		t.Fatal(err)
	}
	a5, a1 := moved(t, rules.First, "A5"), spent(moved(t, rules.Second, "A1"), time.Minute)
	for _, test := range []struct{ first, third, left, bank time.Duration }{
		{40 * time.Hour, time.Hour, 48, 72},
		{49 * time.Hour, time.Hour, 48, 71},
		{49 * time.Hour, 50 * time.Hour, 48, 69},
		{120 * time.Hour, 48 * time.Hour, 48, 0},
	} {
		s := fold(t, clocked(t, days, spent(a5, test.first), a1, spent(moved(t, rules.First, "A2"), test.third))...)
		shown := Snapshot{State: &s}
		left, bank := shown.DaysLeft(rules.First, s.TurnSince)
		if left != test.left*time.Hour || bank != test.bank*time.Hour {
			t.Errorf("moves of %v and %v leave %v and a bank of %v", test.first, test.third, left, bank)
		}
		shown.MoveBy = s.TurnSince.Add(120 * time.Hour)
		left, bank = shown.DaysLeft(rules.Second, s.TurnSince.Add(50*time.Hour))
		if left != 0 || bank != 70*time.Hour {
			t.Errorf("50 hours into a move %v are left and a bank of %v", left, bank)
		}
	}
	late := spent(of(Overdue, rules.First), 120*time.Hour)
	if s := fold(t, clocked(t, days, late)...); !s.Outcome.IsVoid() {
		t.Errorf("five days without a first move: %+v", s.Outcome)
	}
	if s := fold(t, clocked(t, days)...); s.Seat(rules.First).ClockLeft != 120*time.Hour {
		t.Errorf("before the first move there are %v", s.Seat(rules.First).ClockLeft)
	}
	s := fold(t, clocked(t, days, spent(a5, 49*time.Hour), a1, spent(of(TakebackOffered, rules.Second), 0),
		spent(of(TakebackOffered, rules.First), 50*time.Hour))...)
	if left := s.Seat(rules.First).ClockLeft; left != 117*time.Hour {
		t.Errorf("a takeback leaves %v", left)
	}
}

// In a match that an older version recorded, each move has the days alone.
func TestAClockWithoutABank(t *testing.T) {
	days := Clock{days: 2}
	s := fold(t, clocked(t, days, spent(moved(t, rules.First, "A5"), 40*time.Hour))...)
	if !s.ClockRuns() || s.Seat(rules.First).ClockLeft != 48*time.Hour {
		t.Errorf("days for each move: %+v", s)
	}
	if s = fold(t, clocked(t, days, spent(of(Overdue, rules.First), 48*time.Hour))...); !s.Outcome.IsVoid() {
		t.Errorf("two days without a first move: %+v", s.Outcome)
	}
}

func TestFoldRefusesWhatTheClockForbids(t *testing.T) {
	blitz, bad := Clock{minutes: 1}, ErrBadEvent
	first := []Event{moved(t, rules.First, "A5"), moved(t, rules.Second, "A1")}
	flag, a2 := of(Overdue, rules.First), moved(t, rules.First, "A2")
	computer := begun(t)
	computer[2].Player = Computer(1)
	checkRefused(t, map[string]refused{
		"the flag of the other side":   {clocked(t, blitz, first...), spent(of(Overdue, rules.Second), time.Hour), bad},
		"a flag before its time":       {clocked(t, blitz, first...), spent(flag, time.Minute-1), bad},
		"a flag without a clock":       {begun(t, first...), spent(flag, time.Hour), bad},
		"a flag at an empty table":     {clocked(t, blitz)[:2], spent(flag, time.Hour), bad},
		"a move after the flag":        {clocked(t, blitz, first...), spent(a2, time.Minute+1), bad},
		"a move before its turn began": {clocked(t, blitz), spent(a2, -1), bad},
		"away from another person":     {begun(t, of(Left, rules.First)), of(Expired, rules.First), bad},
		"away, but here":               {computer, of(Expired, rules.First), bad},
		"away when the computer is next": {
			slices.Concat(computer, []Event{of(Left, rules.First), first[0]}), of(Expired, rules.First), bad,
		},
	})
	s := fold(t, slices.Concat(computer, []Event{of(Left, rules.First), of(Expired, rules.First)})...)
	if !s.Outcome.IsVoid() {
		t.Errorf("a match against the computer to which the player did not come back: %+v", s.Outcome)
	}
}
