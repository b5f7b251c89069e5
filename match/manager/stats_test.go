package manager

import (
	"testing"

	"notakto/rules"
)

func TestMatchesAreCounted(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, two := b.pair(rules.DefaultVariant())
		state, err := b.tables.index.match(one.ID())
		b.must(err)
		two.IsBot = true
		b.onlooker(one.ID())
		pass(transientEvery)
		s, kind := b.Stats, ActiveLabels{rules.DefaultVariant().String(), ByPerson, "playing"}
		if s.Active.Get(kind) != 1 || s.Spectators.Load() != 1 ||
			s.Started.Get(StartedLabels{kind.Variant, ByPerson, originName(state.Origin)}) != 1 {
			b.Errorf("%d active, %d watch", s.Active.Get(kind), s.Spectators.Load())
		}
		b.play(one, "A5")
		b.play(two, "B5")
		b.must(one.Resign(b.Context()))
		if s.Moves.Get(ByPerson) != 1 || s.Moves.Get(ByBot) != 1 || s.Moves.Get(ByComputer) != 0 {
			b.Errorf("%d moves of people, %d of bots", s.Moves.Get(ByPerson), s.Moves.Get(ByBot))
		}
		if s.Active.Get(kind) != 0 || s.Ended.Get(EndedLabels{kind.Variant, ByPerson, "resign"}) != 1 {
			b.Errorf("%d are active still", s.Active.Get(kind))
		}
	})
}
