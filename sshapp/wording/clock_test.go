package wording

import (
	"testing"
	"time"

	"notakto/match"
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
		"none": "", "5+0": "5 minutes each", "1+1": "1 minute and 1 second a move", "3+2": "3 minutes and 2 seconds a move",
		"1d": "1 day for each move", "14d": "14 days for each move",
	} {
		c, err := match.ParseClock(text)
		if err != nil || Clock(c) != want {
			t.Errorf("%s is %q (%v)", text, Clock(c), err)
		}
	}
}
