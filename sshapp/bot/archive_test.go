package bot

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
)

// Watching tells a stored match to spectators and to its players, and state tells it to its players. Other requests
// fail.
func TestAnArchivedMatch(t *testing.T) {
	j := journaltest.Archive(t, match.NewMemory(), map[match.ID]string{"c6zl3rq7s7": "notakto/2: A5 B5 A1 A9 B1"})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		const ended = "end match=c6zl3rq7s7 winner=1 reason=resign"
		for _, test := range []struct {
			p        match.Player
			do, seat string
		}{{cleo(), "watch", "0"}, {bob(), "watch", "0"}, {bob(), "state", "2"}} {
			seat, c := test.seat, b.enter(test.p)
			c.says(`{"do":"` + test.do + `","match":"c6zl3rq7s7"}`)
			events := c.received()
			events[0].is(t, `match seat=`+seat+` moves=["A5","B5","A1","A9","B1"] turn=0 over=true`)
			for _, e := range events[1 : len(events)-1] {
				e.is(t, "presence present=false")
			}
			events[len(events)-1].is(t, ended)
			c.says(`{"do":"move","match":"c6zl3rq7s7","move":"B2"}`)
			answers, want := c.received(), "match_over"
			if test.p == cleo() {
				want = "not_seated"
			}
			testkit.Equal(t, answers[len(answers)-1].str("code"), want, seat)
			c.leaves()
		}
	})
}
