package manager

import (
	"testing"

	"notakto/rules"
)

func TestAFinishedMatchIsShownUntilBothHaveLeft(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		one.Close()
		pass(grace)
		if s := b.Finished(one.ID()); s == nil || s.Outcome.Winner != rules.Second {
			b.Errorf("it has %+v", s)
		}
		other.Close()
		pass(closeDelay)
		if s := b.Finished(one.ID()); s != nil {
			b.Errorf("once both have left it has %+v", s)
		}
	})
}
