package sshapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"charm.land/ssh"

	"notakto/sshapp/command"
	"notakto/sshapp/idle"
)

// What ends a wait in line: Ctrl-C, Ctrl-D and q.
const leavingKeys = "\x03\x04qQ"

// seated lets a session through once there is room in the house. Until then a person waits in line; a program is refused.
func (s *Server) seated(next ssh.Handler) ssh.Handler {
	return func(sess ssh.Session) {
		line, ok := sess.(*channel)
		switch {
		case !ok: // every session is one
		case line.visit.standing() == 0, line.waits() && s.wait(line):
			next(sess)
		case !line.waits():
			line.link.note(sessionRefused, "player", playerOf(sess).ID, "because", errHouseFull)
			_, _ = fmt.Fprintf(s.patiently(sess, line.Stderr()), "notakto: %s\n", errHouseFull)
			_ = sess.Exit(int(command.Failing))
		}
	}
}

// waits reports whether somebody sits before the session and can be told to wait.
func (c *channel) waits() bool {
	words := c.Command()
	return !c.files && (c.terminal != nil || len(words) > 0 && words[0] == "plain")
}

// wait tells a person their place in line until it is their turn. It is false when they leave before that, or do nothing for too long, or the
// server stops.
func (s *Server) wait(sess *channel) bool {
	screen, typed := s.patiently(sess, sess), newTypeahead(recovering{sess.Channel, s.blames(sess, "line")})
	sess.input = io.MultiReader(typed, sess.Channel)
	go typed.read()
	say := func(line string) { _, _ = fmt.Fprintln(screen, "\n"+line) }
	rule := idle.NewRule(s.settings.Idle)
	_, _ = fmt.Fprintln(screen, "The house is full.")
	for told := 0; ; {
		place := sess.visit.standing()
		if place == 0 {
			typed.hand.Store(true)
			say("There is room now.")
			return true
		}
		if place != told {
			_, _ = fmt.Fprintf(screen, placeLine(sess), place)
			told = place
		}
		select {
		case <-sess.visit.moved:
		case <-typed.heard:
			rule.Heard()
		case <-time.After(time.Until(rule.Next())):
			switch rule.Due(false) {
			case idle.Nothing:
			case idle.Warn:
				say(fmt.Sprintf("Still there? %s keeps your place; if not, goodbye in %s.", anyKey(sess), rule.Warning()))
				told = 0
			case idle.End:
				sess.link.note(idled, "session", sessionID(sess))
				say("You were away for a while, so your place in line is given to the next.")
				return false
			}
		case <-typed.left:
			_, _ = fmt.Fprintln(screen)
			return false
		case <-s.stopping.Done():
			say(goodbye)
			return false
		case <-sess.life.Done():
			if cause := context.Cause(sess.life); !errors.Is(cause, context.Canceled) {
				say(ended(cause))
			}
			return false
		}
	}
}

// placeOnScreen is one line that changes: it fits the narrowest screen, and goes over a longer number.
const placeOnScreen = "\rYou are number %d in line. q leaves.  "

// placeLine is what a person reads in line, one line after the other where a terminal cannot go back. Without a terminal a key comes here
// with the rest of its line.
func placeLine(sess *channel) string {
	const line = "You are number %d in line. "
	switch {
	case showsScreens(sess):
		return placeOnScreen
	case sess.terminal != nil:
		return line + "Press q to leave.\n"
	default:
		return line + "Type q and Enter to leave.\n"
	}
}

// anyKey is what arrives here if a person presses any key.
func anyKey(sess *channel) string {
	if sess.terminal == nil {
		return "Enter"
	}
	return "Any key"
}

// typeahead reads what a person types in line, and drops it, but for a key that leaves. What is typed after the wait is for the session: it
// reads the rest from here.
type typeahead struct {
	from  io.Reader
	hand  atomic.Bool   // the wait is over
	heard chan struct{} // has a value when something was typed
	left  chan struct{} // has a value when the person leaves, or is gone
	rest  chan []byte   // at most one piece; closed after it
	part  []byte
}

func newTypeahead(from io.Reader) *typeahead {
	return &typeahead{from: from, heard: make(chan struct{}, 1), left: make(chan struct{}, 1), rest: make(chan []byte, 1)}
}

func (t *typeahead) leave() {
	close(t.rest)
	t.left <- struct{}{}
}

func (t *typeahead) read() {
	defer t.leave()
	piece := make([]byte, readBuffer)
	for {
		n, err := t.from.Read(piece)
		switch {
		case err != nil:
			return
		case t.hand.Load():
			t.rest <- piece[:n]
			return
		case bytes.ContainsAny(piece[:n], leavingKeys):
			return
		}
		select {
		case t.heard <- struct{}{}:
		default: // it is known already
		}
	}
}

// Read waits for the piece that was being read when the wait ended.
func (t *typeahead) Read(p []byte) (int, error) {
	if len(t.part) == 0 {
		piece, ok := <-t.rest
		if !ok {
			return 0, io.EOF
		}
		t.part = piece
	}
	n := copy(p, t.part)
	t.part = t.part[n:]
	return n, nil
}
