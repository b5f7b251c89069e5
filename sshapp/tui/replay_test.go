package tui

import (
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/sshapp/start"
)

// Watching a match that was put away begins at the first move of its review; the result is behind it.
func TestReplay(t *testing.T) {
	j := journaltest.Archive(t, map[match.ID]string{"c6zl3rq7s7": "notakto/2: A5 B5 A1 A9 B1", "aaaaaaaaaa": "notakto/2:"})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match, Match: "c6zl3rq7s7"})
		cleo.mustSee("2 boards, ann won", "Match c6zl3rq7s7", "1 A5  ")
		if n := strings.Count(cleo.sees(), "▀▄ ▄▀"); n != 1 {
			t.Errorf("%d crosses after the first move:\n%s", n, cleo.sees())
		}
		cleo.press("down down down")
		cleo.mustSee("4 A9  ", "┏     ┓")
		cleo.mustNotSee("A dead")
		cleo.press("down")
		cleo.mustSee("5 B1  ", "A dead")
		cleo.press("esc")
		cleo.mustSee("ann won", "bob resigned a won position.")
		cleo.press("v")
		cleo.mustSee("5 B1  ")
		cleo.press("esc q")
		cleo.mustSee("Play someone")
		empty := b.comeTo(keyed("dan"), start.Start{At: start.Match, Match: "aaaaaaaaaa"})
		empty.mustSee("ann won", "bob resigned.")
		nowhere := b.comeTo(keyed("eve"), start.Start{At: start.Match, Match: "nosuchmatch"})
		nowhere.mustSee("There is no such match.", "Play someone")
	})
}

// A key that was held down opened eight matches, as many as a player may have.
func TestPlayOnOpensOneMatch(t *testing.T) {
	j := journaltest.Archive(t, map[match.ID]string{"c6zl3rq7s7": "notakto/2: A5 B5 A1 A9 B1"})
	inBubbleWith(t, manager.Config{Journal: j}, func(b *harness) {
		cleo := b.comeTo(keyed("cleo"), start.Start{At: start.Match, Match: "c6zl3rq7s7"})
		cleo.mustSee("2 boards, ann won")
		for range 5 {
			cleo.take(keyPress("p"))
		}
		b.rest()
		cleo.mustSee("Your turn")
		if n := len(b.manager.MatchesOf("SHA256:cleo")); n != 1 {
			t.Errorf("%d matches were opened", n)
		}
	})
}
