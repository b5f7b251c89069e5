package wording_test

import (
	"testing"
	"time"

	"notakto/match/history"
	"notakto/sshapp/wording"
)

// A day is said as people say it, by the clock of UTC.
func TestDay(t *testing.T) {
	now := time.Date(2026, 3, 2, 0, 30, 0, 0, time.UTC)
	for back, want := range map[time.Duration]string{
		0: "today", 30 * time.Minute: "today", 31 * time.Minute: "yesterday", 24*time.Hour + 30*time.Minute: "yesterday",
		24*time.Hour + 31*time.Minute: "28 Feb", 61 * 24 * time.Hour: "31 Dec 2025",
	} {
		if got := wording.Day(now.Add(-back), now); got != want {
			t.Errorf("%v ago: %q, want %q", back, got, want)
		}
	}
}

func TestBriefDay(t *testing.T) {
	now := time.Date(2026, 3, 2, 0, 30, 0, 0, time.UTC)
	for back, want := range map[time.Duration]string{
		0: "today", 31 * time.Minute: "1 Mar", 61 * 24 * time.Hour: "31 Dec", 400 * 24 * time.Hour: "Jan 2025",
	} {
		if got := wording.BriefDay(now.Add(-back), now); got != want {
			t.Errorf("%v ago: %q, want %q", back, got, want)
		}
	}
}

func TestTotals(t *testing.T) {
	for totals, want := range map[history.Totals]string{
		{}:                               "No finished match yet.",
		{Matches: 1, Won: 1}:             "1 match: 1 won.",
		{Matches: 24, Won: 11, Lost: 10}: "24 matches: 11 won, 10 lost, 3 drawn.",
	} {
		if got := wording.Totals(totals)[0]; got != want {
			t.Errorf("%+v: %q, want %q", totals, got, want)
		}
	}
}
