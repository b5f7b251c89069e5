package sshapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"notakto/match/limit"
	"notakto/sshapp/cli"
	"notakto/sshapp/idle"
	"notakto/sshapp/wording"
)

// waitForRoom reports whether the session may go on, once there is room in the server. Until then a person waits in
// line; a program is refused.
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

// What ends a wait in line: Ctrl-C, Ctrl-D and q.
const leavingKeys = "\x03\x04qQ"

// waitInLine shows a person their place in line until it is their turn. It is false when they leave before that, or do
// nothing for too long, or the server stops.
func (s *Server) waitInLine(sess *channel) bool {
	screen, typed := s.newStallWriter(sess, sess), newWaitInput(recoverReader{sess.typed, s.logPanic(sess, "line")})
	sess.input = io.MultiReader(typed, sess.typed)
	go typed.read()
	say := func(line string) { _, _ = fmt.Fprintln(screen, "\n"+line) }
	rule := idle.NewRule(s.settings.Load().Idle)
	_, _ = fmt.Fprintln(screen, "The server is full.")
	for shown := 0; ; {
		place := sess.slot.Position()
		if place == 0 {
			typed.handOver.Store(true)
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
		case <-typed.typed:
			rule.Activity()
		case <-time.After(time.Until(rule.Next())):
			switch rule.Check(false) {
			case idle.Nothing:
			case idle.Warn:
				say(fmt.Sprintf("Still there? %s keeps your place; if not, goodbye in %s.", sess.anyKey(), rule.Warning()))
				shown = 0
			case idle.End:
				sess.reject(limit.Idled)
				say("You were away for a while, so your place in line is given to the next.")
				return false
			}
		case <-typed.quit:
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

// positionOnScreen is one line that changes: it fits the narrowest screen, and goes over a longer number.
const positionOnScreen = "\rYou are number %d in line. q leaves.  "

// positionLine is what a person reads in line, one line after the other where a terminal cannot go back. Without a
// terminal a key comes here with the rest of its line.
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

// anyKey is what arrives here if a person presses any key.
func (c *channel) anyKey() string {
	if c.asked.terminal == nil {
		return "Enter"
	}
	return "Any key"
}

// waitInput reads what a person types in line, and drops it, but for a key that leaves. What is typed after the wait is
// for the session: it reads the rest from here.
type waitInput struct {
	from     io.Reader
	handOver atomic.Bool   // the wait is over
	typed    chan struct{} // has a value when something was typed
	quit     chan struct{} // has a value when the person leaves, or is gone
	rest     chan []byte   // at most one piece; closed after it
	part     []byte
}

func newWaitInput(from io.Reader) *waitInput {
	return &waitInput{from: from, typed: make(chan struct{}, 1), quit: make(chan struct{}, 1), rest: make(chan []byte, 1)}
}

func (w *waitInput) read() {
	defer func() {
		close(w.rest)
		w.quit <- struct{}{}
	}()
	piece := make([]byte, inputPiece)
	for {
		n, err := w.from.Read(piece)
		switch {
		case err != nil:
			return
		case w.handOver.Load():
			w.rest <- piece[:n]
			return
		case bytes.ContainsAny(piece[:n], leavingKeys):
			return
		}
		select {
		case w.typed <- struct{}{}:
		default: // it is known already
		}
	}
}

// Read waits for the piece that was being read when the wait ended.
func (w *waitInput) Read(p []byte) (int, error) {
	if len(w.part) == 0 {
		piece, ok := <-w.rest
		if !ok {
			return 0, io.EOF
		}
		w.part = piece
	}
	n := copy(p, w.part)
	w.part = w.part[n:]
	return n, nil
}
