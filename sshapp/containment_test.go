package sshapp

import (
	"context"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/sshapp/screen"
	"notakto/sshapp/start"
	"notakto/sshapp/tui/draw"
)

// Names of players whose session has a fault at a certain place.
const (
	faultyFrontEnd = "front-end"
	faultyView     = "view"
	faultyInput    = "input"
	faultyKeys     = "keys"
	faultyPayment  = "payment"
)

// spoiled makes a server panic for some players.
func spoiled(s *Server) {
	s.serveFrontEnd = func(c *channel) {
		switch c.conn.client.User() {
		case faultyFrontEnd:
			panic("a fault in the front end")
		case faultyInput:
			c.input.from = faultyReader{}
			s.serveCommand(c)
		case faultyKeys:
			c.input.from = faultyReader{}
			s.serveScreen(c, start.Start{})
		case faultyPayment:
			c.input.pay = func(context.Context, int) { panic("a fault in the input") }
			s.serveCommand(c)
		case faultyView:
			config := s.screenConfig(c, start.Start{})
			config.Screens.Theme = new(draw.Theme)
			screen.Run(c.life.ctx, c.input, config)
		default:
			s.route(c)
		}
	}
}

type faultyReader struct{}

func (faultyReader) Read([]byte) (int, error) { panic("a fault in the input") }

// A panic once ended the server and every match on it. Front ends without a screen read on their own goroutines.
func TestAPanicEndsThatSessionOnly(t *testing.T) {
	h := startServer(t, func(o *options) { o.spoil = spoiled })
	bystander := h.inLobby("alice", 1)
	for i, where := range []string{faultyFrontEnd, faultyKeys, faultyView} {
		p := h.sit(where, newKey(t, byte(10+i)))
		if err := p.leaves(); where == faultyFrontEnd && err == nil {
			t.Error("the front end's session ended as if nothing had been")
		}
		if where != faultyFrontEnd {
			p.sees("A server fault")
			p.restored()
		}
		_ = p.client.Close()
	}
	testkit.Contains(t, h.log.String(), "a fault in the front end")
	for i, user := range []string{faultyInput, faultyPayment} {
		client := h.dial(user, newKey(t, byte(30+i)))
		for _, command := range []string{"plain", "bot", "classic two"} {
			session, err := client.NewSession()
			testkit.OK(t, err)
			session.Stdin = strings.NewReader("help\n")
			before := strings.Count(h.log.String(), "a fault in the input")
			_ = session.Run(command)
			eventually(t, "the fault of "+user+" in "+command+" in the log", func() bool {
				return strings.Count(h.log.String(), "a fault in the input") > before
			})
		}
		_ = client.Close()
	}
	h.knownLogins = nil // every login reads it
	for _, key := range []gossh.Signer{newKey(t, 20), nil} {
		if h.fails(login("bob", key)) == nil {
			t.Error("the faulty login succeeded")
		}
	}
	eventually(t, "the others to be gone", func() bool { return h.inside() == 1 && h.handshaking() == 0 })
	bystander.isThere()
}

// A session with a request that panics once stayed for ever, and kept its place.
func TestAPanicInARequestLeavesNoSession(t *testing.T) {
	h := startServer(t)
	for further := range 2 { // a further channel has a goroutine for its requests
		client := h.dial("ann", newKey(t, 1))
		for range further {
			newPerson(t, client, "xterm-256color", 80, 24).sees("Play someone")
		}
		p := newPerson(t, client, "xterm-256color", 80, 24)
		p.sees("Play someone")
		for _, c := range h.sessions.list() {
			c.inbox.onResize(func() { panic("a fault in a request") })
		}
		testkit.OK(t, p.session.WindowChange(30, 100))
		_ = client.Close() // the first channel's fault ends the connection
		eventually(t, "the sessions to be gone", func() bool { return h.inside() == 0 && h.admission.Sessions() == 0 })
	}
}
