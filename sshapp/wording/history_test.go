package wording_test

import (
	"testing"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
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

func TestEnded(t *testing.T) {
	two, _ := rules.Notakto(2)
	entry := func(winner rules.Side, reason rules.Reason, terms match.Terms) history.Entry {
		return history.Entry{
			Side: rules.Second, Winner: winner, Reason: reason.String(), Terms: terms, Opponent: match.Player{Name: "cyd"},
		}
	}
	for want, e := range map[string]history.Entry{
		"You won against cyd (2 boards)":  entry(rules.Second, rules.Boards, match.Terms{Variant: two}),
		"You lost to cyd (rated)":         entry(rules.First, rules.Time, match.RatedTerms(match.PeoplePool)),
		"You drew with cyd (tic-tac-toe)": entry(rules.Nobody, rules.Draw, match.Terms{Variant: rules.TicTacToe()}),
		"Cancelled: 2 boards against cyd": entry(rules.Nobody, rules.Abandoned, match.Terms{Variant: two}),
	} {
		if got := wording.Ended(e, e.Opponent.Name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// ratedPair is the pair of a player whose rating goes from 1500 to 1562, after which so many pairs have counted.
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
	} {
		if got := wording.RatedPairLine(test.pair, test.standing); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestQuit(t *testing.T) {
	for _, test := range []struct {
		results, rated, host, want string
	}{
		{"", "", wording.NoHost, "Goodbye, ann."},
		{"", "", "play.example", "Notakto  ann  again:\nssh play.example"},
		{wording.Results(2, 1, 0), "", wording.NoHost, "Notakto  ann  won 2, lost 1"},
		{
			wording.Results(0, 0, 1), "1500? → 1562? (+62)", "play.example",
			"Notakto  ann  drew 1  1500? → 1562? (+62)  again:\nssh play.example",
		},
	} {
		if got := wording.Quit("ann", test.results, test.rated, test.host, false); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Who came back by the command without the user name of the login had another name.
func TestTheCommandToComeBackKeepsTheName(t *testing.T) {
	for name, word := range map[string]string{"bob": "bob", "Ann-Sofie": "Ann-Sofie", "a b": `"a b"`, "x&y": `"x&y"`} {
		want := "Notakto  " + name + "  again:\nssh -l " + word + " -p 2222 play.example"
		if got := wording.Quit(name, "", "", "-p 2222 play.example", true); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestStanding(t *testing.T) {
	s := history.Standing{Rating: rating.New()}
	if got := wording.Standing(s); got != "" {
		t.Errorf("a new player stands at %q", got)
	}
	s.Ended, s.Won = time.UnixMilli(1), 1
	s.Rating.Pairs = 1
	first := "Rating 1500 +/- 350, provisional, 1 of 8 pairs for the ladder. Rated pairs: 1 won, 0 split, 0 lost."
	if got := wording.Standing(s); got != first {
		t.Errorf("%q, want %q", got, first)
	}
	s.Rating.Deviation, s.Rank, s.Players = 60_000, 7, 214
	want := "Rating 1500 +/- 60, 7th of 214. Rated pairs: 1 won, 0 split, 0 lost."
	if got := wording.Standing(s); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
