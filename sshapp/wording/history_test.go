package wording_test

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
	"notakto/sshapp/wording"
)

func TestDay(t *testing.T) {
	now := time.Date(2026, 3, 2, 0, 30, 0, 0, time.UTC)
	for back, want := range map[time.Duration]string{
		0: "today", 30 * time.Minute: "today", 31 * time.Minute: "yesterday",
		24*time.Hour + 30*time.Minute: "yesterday",
		24*time.Hour + 31*time.Minute: "28 Feb", 61 * 24 * time.Hour: "31 Dec 2025",
	} {
		testkit.Equal(t, wording.Day(now.Add(-back), now), want, back)
	}
}

func TestBriefDay(t *testing.T) {
	now := time.Date(2026, 3, 2, 0, 30, 0, 0, time.UTC)
	for back, want := range map[time.Duration]string{
		0: "today", 31 * time.Minute: "1 Mar", 61 * 24 * time.Hour: "31 Dec", 400 * 24 * time.Hour: "Jan 2025",
	} {
		testkit.Equal(t, wording.BriefDay(now.Add(-back), now), want, back)
	}
}

func TestTotals(t *testing.T) {
	for totals, want := range map[history.Totals]string{
		{}:                               "No finished matches yet.",
		{Matches: 1, Won: 1}:             "1 match: 1 won.",
		{Matches: 24, Won: 11, Lost: 10}: "24 matches: 11 won, 10 lost, 3 drawn.",
	} {
		testkit.Equal(t, wording.Totals(totals)[0], want, totals)
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th", 21: "21st",
		101: "101st", 111: "111th", 122: "122nd",
	} {
		testkit.Equal(t, wording.Ordinal(n), want, n)
	}
}

// ratedPair returns a pair that took a player from 1500 to 1562, with the given number of pairs that count.
func ratedPair(pairs int) history.RatedPair {
	before, after := rating.New(), rating.New()
	after.Points, after.Pairs = 1_562_000, pairs
	return history.RatedPair{Match: "m", Counts: true, Before: before, After: after, Ended: time.UnixMilli(1)}
}

func TestRatedPairLine(t *testing.T) {
	ranked := history.Standing{Rank: 7, Players: 41, Ended: time.UnixMilli(1)}
	later, uncounted := ranked, ratedPair(9)
	later.Ended = time.UnixMilli(2)
	uncounted.Counts, uncounted.Before = false, uncounted.After
	near := uncounted
	near.IsInNetwork = true
	for _, test := range []struct {
		pair     history.RatedPair
		standing history.Standing
		want     string
	}{
		{ratedPair(1), history.Standing{}, "1500? → 1562? (+62), 1 of 8 pairs for the ladder"},
		{ratedPair(7), ranked, "1500? → 1562? (+62), 7 of 8 pairs for the ladder"},
		{ratedPair(8), ranked, "1500? → 1562? (+62), 7th of 41 on the ladder"},
		{ratedPair(8), later, "1500? → 1562? (+62)"},
		{ratedPair(8), history.Standing{}, "1500? → 1562? (+62)"},
		{uncounted, ranked, "1562? → 1562? (+0), only 4 pairs a day with the same player count"},
		{near, ranked, "1562? → 1562? (+0), above 1700, no pair within a network counts"},
	} {
		testkit.Equal(t, wording.RatedPairLine(test.pair, test.standing), test.want)
	}
}

// Without the user name in the command, a guest used to come back under another name.
func TestTheCommandToComeBackKeepsTheName(t *testing.T) {
	for name, word := range map[string]string{"bob": "bob", "Ann-Sofie": "Ann-Sofie", "a b": `"a b"`, "x&y": `"x&y"`} {
		want := "Notakto  " + name + "  Play again:\nssh -l " + word + " -p 2222 play.example"
		testkit.Equal(t, wording.Quit(name, "", "", "-p 2222 play.example", true), want)
	}
}

func TestUnseen(t *testing.T) {
	entry := func(winner rules.Side, opponent string) history.Entry {
		return history.Entry{
			Terms: match.DefaultTerms(), Side: rules.First, Winner: winner, Reason: "boards",
			Opponent: match.Player{Name: opponent},
		}
	}
	lost, won, void := entry(rules.Second, "cyd"), entry(rules.First, "gus"), entry(rules.NoSide, "joe")
	split := lost
	split.Terms, split.Pair = match.RatedTerms(match.PeoplePool), ratedPair(1)
	split.Pair.Result = rating.Split
	challenge := func(reason, opponent string) history.Entry {
		return history.Entry{Terms: match.DefaultTerms(), Reason: reason, Opponent: match.Player{Name: opponent}}
	}
	for want, all := range map[string][]history.Entry{
		"You lost to cyd (3 boards)":                    {lost},
		"You split with cyd (rated, 1500? → 1562?)":     {split},
		"You lost to cyd (3 boards) and beat gus":       {lost, won},
		"You lost to cyd (3 boards) and 1 other result": {lost, void},
		"You beat gus (3 boards) and 2 other results":   {won, lost, void},
		"Cancelled: 3 boards against joe":               {void},
		"joe withdrew a challenge":                      {challenge(history.Withdrawn, "joe")},
		"joe declined your challenge":                   {challenge(history.Declined, "joe")},
		"Your challenge to joe expired":                 {challenge(history.Expired, "joe")},
		"Your challenge to anyone expired, and 1 more":  {challenge(history.Expired, ""), lost},
		"You lost to cyd (3 boards), and 2 more":        {lost, won, challenge(history.Withdrawn, "joe")},
	} {
		testkit.Equal(t, wording.Unseen(all)[0], want)
	}
}

func TestHistoryLinesHaveStraightColumns(t *testing.T) {
	short := history.Entry{Terms: match.DefaultTerms(), Opponent: match.Player{Name: "al"}, Match: "m1"}
	long := history.Entry{
		Terms: match.RatedTerms(match.PeoplePool), Opponent: match.Player{Name: "constantine"}, Match: "m2",
		Reason: "abandoned", Plies: 10,
	}
	lines := wording.HistoryLines([]history.Entry{short, long})
	for _, column := range [...]string{"against", "m"} {
		if one, two := strings.LastIndex(lines[0], column), strings.LastIndex(lines[1], column); one != two {
			t.Errorf("%s stands at %d and %d: %q", column, one, two, lines)
		}
	}
}
