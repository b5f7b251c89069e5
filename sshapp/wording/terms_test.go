package wording

import (
	"testing"
	"time"

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
		{24 * time.Hour, "1d 00h", "1 day"}, {14*24*time.Hour - time.Minute, "13d 23h", "13 days 23 hours"},
	} {
		if face, words := ClockFace(test.left), ClockLeft(test.left); face != test.face || words != test.words {
			t.Errorf("%v is %q, %q", test.left, face, words)
		}
	}
	for text, want := range map[string]string{
		"none": "", "5+0": "5 minutes per player", "1+1": "1 minute, plus 1 second a move",
		"3+2": "3 minutes, plus 2 seconds a move",
		"1d":  "1 day for each move", "14d": "14 days for each move",
	} {
		c, err := match.ParseClock(text)
		if err != nil || Clock(c) != want {
			t.Errorf("%s is %q (%v)", text, Clock(c), err)
		}
	}
}

// A clock is named with what a player accepts only if it is the one for all of that.
func TestAcceptsWithAClock(t *testing.T) {
	blitz, err := match.ParseClock("3+2")
	if err != nil {
		t.Fatal(err)
	}
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
		if got := Accepts(accepts); got != want {
			t.Errorf("%+v is %q, want %q", accepts, got, want)
		}
	}
	if got := Accepts(match.PreferClock(all)); got != "1 to 5 boards" {
		t.Errorf("what is accepted by default is %q", got)
	}
	if got := Accepts([]match.Terms{only, match.DefaultTerms()}); got != "3 boards" {
		t.Errorf("either is %q", got)
	}
	for want, accepts := range map[string][]match.Terms{
		"1 to 5 boards, 5 to 7 minutes per player, or no clock; 5 to 7 minutes per player": match.PreferClock(all),
		"1 to 5 boards; without a clock": all,
		"3 boards, 5 minutes per player, or no clock; 5 minutes per player": match.PreferClock([]match.Terms{
			match.DefaultTerms(),
		}),
		"3 boards, 3+2; 3 minutes, plus 2 seconds a move": {only},
	} {
		if got := AcceptsWithClocks(accepts) + "; " + AcceptedClocks(accepts); got != want {
			t.Errorf("%+v is %q, want %q", accepts, got, want)
		}
	}
}
