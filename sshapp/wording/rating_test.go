package wording_test

import (
	"testing"
	"time"

	"notakto/match/history"
	"notakto/match/rating"
	"notakto/sshapp/wording"
)

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th", 21: "21st",
		101: "101st", 111: "111th", 122: "122nd",
	} {
		if got := wording.Ordinal(n); got != want {
			t.Errorf("%d is the %s", n, got)
		}
	}
}

func TestStanding(t *testing.T) {
	s := history.Standing{Rating: rating.New()}
	if got := wording.Standing(s); got != "" {
		t.Errorf("a new player stands at %q", got)
	}
	s.Ended, s.Won = time.UnixMilli(1), 1
	first := "Rating 1500 +/- 350, provisional. Rated pairs: 1 won, 0 split, 0 lost."
	if got := wording.Standing(s); got != first {
		t.Errorf("%q, want %q", got, first)
	}
	s.Rating.Deviation, s.Rank, s.Players = 60_000, 7, 214
	want := "Rating 1500 +/- 60, 7th of 214. Rated pairs: 1 won, 0 split, 0 lost."
	if got := wording.Standing(s); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
