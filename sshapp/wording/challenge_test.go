package wording

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
)

func TestAnOfferIsOneLine(t *testing.T) {
	terms := func(boards int, clock string) match.Terms {
		t.Helper()
		v, err := rules.Notakto(boards)
		testkit.OK(t, err)
		c, err := match.ParseClock(clock)
		testkit.OK(t, err)
		return match.Terms{Variant: v, Clock: c}
	}
	rated := terms(3, "5+0")
	rated.Pool = match.PeoplePool
	for want, got := range map[string]string{
		"gus 1498, 3 boards, 5 min each, rated, just now": Offer("gus", "1498", rated, 59*time.Second),
		"ivy, 1 board, 3 min + 2 s each, 59 min ago":      Offer("ivy", "", terms(1, "3+2"), time.Hour-1),
		"ivy, 3 boards, no clock, 23 h ago":               Offer("ivy", "", terms(3, "none"), 24*time.Hour-1),
		"ivy, 3 boards, 1 day a move, 1 day ago":          Offer("ivy", "", terms(3, "1d"), 24*time.Hour),
		"You play gus: 3 boards, 2 days a move.":          MatchMade("gus", terms(3, "2d"), time.Minute),
		"You play gus: 3 boards, 5 min each, rated. Come in now: the first move is due within 9 seconds.": MatchMade(
			"gus", rated, 9*time.Second),
	} {
		testkit.Equal(t, got, want)
	}
}

func TestExpiresIn(t *testing.T) {
	for left, want := range map[time.Duration]string{
		7*24*time.Hour - time.Second: "7 days left", 25 * time.Hour: "2 days left",
		23*time.Hour + time.Minute: "24 h left",
		time.Hour:                  "60 min left", time.Second: "1 min left",
	} {
		testkit.Equal(t, ExpiresIn(left), want, left)
	}
}
