package bot

import (
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
)

// A match that was put away is told by watching it, to spectators and to its players; nothing can be done there any
// more.
func TestAnArchivedMatch(t *testing.T) {
	j := journaltest.Archive(t, map[match.ID]string{"c6zl3rq7s7": "notakto/2: A5 B5 A1 A9 B1"})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		const ended = "end match=c6zl3rq7s7 winner=1 reason=resign"
		for p, seat := range map[match.Player]string{cleo(): "0", bob(): "2"} {
			c := b.enter(p)
			c.says(`{"do":"watch","match":"c6zl3rq7s7"}`)
			events := c.received()
			events[0].is(t, `match seat=`+seat+` moves=["A5","B5","A1","A9","B1"] turn=0 over=true`)
			for _, e := range events[1 : len(events)-1] {
				e.is(t, "presence present=false")
			}
			events[len(events)-1].is(t, ended)
			c.says(`{"do":"move","match":"c6zl3rq7s7","move":"B2"}`)
			if got := c.received()[0].str("code"); got != "match_over" && seat == "2" || got != "not_seated" && seat == "0" {
				t.Errorf("a move of seat %s is answered by %s", seat, got)
			}
			c.leaves()
		}
	})
}
