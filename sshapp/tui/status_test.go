package tui

import (
	"testing"

	"notakto/match"
)

func TestAnnouncement(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/9")
		second.press("q y")
		first.resize(40, 16)
		first.send(failedMsg{nil, match.ErrTooMany})
		first.send(Announcement("Operator: the server restarts at noon; your match is kept."))
		first.mustSee("Operator: the server restarts at noon;", "your match is kept.")
		first.send(Notice("The server restarts in 10 seconds; your match is kept."))
		first.press("right")
		first.mustSee("Operator: the server restarts at")
		first.press("?")
		first.mustNotSee("Operator")
		first.press("6s esc")
		first.mustSee("Operator: the server restarts at")
		first.press("right")
		first.mustNotSee("Operator")
		first.mustSee("The server restarts in 10 seconds;", "your match is kept.")
		first.press("right").mustNotSee("restarts")
		second.send(Announcement("Maintenance at noon."))
		second.status.tell("gus challenges you.") // which waits
		second.mustSee("Maintenance at noon.")
		b.advance(announcementTime)
		second.press("down").mustSee("gus challenges you.")
		second.press("down").mustNotSee("gus challenges you.")
	})
}
