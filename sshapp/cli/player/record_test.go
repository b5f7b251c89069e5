package player

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A void match is not a draw.
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
	newRecord([]match.State{s}).describe(func(format string, values ...any) {
		_, _ = fmt.Fprintf(&text, format+"\n", values...)
	}, &s)
	if want := "\nCancelled. ann did not make a first move.\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("%q does not end with %q", text.String(), want)
	}
}
