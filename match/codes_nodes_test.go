package match

import (
	"testing"

	"notakto/rules"
)

// Two nodes draw the same code: it leads to the table that was recorded first, and the other table gets another code.
func TestSameCodeAtTwoNodes(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *bed) {
		draws := newDice(b.cfg.Seed)
		draws.side()
		draws.id()
		drawn := draws.code()
		j.interrupt(Opened, func() {
			for i, e := range []Event{
				{Kind: Opened, Variant: rules.DefaultVariant(), Code: drawn}, {Kind: Seated, Seat: rules.First, Player: bob(), Node: farNode},
			} {
				e.Match, e.Seq = "first", uint64(i)+1
				_, err := j.Append(b.Context(), e)
				b.must(err)
			}
		})
		id, code := b.private(ann())
		if code == drawn {
			b.Fatalf("both tables have the code %s", code)
		}
		for want, c := range map[ID]Code{"first": drawn, id: code} {
			if got, _, err := b.Join(b.Context(), cleo(), c); got != want {
				b.Errorf("the code %s leads to %q, want %q: %v", c, got, want, err)
			}
		}
		if on, over := b.register.busy(); len(on) != 2 || len(over) != 1 || !over[0].Closed {
			b.Errorf("%d matches are on, and %v are over", len(on), over)
		}
	})
}
