package manager

import (
	"testing"

	"notakto/match"
	"notakto/rules"
)

// A match is told when it ends, while its winner still looks at it, with who was away.
func TestAMatchIsToldWhenItEnds(t *testing.T) {
	var ended []*match.State
	inBubble(t, Config{OnEnded: func(s *match.State) { ended = append(ended, s) }}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		one.Close()
		pass(grace)
		if len(ended) != 1 || ended[0].ID != one.ID() || ended[0].Outcome.Winner != rules.Second ||
			ended[0].SeatState(rules.First).Present || !ended[0].SeatState(rules.Second).Present {
			b.Fatalf("it told of %+v", ended)
		}
		if s := b.Finished(one.ID()); s == nil || s.Outcome != ended[0].Outcome {
			b.Errorf("it has %+v", s)
		}
		other.Close()
		pass(closeDelay)
		if s := b.Finished(one.ID()); len(ended) != 1 || s != nil {
			b.Errorf("once both have left it told of %d matches, and has %+v", len(ended), s)
		}
	})
}
