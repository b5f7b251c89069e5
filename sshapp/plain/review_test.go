package plain

import (
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
)

// A stored match is told move by move with its result, and can be reviewed. Another player's match offers no seat. No
// review is computed before the session has a turn.
func TestReplay(t *testing.T) {
	j := journaltest.Archive(t, match.NewMemory(), map[match.ID]string{"c6zl3rq7s7": "notakto/2: A5 B5 A1 A9 B1"})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		shown := []string{
			"This match is over. 2 boards, ann against bob. This is how it went.", "Board A: ann at 5.",
			"Board B: bob at 5.", "Board A: ann at 1.",
			"Board A: bob at 9. Board A is dead. Board left: B.", "Board B: ann at 1.",
			"bob resigned. ann won. Type review to look back, or leave.",
		}
		turns := 0
		inTurn := func(do func()) { turns++; do() }
		w, a := b.open(Config{Player: guy(), InTurn: inTurn}), b.open(Config{Player: ann(), InTurn: inTurn})
		w.asked("watch C6ZL3RQ7S7", shown...)
		w.asked("b9", "You are watching: only the players place marks.")
		w.asked("who", "You are guy. ann moves first. bob moves second. 1 person is watching. "+
			"The match's name is c6zl3rq7s7. Type watch c6zl3rq7s7 to hear it again.")
		for i, ask := range [][2]string{
			{"review 4", "Move 4, A9 by bob. One of 9 moves that win.\n"},
			{"review all", "Move 1, A5 by ann."},
			{"theory 1", "Letters say what a board is worth (lesson 5)."},
		} {
			w.asksFor(ask[0], ask[1])
			testkit.Equal(t, turns, i+1, ask[0])
		}
		a.types("computer first", "a5", "resign", "yes")
		a.asksFor("share", "Notakto")
		testkit.Equal(t, turns, 4, "share")
	})
}

func TestTheoryAndPlayOn(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.pair(2)
		a.asked("theory 1", "There is no move to look at: type theory after a match.")
		a.asked("playon 1", "There is no move to look at: type playon after a match.")
		a.types("a5")
		c.types("b5")
		c.types("resign", "yes")
		a.skips()
		a.asked("theory", "Type theory and a move's number, 1 to 2.")
		a.asked("theory 2",
			"Letters say what a board is worth (lesson 5). Multiply; a dead board is 1.",
			"Before B5: A cc, B c; together acc, so the player to move wins.",
			"After B5: A cc, B cc; together cc, so the player to move loses.",
			"The player to move loses at a, bb, bc and cc, and wins otherwise.")
		a.asked("playon x", "Type playon and a move's number, 1 to 2.")
		a.types("leave")
		a.asksFor("playon 2", "against the computer, level novice. You move second.", "Your turn.\n")
	})
}

// Between people both players hear the deadly cells. Against the computer only the player does.
func TestDeadly(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.pair(1)
		a.types("5")
		c.types("1")
		w := b.come(guy())
		w.types("watch")
		w.asked("deadly", "The players have not shown the deadly cells.")
		a.skips()
		c.asked("deadly", "You showed the deadly cells to both. Deadly: A9. Type deadly at any time to hear them.")
		a.expects("bob showed the deadly cells to both. Deadly: A9. Type deadly at any time to hear them.")
		a.asked("deadly", "Deadly: A9.")
		w.skips().asked("deadly", "Deadly: A9.")
		a.types("leave")
		a.asked("deadly", "There is no match on here.")
		a.types("computer perfect 1 first")
		a.asked("deadly", "No cell is deadly yet.")
	})
}
