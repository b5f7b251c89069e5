package journaltest

import (
	"context"

	"notakto/match"
	"notakto/rules"
)

// Archived puts a match of ann and bob, that was played so far and then resigned by bob, into a journal, and away. The moves have to be legal,
// and not to end it.
func Archived(ctx context.Context, j match.Journal, id match.ID, v rules.Variant, moves ...rules.Move) error {
	events := []match.Event{
		{Kind: match.Opened, Variant: v},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "SHA256:ann", Name: "ann"}, Node: "gone"},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "SHA256:bob", Name: "bob"}, Node: "gone"},
	}
	for i, m := range moves {
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(1 + i%2), Move: m})
	}
	for i, e := range append(events, match.Event{Kind: match.Resigned, Seat: rules.Second}) {
		e.Match, e.Seq = id, uint64(i+1)
		if _, err := j.Append(ctx, e); err != nil {
			return err
		}
	}
	return j.Retire(ctx, id)
}
