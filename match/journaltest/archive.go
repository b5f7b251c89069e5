package journaltest

import (
	"testing"

	"notakto/match"
	"notakto/rules"
)

// Archive returns an in-memory journal with archived matches of ann and bob: each has the moves of its game, which must
// not be over, and was then resigned by bob.
func Archive(t testing.TB, games map[match.ID]string) *match.Memory {
	t.Helper()
	j := match.NewMemory(0)
	for id, text := range games {
		g, err := rules.ParseGame(text)
		if err != nil {
			t.Fatal(err)
		}
		events := []match.Event{
			{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant}},
			{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "annannannannanna", Name: "ann"}, Node: "gone"},
			{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "bobbobbobbobbobb", Name: "bob"}, Node: "gone"},
		}
		for i, m := range g.Moves {
			events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(1 + i%2), Move: m})
		}
		for i, e := range append(events, match.Event{Kind: match.Resigned, Seat: rules.Second}) {
			e.Match, e.Seq = id, uint64(i+1)
			if _, err := j.Append(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Archive(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	return j
}
