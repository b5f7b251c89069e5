package sshapp

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/limit"
)

// Lines pasted by mistake, more than the window of a channel holds.
var (
	pastedLine  = "rm -rf ~ # a line that is for a shell\r"
	pastedLines = strings.Repeat(pastedLine, 3<<20/len(pastedLine))
)

// A paste of 4,400 bytes once ended the session, and one of 5,000 bytes blocked the keyboard for good.
func TestAPasteOfMegabytesChangesNothing(t *testing.T) {
	besideOthers(t)
	for command, sees := range map[string]string{"": "Play someone", "play": "Waiting for an opponent"} {
		t.Run(sees, func(t *testing.T) {
			t.Parallel()
			h := startServer(t, pacedInput)
			p := newPersonAt(t, h.dial("alice", newKey(t, 1)), command)
			p.sees(sees)
			p.press("\x1b[200~" + pastedLines + "\x1b[201~?")
			p.sees("Any key goes back")
			if h.rejections.Counts.Get(limit.KeyFlood)+h.rejections.Counts.Get(limit.UnreadInput) > 0 {
				t.Error("the paste is counted as a flood")
			}
		})
	}
}

// After a session's end in the middle of a paste, or in its first piece, the player's own shell once read the rest and
// ran its lines. So it was when a session was held up for too long.
func TestTheRestOfAPasteIsRead(t *testing.T) {
	besideOthers(t)
	usual := func(*options) {}
	for _, one := range []struct {
		name, command, sees, typed string
		change                     func(*options)
	}{
		{"a key in it quits", "", "Play someone", "\x03\x03" + pastedLines, usual},
		{"it is no key", "", "Play someone", "\x1b]0;" + strings.Repeat("j", len(pastedLines)), usual},
		{"a line in it quits", "plain", "line by line", "quit\r" + pastedLines, usual},
		{"its first piece quits", "plain", "line by line", "quit\r" + strings.Repeat(" ", inputPiece-5), usual},
		{"a key quits while waiting", "play", "Waiting for an opponent", "\x03\x03" + pastedLines, usual},
		{"it is too slow", "plain", "line by line", strings.Repeat("\r", len(pastedLines)), heldUp},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			h := startServer(t, one.change)
			p := newPersonAt(t, h.dial("alice", newKey(t, 1)), one.command)
			p.sees(one.sees)
			h.waitLongForPastes()
			_, err := io.WriteString(p.keys, one.typed)
			testkit.OK(t, err)
			if len(one.typed) == inputPiece {
				p.sees("Goodbye")
				_, err := io.WriteString(p.keys, pastedLines)
				testkit.OK(t, err)
			}
			_ = p.leaves()
			isTooSlow := h.rejections.Counts.Get(limit.UnreadInput) == 1
			testkit.Equal(t, isTooSlow, one.name == "it is too slow")
		})
	}
}

// heldUp makes each session look as if it had waited for maxPayWait already, so that its next wait ends it.
func heldUp(o *options) {
	pacedInput(o)
	o.spoil = func(s *Server) {
		s.serveFrontEnd = func(c *channel) {
			c.input.pay = func(ctx context.Context, price int) {
				if c.life.ctx.Err() == nil {
					c.input.heldUp.Store(int64(maxPayWait))
				}
				c.input.payAddress(ctx, price)
			}
			s.route(c)
		}
	}
}

func pacedInput(o *options) { o.MaxInputRate = limit.DefaultSettings().MaxInputRate }

// waitLongForPastes keeps a pause of a busy machine from ending a paste, by a long round trip for each session. Before
// that, it waits for the answers that would measure a shorter one.
func (s *testServer) waitLongForPastes() {
	for _, c := range s.sessions.list() {
		for range roundTripQuestions + 1 {
			_ = c.conn.roundTrip.ask(context.Background(), c.conn.client)
		}
		c.conn.roundTrip.shortestNanos.Store(int64(time.Second))
	}
}

// A session that was kicked or had to give way once kept its place for ten seconds while its client went on pasting.
func TestAPasteHoldsNoPlaceOfASessionThatMustGo(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	for i, cause := range []error{kickedError{}, bannedError{}, limit.ErrGaveWay, limit.ErrGaveWayAddress} {
		t.Run(fmt.Sprintf("%T %[1]v", cause), func(t *testing.T) {
			t.Parallel()
			key := newKey(t, byte(i+1))
			p := newPersonAt(t, h.in(t).dial("alice", key), "plain")
			p.sees("line by line")
			done := make(chan struct{})
			go func() { // endless, at the pace of the reader
				defer close(done)
				for {
					<-time.After(20 * time.Millisecond)
					if _, err := io.WriteString(p.keys, strings.Repeat(pastedLine, 8)); err != nil {
						return
					}
				}
			}()
			p.sees("There is no command rm")
			began := time.Now()
			for _, c := range h.sessions.list() {
				if c.identity.ID == h.player(byte(i+1), "").ID {
					c.life.end(cause)
				}
			}
			<-done
			if took := time.Since(began); took >= maxExitDiscard {
				t.Errorf("held its place for %v", took)
			}
		})
	}
}
