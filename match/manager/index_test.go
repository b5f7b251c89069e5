package manager

import (
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/limit"
	"notakto/rules"
)

// A match that ended while its player was away was never mentioned to the player again.
func TestMissedMatchesAreReportedOnce(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		one.Close()
		pass(grace)
		for _, p := range []match.Player{bob(), guy()} {
			if all := b.TakeMissed(p.ID); len(all) != 0 {
				b.Errorf("%s missed %d matches", p.Name, len(all))
			}
		}
		all := b.TakeMissed(ann().ID)
		if len(all) != 1 || all[0].ID != one.ID() || all[0].Outcome.Winner != rules.Second {
			b.Fatalf("ann missed %+v", all)
		}
		if again := b.TakeMissed(ann().ID); len(again) != 0 {
			b.Errorf("twice: %+v", again)
		}
	})
}

func TestMissedMatchesAreBounded(t *testing.T) {
	var m missed
	for i := range 5 * limit.MaxRemembered {
		m.add(left(t, match.Player{ID: person(i % (4 * limit.MaxRemembered)).ID}))
	}
	if n := m.Len(); n > 2*limit.MaxRemembered {
		t.Errorf("the matches of %d players are kept", n)
	}
	for range 2 * maxMissed {
		m.add(left(t, ann()))
	}
	if n := len(m.take(ann().ID)); n != maxMissed {
		t.Errorf("%d are kept of one player", n)
	}
}

// left returns a match that its only player has left.
func left(t *testing.T, p match.Player) *match.State {
	t.Helper()
	s := journaltest.Fold(t, match.Event{Kind: match.Opened, Terms: match.Terms{Variant: rules.TicTacToe()}},
		match.Event{Kind: match.Seated, Seat: rules.First, Player: p}, match.Event{Kind: match.Left, Seat: rules.First})
	return &s
}
