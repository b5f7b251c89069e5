package sshapp

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"notakto/match/limit"
)

// Lines that a player pastes by mistake, more of them than the window of a channel holds.
var (
	pastedLine  = "rm -rf ~ # a line that is for a shell\r"
	pastedLines = strings.Repeat(pastedLine, 3<<20/len(pastedLine))
)

// A paste of 4,400 bytes ended the session, and one of 5,000 took the keyboard for good.
func TestAPasteOfMegabytesChangesNothing(t *testing.T) {
	besideOthers(t)
	for command, sees := range map[string]string{"": "Play someone", "play": "Waiting for an opponent"} {
		t.Run(sees, func(t *testing.T) {
			t.Parallel()
			h := startServer(t, func(o *options) { o.MaxInputRate = limit.DefaultSettings().MaxInputRate })
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

// When a session ended in the middle of a paste, the player's own shell read the rest, and ran its lines.
func TestTheRestOfAPasteIsRead(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	for i, one := range []struct{ name, command, sees, typed string }{
		{"a key in it quits", "", "Play someone", "\x03\x03" + pastedLines},
		{"it is too much", "", "Play someone", strings.Repeat("j", len(pastedLines))},
		{"it is no key", "", "Play someone", "\x1b]0;" + strings.Repeat("j", len(pastedLines))},
		{"a line in it quits", "plain", "line by line", "quit\r" + pastedLines},
		{"a key quits while waiting", "play", "Waiting for an opponent", "\x03\x03" + pastedLines},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			p := newPersonAt(t, h.in(t).dial("alice", newKey(t, byte(i+1))), one.command)
			p.sees(one.sees)
			if n, err := io.WriteString(p.keys, one.typed); err != nil {
				t.Errorf("%d of %d bytes were read before the end: %v", n, len(one.typed), err)
			}
			_ = p.leaves()
		})
	}
}

// A session that was held up for too long hung up on its client, in the middle of a paste.
func TestTheRestOfAPasteThatIsTooSlowIsRead(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.MaxInputRate = limit.DefaultSettings().MaxInputRate })
	p := newPersonAt(t, h.dial("alice", newKey(t, 1)), "plain")
	p.sees("line by line")
	for _, c := range h.sessions.list() {
		c.conn.roundTrip.took.Store(int64(time.Second)) // so that a pause of a busy machine is not the end of the paste
	}
	if n, err := io.WriteString(p.keys, strings.Repeat("\r", len(pastedLines))); err != nil {
		t.Errorf("%d bytes were read before the end: %v", n, err)
	}
	_ = p.leaves()
	if h.rejections.Counts.Get(limit.UnreadInput) != 1 {
		t.Error("the reason is not counted")
	}
}

// A paste that quit in its first piece was taken for keys, so that the player's own shell read the rest.
func TestTheFirstPieceOfAPasteIsNoKeyboard(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	p := newPersonAt(t, h.dial("alice", newKey(t, 1)), "plain")
	p.sees("line by line")
	quit := "quit\r" + strings.Repeat(" ", inputPiece-len("quit\r"))
	if _, err := io.WriteString(p.keys, quit); err != nil {
		t.Fatal(err)
	}
	p.sees("Goodbye")
	if n, err := io.WriteString(p.keys, pastedLines); err != nil {
		t.Errorf("%d bytes were read before the end: %v", n, err)
	}
	_ = p.leaves()
}

// A session that was kicked, or that had to give way, kept its place for ten seconds while its client pasted on.
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
			go func() { // without end, and no faster than it is read
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
				if c.who.ID == h.player(byte(i+1), "").ID {
					c.life.end(cause)
				}
			}
			<-done
			if took := time.Since(began); took >= maxExitDrain {
				t.Errorf("held its place for %v", took)
			}
		})
	}
}
