package sshapp

import (
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
)

// A match that was put away comes back by its name through every front end: move by move on the screen, line by line,
// and as events.
func TestAMatchIsReplayedByEveryFrontEnd(t *testing.T) {
	journal := journaltest.Archive(t, map[match.ID]string{archived: "notakto/2: A5 B5 A1 A9 B1"})
	h := startServer(t, func(o *options) { o.Journal = journal })

	screen := newPersonAt(t, h.dial("carol", newKey(t, 1)), "watch "+archived)
	screen.sees("ann won", "1 A5  ")
	screen.press("\x1b[B\x1b[B\x1b[B\x1b[B") // the board that a move kills is dead at the next one
	screen.sees("A dead")
	screen.press("q")
	screen.sees("bob resigned a won position.")
	screen.press("\x03\x03")
	if err := screen.leaves(); err != nil {
		t.Errorf("the screen ends with %v", err)
	}

	out, stderr, status := h.run("watch " + archived)
	const shown = "This match is over. 2 boards, ann against bob. This is how it went.\nBoard A: ann at 5.\nBoard B: " +
		"bob at 5.\nBoard A: ann at 1.\nBoard A: bob at 9. Board A is dead. Board left: B.\nBoard B: ann at 1.\nbob " +
		"resigned. ann won. Type review to look back, or leave.\n"
	if !strings.Contains(out, shown) || stderr != "" || status != 0 {
		t.Errorf("watch ends with %d and prints\n%s%s", status, out, stderr)
	}
	if out, _, _ := h.run("analyse --match " + archived); !strings.Contains(out,
		"Move 4, A9 by bob. One of 9 moves that win.") {
		t.Errorf("analyse prints\n%s", out)
	}

	bot := h.bot("dan", 2)
	if seen := bot.says(`{"do":"watch","match":"`+archived+`"}`, "match"); len(seen.Moves) != 5 || !seen.Over ||
		seen.Seat != 0 {
		t.Errorf("the bot sees %+v", seen)
	}
	if end := bot.gets("end"); end.Winner != 1 || end.Reason != "resign" {
		t.Errorf("the bot hears of %+v", end)
	}
}
