package tui

import (
	"testing"
	"time"

	"notakto/match"
)

// The server's notices are shown until a key is pressed, over two lines in a small window.
func TestNotice(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/9")
		first.resize(40, 16)
		first.send(Notice("The server restarts in 10 seconds; your match is kept."))
		first.mustSee("The server restarts in 10 seconds;", "your match is kept.")
		first.press("right")
		first.mustNotSee("restarts")
	})
}

// What those who look after the server announce is read before all else, and not lost by a key that was just typed.
func TestAnnouncement(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second := b.pair("notakto/9")
		second.press("q y")
		first.resize(40, 16)
		first.send(failed{nil, match.ErrTooMany})
		first.send(Announcement("Operator: the server restarts at noon; your match is kept."))
		first.mustSee("Operator: the server restarts at noon;", "your match is kept.")
		first.press("right")
		first.mustSee("Operator: the server restarts at")
		first.press("?")
		first.mustNotSee("Operator")
		b.advance(6 * time.Second)
		first.press("esc")
		first.mustSee("Operator: the server restarts at")
		first.press("right")
		first.mustNotSee("Operator")
	})
}

// A message that comes while an announcement is unread took its place. It waits until the announcement has been read.
func TestMessageAfterAnnouncement(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, _ := b.pair("notakto/9")
		first.send(Announcement("Operator: the server restarts at noon."))
		first.send(Notice("The server restarts in 10 seconds."))
		first.mustSee("Operator: the server restarts at noon.")
		first.mustNotSee("in 10 seconds")
		b.advance(6 * time.Second)
		first.press("right")
		first.mustSee("The server restarts in 10 seconds.")
		first.press("right")
		first.mustNotSee("restarts")
	})
}
