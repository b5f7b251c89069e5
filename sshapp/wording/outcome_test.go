package wording_test

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// The line stays in the shell after quitting, and players paste it there. A name such as x&reboot would run a
// command.
func TestASharedNameIsNoCommand(t *testing.T) {
	for name, want := range map[string]string{
		"x&reboot": `"x&reboot"`, "O'Neil": `"O'Neil"`, "O'Neil & co": `"O'Neil & co"`,
		"bob_2.0+ -x": "bob_2.0+ -x", "böb": "böb", "bob#k3dx": "bob#k3dx",
	} {
		state := seated(t, match.Event{Terms: match.DefaultTerms()}, "ann", name,
			match.Event{Kind: match.Resigned, Seat: rules.First})
		got := wording.ShareLine(state, rules.First, nil, history.RatedPair{}, wording.NoHost, true)
		if !strings.Contains(got, " lost to "+want+" in 0 moves") {
			t.Errorf("%q, want %s", got, want)
		}
	}
}

func TestASharedPair(t *testing.T) {
	state := func(id match.ID, pair match.PairGame, first, second string, loser rules.Side) *match.State {
		return seated(t, match.Event{Match: id, Terms: match.RatedTerms(match.PeoplePool), Pair: pair}, first, second,
			match.Event{Kind: match.Moved, Seat: rules.First, Move: pair.Start.LegalMoves()[0]},
			match.Event{Kind: match.Resigned, Seat: loser})
	}
	one := state("one", match.FirstGame(journaltest.QuickSeed), "ann", "dan", rules.Second)
	won := state("two", one.SecondGame(), "dan", "ann", rules.First)
	split := state("two", one.SecondGame(), "dan", "ann", rules.Second)
	for want, got := range map[string]string{
		"Notakto ▦▦▦▦ won a rated pair 2–0 against dan, rating 1562, up 62  match two": share(won,
			rules.Second, false),
		"Notakto/4 lost a rated pair 0-2 against ann, rating 1562, up 62  match two": share(won, rules.First, true),
		"Notakto/4 split a rated pair 1-1 against dan, rating 1562, up 62  match two": share(split, rules.Second,
			true),
	} {
		testkit.Equal(t, got, want)
	}
}

func share(s *match.State, side rules.Side, ascii bool) string {
	return wording.ShareLine(s, side, strategy.Review(s.Start, s.Moves), ratedPair(1), wording.NoHost, ascii)
}

func TestALostPairWithoutAFirstMoveSaysSo(t *testing.T) {
	state := seated(t, match.Event{
		Terms: match.RatedTerms(match.PeoplePool), Origin: match.QueueOrigin,
		Pair: match.FirstGame(journaltest.QuickSeed),
	}, "ann", "bob", match.Event{Kind: match.Overdue, Seat: rules.First, Pair: match.PairGame{MissedBefore: true}})
	subject := func(side rules.Side) string { return state.Seat(side).Player.Name }
	want := "ann did not make a first move: game 2 was not played."
	if got := wording.Reason(state, subject); got != want || state.PairPoints(rules.Second) != 2 {
		t.Errorf("%q, want %q", got, want)
	}
}
