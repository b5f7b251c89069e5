package wording

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

func TestClockTexts(t *testing.T) {
	for _, test := range []struct {
		left        time.Duration
		face, words string
	}{
		{0, "0:00", "0 seconds"}, {1, "0:01", "1 second"}, {19 * time.Second, "0:19", "19 seconds"},
		{time.Minute, "1:00", "1 minute"}, {252 * time.Second, "4:12", "4 minutes 12 seconds"},
		{time.Hour, "1:00:00", "1 hour"}, {3852 * time.Second, "1:04:12", "1 hour 4 minutes"},
		{24 * time.Hour, "24:00:00", "1 day"}, {50 * time.Hour, "50:00:00", "2 days 2 hours"},
	} {
		if face, words := ClockFace(test.left), ClockLeft(test.left); face != test.face || words != test.words {
			t.Errorf("%v is %q, %q", test.left, face, words)
		}
	}
	for text, want := range map[string]string{
		"none": "", "5+0": "5 minutes per player", "1+1": "1 minute, plus 1 second a move",
		"3+2": "3 minutes, plus 2 seconds a move",
		"1d":  "1 day a move, bank of 3 days", "14d": "14 days a move, bank of 3 days",
	} {
		c, err := match.ParseClock(text)
		if err != nil || Clock(c) != want {
			t.Errorf("%s is %q (%v)", text, Clock(c), err)
		}
	}
}

// A clock is named only if all terms have it.
func TestAcceptsWithAClock(t *testing.T) {
	blitz, err := match.ParseClock("3+2")
	testkit.OK(t, err)
	only := match.Terms{Variant: rules.DefaultVariant(), Clock: blitz}
	day, all := only, match.DefaultAccepted()
	if day.Clock, err = match.Correspondence(1); err != nil {
		t.Fatal(err)
	}
	timed := match.DefaultAccepted()
	for i := range timed {
		timed[i].Clock = blitz
	}
	for want, accepts := range map[string][]match.Terms{
		"3 boards": {match.DefaultTerms()}, "3 boards, 3+2": {only}, "3 boards, 1 day a move": {day},
		"1 to 5 boards, 3+2": timed,
	} {
		testkit.Equal(t, Accepts(accepts), want, accepts)
	}
	testkit.Equal(t, Accepts(match.PreferClock(all)), "1 to 5 boards")
	testkit.Equal(t, Accepts([]match.Terms{only, match.DefaultTerms()}), "3 boards")
	for want, accepts := range map[string][]match.Terms{
		"1 to 5 boards, 5 to 7 minutes per player, or no clock; 5 to 7 minutes per player": match.PreferClock(all),
		"1 to 5 boards; without a clock": all,
		"3 boards, 5 minutes per player, or no clock; 5 minutes per player": match.PreferClock([]match.Terms{
			match.DefaultTerms(),
		}),
		"3 boards, 3+2; 3 minutes, plus 2 seconds a move": {only},
	} {
		testkit.Equal(t, AcceptsWithClocks(accepts)+"; "+AcceptedClocks(accepts), want, accepts)
	}
}

func TestDaysLeft(t *testing.T) {
	const day = 24 * time.Hour
	for want, left := range map[string][2]time.Duration{
		"2 d 4 h + bank 3 d": {2*day + 4*time.Hour + time.Minute, 3 * day},
		"3 d + bank 1 d 1 h": {3*day - time.Millisecond, day + time.Hour},
		"5 h":                {5*time.Hour + 59*time.Minute, 0},
		"bank 12 min":        {0, 12 * time.Minute},
	} {
		testkit.Equal(t, DaysLeft(left[0], left[1]), want, left)
	}
}
