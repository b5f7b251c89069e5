package sshapp

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"charm.land/ssh"

	"notakto/sshapp/command"
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

// wait tells a person their place in line until it is their turn. It is false when they leave before that, or the server stops.
func (s *Server) wait(sess *channel) bool {
	screen, typed := s.patiently(sess, sess), newTypeahead(sturdy{sess.Channel, s.blames(sess, "line")})
	sess.input = io.MultiReader(typed, sess.Channel)
	go typed.read()
	_, _ = fmt.Fprintln(screen, "The house is full.")
	for {
		place := sess.visit.standing()
		if place == 0 {
			typed.hand.Store(true)
			_, _ = fmt.Fprintln(screen, "\nThere is room now.")
			return true
		}
		_, _ = fmt.Fprintf(screen, placeLine(sess), place)
		select {
		case <-sess.visit.moved:
		case <-typed.left:
			_, _ = fmt.Fprintln(screen)
			return false
		case <-s.stopping.Done():
			_, _ = fmt.Fprintln(screen, "\n"+goodbye)
			return false
		case <-sess.life.Done():
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

// typeahead reads what a person types in line, and drops it, but for a key that leaves. What is typed after the wait is for the session: it
// reads the rest from here.
type typeahead struct {
	from io.Reader
	hand atomic.Bool   // the wait is over
	left chan struct{} // has a value when the person leaves, or is gone
	rest chan []byte   // at most one piece; closed after it
	part []byte
}

func newTypeahead(from io.Reader) *typeahead {
	return &typeahead{from: from, left: make(chan struct{}, 1), rest: make(chan []byte, 1)}
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
