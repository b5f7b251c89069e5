package plain

import (
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/sshapp/start"
)

// A match that was put away is told move by move, then how it ended, and can be reviewed; somebody else's is no place
// to sit at.
func TestReplay(t *testing.T) {
	j := journaltest.Archive(t, map[match.ID]string{"c6zl3rq7s7": "notakto/2: A5 B5 A1 A9 B1"})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		shown := []string{
			"This match is over. 2 boards, ann against bob. This is how it went.", "Board A: ann at 5.", "Board B: bob at 5.", "Board A: ann at 1.",
			"Board A: bob at 9. Board A is dead. Board left: B.", "Board B: ann at 1.",
			"bob resigned. ann won. Type review to look back, or leave.",
		}
		w := b.open(Config{Player: guy(), Start: start.Start{At: start.Match, Match: "c6zl3rq7s7"}})
		w.expects(append([]string{"Notakto, line by line. You are guy."}, shown...)...)
		w.asked("b9", "You are watching: only the players place marks.")
		w.asked("review 4", "Move 4, A9 by bob: won, and as good as any. Best: A9 B1 B2 B3 B4 B6 B7 B8 B9.")
		w.skips().types("leave")
		w.asked("watch C6ZL3RQ7S7", shown...)
		w.asked("who", "You are guy. ann moves first. bob moves second. 1 person is watching. "+
			"This match is called c6zl3rq7s7: watch c6zl3rq7s7 tells it again.")
	})
}
