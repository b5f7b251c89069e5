package bot

import (
	"context"
	"errors"
	"fmt"
)

// exitNotice sends why the session ends although the bot did not end it, and what becomes of the matches that it has
// on. It sends nothing if the client has gone.
func (s *session) exitNotice(cause error) {
	if errors.Is(cause, context.Canceled) {
		return
	}
	message := cause.Error()
	switch n := len(s.config.Manager.MatchesOf(s.player.ID)); n {
	case 0:
	case 1:
		message += ": your match is kept, goes on where it stands, and is in the welcome then"
	default:
		message += fmt.Sprintf(": your %d matches are kept, go on where they stand, and are in the welcome then", n)
	}
	if s.seek.IsWaiting() {
		message += "; " + queueClosed
	}
	s.notice(message)
}

// queueClosed is sent to a bot that waits when the server stops: a place in the queue does not outlast the session.
const queueClosed = "you wait for an opponent no longer: seek again when you have come back"
