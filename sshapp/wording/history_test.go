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

func TestEnded(t *testing.T) {
	two, _ := rules.Notakto(2)
	entry := func(winner rules.Side, reason rules.Reason, terms match.Terms) history.Entry {
		return history.Entry{
			Side: rules.Second, Winner: winner, Reason: reason.String(), Terms: terms,
			Opponent: match.Player{Name: "cyd"},
		}
	}
	for want, e := range map[string]history.Entry{
		"You beat cyd (2 boards)": entry(rules.Second, rules.ReasonBoards, match.Terms{Variant: two}),
		"You lost to cyd (rated)": entry(rules.First, rules.ReasonTime, match.RatedTerms(match.PeoplePool)),
		"You drew with cyd (tic-tac-toe)": entry(
			rules.NoSide, rules.ReasonDraw, match.Terms{Variant: rules.TicTacToe()},
		),
		"Cancelled: 2 boards against cyd": entry(rules.NoSide, rules.ReasonAbandoned, match.Terms{Variant: two}),
	} {
		testkit.Equal(t, wording.EndedText(e, e.Opponent.Name), want)
	}
	e := entry(rules.Second, rules.ReasonTime, match.RatedTerms(match.PeoplePool))
	e.Pair = ratedPair(1)
	for result, want := range map[rating.Result]string{
		rating.Won:   "You beat cyd (rated, 1500? → 1562?)",
		rating.Split: "You split with cyd (rated, 1500? → 1562?)",
		rating.Lost:  "You lost to cyd (rated, 1500? → 1562?)",
	} {
		e.Pair.Result = result
		testkit.Equal(t, wording.EndedText(e, e.Opponent.Name), want)
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

func TestQuit(t *testing.T) {
	for _, test := range []struct {
		results, rated, host, want string
	}{
		{"", "", wording.NoHost, "Goodbye, ann."},
		{"", "", "play.example", "Notakto  ann  Play again:\nssh play.example"},
		{wording.Results(2, 1, 0), "", wording.NoHost, "Notakto  ann  won 2, lost 1"},
		{
			wording.Results(0, 0, 1), "1500? → 1562? (+62)", "play.example",
			"Notakto  ann  drew 1  1500? → 1562? (+62)  Play again:\nssh play.example",
		},
	} {
		testkit.Equal(t, wording.Quit("ann", test.results, test.rated, test.host, false), test.want)
	}
}

// Without the user name in the command, a guest used to come back under another name.
func TestTheCommandToComeBackKeepsTheName(t *testing.T) {
	for name, word := range map[string]string{"bob": "bob", "Ann-Sofie": "Ann-Sofie", "a b": `"a b"`, "x&y": `"x&y"`} {
		want := "Notakto  " + name + "  Play again:\nssh -l " + word + " -p 2222 play.example"
		testkit.Equal(t, wording.Quit(name, "", "", "-p 2222 play.example", true), want)
	}
}

func TestStanding(t *testing.T) {
	s := history.Standing{Rating: rating.New()}
	testkit.Equal(t, wording.Standing(s), "")
	s.Ended, s.Won = time.UnixMilli(1), 1
	s.Rating.Pairs = 1
	first := "Rating 1500 +/- 350, provisional, 1 of 8 pairs for the ladder. Rated pairs: 1 won, 0 split, 0 lost."
	testkit.Equal(t, wording.Standing(s), first)
	s.Rating.Deviation, s.Rank, s.Players = 60_000, 7, 214
	want := "Rating 1500 +/- 60, 7th of 214. Rated pairs: 1 won, 0 split, 0 lost."
	testkit.Equal(t, wording.Standing(s), want)
}

func TestUnseen(t *testing.T) {
	entry := func(winner rules.Side, opponent string) history.Entry {
		return history.Entry{
			Terms: match.DefaultTerms(), Side: rules.First, Winner: winner, Reason: "boards",
			Opponent: match.Player{Name: opponent},
		}
	}
	lost, won, void := entry(rules.Second, "cyd"), entry(rules.First, "gus"), entry(rules.NoSide, "joe")
	challenge := func(reason, opponent string) history.Entry {
		return history.Entry{Terms: match.DefaultTerms(), Reason: reason, Opponent: match.Player{Name: opponent}}
	}
	for want, all := range map[string][]history.Entry{
		"You lost to cyd (3 boards)":                    {lost},
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

func TestEndedBecause(t *testing.T) {
	for reason, want := range map[string][2]string{
		"boards": {}, "resign": {"they resigned", "you resigned"},
		"time":      {"they ran out of time", "you ran out of time"},
		"abandoned": {"they stayed away", "you stayed away"},
	} {
		for i, winner := range rules.Sides() {
			e := history.Entry{Side: rules.First, Winner: winner, Reason: reason}
			testkit.Equal(t, wording.EndedBecause(e), want[i], reason, winner)
		}
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
