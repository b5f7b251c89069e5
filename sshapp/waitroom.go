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

// waitForRoom returns true once the server has room for the session. Until then a person waits in line. A program is
// refused.
func (s *Server) waitForRoom(c *channel) bool {
	switch {
	case c.slot.Position() == 0:
		return true
	case c.asked.isInteractive():
		return s.waitInLine(c)
	}
	c.conn.reject(limit.SessionRefused, "player", c.who.ID, "error", limit.ErrServerFull)
	_, _ = fmt.Fprintf(s.newStallWriter(c, c.Stderr()), "notakto: %s\n", limit.ErrServerFull)
	c.exit(cli.ExitFailure)
	return false
}

// leavingKeys are the keys that end a wait in line: Ctrl-C, Ctrl-D and q.
const leavingKeys = "\x03\x04qQ"

// waitInLine shows a person the place in line and returns true once there is room. It returns false when the person
// leaves or is idle for too long, or when the session has to end.
func (s *Server) waitInLine(sess *channel) bool {
	screen := s.newStallWriter(sess, sess)
	typed, quit := make(chan struct{}, 1), make(chan struct{}, 1)
	sess.input.watch = func(piece []byte, err error) {
		heard := typed
		if err != nil || bytes.ContainsAny(piece, leavingKeys) {
			heard = quit
		}
		select {
		case heard <- struct{}{}:
		default: // waitInLine has not taken the last one yet
		}
	}
	sess.input.set(watched)
	say := func(line string) { _, _ = fmt.Fprintln(screen, "\n"+line) }
	rule := idle.NewRule(s.settings.Load().Idle)
	anyKey := "Any key"
	if sess.asked.terminal == nil {
		anyKey = "Enter"
	}
	_, _ = fmt.Fprintln(screen, "The server is full.")
	for shown := 0; ; {
		place := sess.slot.Position()
		if place == 0 {
			sess.input.set(direct) // for the session
			say("There is room now.")
			return true
		}
		if place != shown {
			_, _ = fmt.Fprintf(screen, sess.positionLine(), place)
			shown = place
		}
		select {
		case <-sess.slot.Moved:
		case text := <-sess.inbox.notices:
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
				sess.reject(limit.Idled)
				say("You were away for a while, so your place in line is given to the next.")
				return false
			}
		case <-quit:
			_, _ = fmt.Fprintln(screen)
			return false
		case <-sess.life.ctx.Done():
			if cause := context.Cause(sess.life.ctx); !errors.Is(cause, context.Canceled) {
				say(wording.SessionEnded(cause))
			}
			return false
		}
	}
}

// positionOnScreen is one line that changes. It fits the narrowest screen, and its last spaces cover a longer number.
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
