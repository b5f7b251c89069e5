package player

import (
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// With a clock, a move has the time that was charged for it: the time in which the server was down is not.
func TestAMoveTookWhatWasCharged(t *testing.T) {
	days, err := match.Correspondence(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		clock match.Clock
		want  time.Duration
	}{{match.Clock{}, 10 * time.Hour}, {days, 3 * time.Second}} {
		events := []match.Event{
			{Kind: match.Opened, Terms: match.Terms{Variant: rules.DefaultVariant(), Clock: test.clock}},
			{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "a", Name: "ann"}},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "b", Name: "bob"}},
			{Kind: match.Moved, Seat: rules.First, Spent: 3 * time.Second},
		}
		var before, after match.State
		for i, e := range events {
			e.Match, e.Seq, e.At = "m", uint64(i+1), time.UnixMilli(1)
			if e.Kind == match.Moved {
				e.Move, e.At, before = rules.Move{Cell: 5}, e.At.Add(10*time.Hour), after
			}
			if after, err = after.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if got := took(&before, &after); got != test.want {
			t.Errorf("with %v it took %v, want %v", test.clock, got, test.want)
		}
	}
}

// A match that ended without a result was shown as a draw.
func TestTheRecordOfAVoidMatch(t *testing.T) {
	s := match.State{}
	for i, e := range []match.Event{
		{Kind: match.Opened, Terms: match.DefaultTerms(), Origin: match.QueueOrigin},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "a", Name: "ann"}},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "b", Name: "bob"}},
		{Kind: match.Overdue, Seat: rules.First},
	} {
		e.Match, e.Seq, e.At = "m", uint64(i+1), time.UnixMilli(1)
		var err error
		if s, err = s.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	if err := recordOf([]match.State{s}).writeText(&text, &s); err != nil {
		t.Fatal(err)
	}
	if want := "\nCancelled. ann did not make a first move.\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("%q does not end with %q", text.String(), want)
	}
}
