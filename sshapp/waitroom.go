package sshapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"notakto/match/limit"
	"notakto/sshapp/cli"
	"notakto/sshapp/idle"
	"notakto/sshapp/wording"
)

// waitForRoom returns true once the server has room. Until then a person waits in line. A program is refused.
func (s *Server) waitForRoom(ch *channel) bool {
	switch {
	case ch.slot.Position() == 0:
		return true
	case ch.asked.isInteractive():
		return s.waitInLine(ch)
	}
	ch.conn.countRejection(limit.SessionRefused, "player", ch.identity.ID, "error", limit.ErrServerFull)
	_, _ = fmt.Fprintf(s.newStallWriter(ch, ch.Stderr()), "notakto: %s\n", limit.ErrServerFull)
	ch.exit(cli.ExitFailure)
	return false
}

const leavingKeys = "\x03\x04qQ"

// waitInLine shows a person the place in line and reports whether there is room. Otherwise the session ends.
func (s *Server) waitInLine(ch *channel) bool {
	screen := s.newStallWriter(ch, ch)
	typed, quit := make(chan struct{}, 1), make(chan struct{}, 1)
	ch.input.watch = func(piece []byte, err error) {
		heard := typed
		if err != nil || bytes.ContainsAny(piece, leavingKeys) {
			heard = quit
		}
		select {
		case heard <- struct{}{}:
		default: // a signal waits already
		}
	}
	ch.input.setMode(watched)
	say := func(line string) { _, _ = fmt.Fprintln(screen, "\n"+line) }
	rule := idle.NewRule(s.settings.Load().Idle)
	anyKey := "Any key"
	if ch.asked.terminal == nil {
		anyKey = "Enter"
	}
	_, _ = fmt.Fprintln(screen, "The server is full.")
	for shown := 0; ; {
		place := ch.slot.Position()
		if place == 0 {
			ch.input.setMode(direct) // for the session
			say("There is room now.")
			return true
		}
		if place != shown {
			_, _ = fmt.Fprintf(screen, ch.positionLine(), place)
			shown = place
		}
		select {
		case <-ch.slot.Moved:
		case text := <-ch.inbox.notices:
			say(text)
			shown = 0
		case <-typed:
			rule.Activity()
		case <-time.After(time.Until(rule.Next())):
			switch rule.Check(false) {
			case idle.Nothing:
			case idle.Warn:
				say(fmt.Sprintf("Still there? %s keeps your place; if not, goodbye in %s.", anyKey, rule.Warning()))
				shown = 0
			case idle.End:
				ch.countRejection(limit.Idled)
				say("You were away for a while, so you have lost your place in line.")
				return false
			}
		case <-quit:
			_, _ = fmt.Fprintln(screen)
			return false
		case <-ch.life.ctx.Done():
			if cause := context.Cause(ch.life.ctx); !errors.Is(cause, context.Canceled) {
				say(wording.SessionEnded(cause))
			}
			return false
		}
	}
}

// positionOnScreen is one line that changes. The line fits the narrowest screen, and its last spaces cover a longer
// number.
const positionOnScreen = "\rYou are number %d in line. q leaves.  "

// positionLine returns the format of the place in line. A terminal that can return to the start of a line shows one
// line that changes. Without a terminal, the client sends q only with the Enter after it.
func (c *channel) positionLine() string {
	const line = "You are number %d in line. "
	switch {
	case c.asked.showsScreens():
		return positionOnScreen
	case c.asked.terminal != nil:
		return line + "Press q to leave.\n"
	default:
		return line + "Type q and Enter to leave.\n"
	}
}
