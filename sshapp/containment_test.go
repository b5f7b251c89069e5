package sshapp

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"notakto/sshapp/start"
)

// faulty is where a fault is put in: the name of the player whose session has it.
const (
	faultyDoor   = "door"
	faultyUpdate = "update"
	faultyCmd    = "cmd"
	faultyLogin  = "login"
)

// spoiled is a server that panics for some players.
func spoiled(s *Server) {
	sound, soundLogin := s.ssh.Handler, s.ssh.PublicKeyHandler
	s.ssh.PublicKeyHandler = func(ctx ssh.Context, key ssh.PublicKey) bool {
		if ctx.User() == faultyLogin {
			panic("a fault in the login")
		}
		return soundLogin(ctx, key)
	}
	faults := map[string]tea.Msg{
		faultyUpdate: idleMsg{}, // without a rule to judge by
		faultyCmd:    tea.BatchMsg{func() tea.Msg { panic("a fault in a command") }},
	}
	doors := s.contained(func(sess ssh.Session) {
		switch fault := faults[sess.User()]; {
		case sess.User() == faultyDoor:
			panic("a fault in the door")
		case fault != nil:
			s.playOneFault(sess.(*channel), fault)
		}
	})
	s.ssh.Handler = func(sess ssh.Session) {
		switch sess.User() {
		case faultyDoor, faultyUpdate, faultyCmd:
			doors(sess)
		default:
			sound(sess)
		}
	}
}

// playOneFault is the game with a message that it cannot survive.
func (s *Server) playOneFault(sess *channel, fault tea.Msg) {
	g := s.newGame(context.Background(), sess, start.Place{})
	defer g.idle.stop()
	defer g.close()
	g.stage.draw()
	go g.program.Send(fault)
	if _, err := g.program.Run(); err == nil {
		panic("there was no fault")
	}
	g.stage.farewell = apology
}

// A panic anywhere ended the server and every match on it.
func TestAPanicEndsThatSessionOnly(t *testing.T) {
	h := openHouse(t, func(o *options) { o.spoil = spoiled })
	bystander := h.sit("alice", newKey(t, 1))
	bystander.sees("Notakto")
	for i, where := range []string{faultyDoor, faultyUpdate, faultyCmd} {
		p := h.sit(where, newKey(t, byte(10+i)))
		if err := p.leaves(); where == faultyDoor && err == nil {
			t.Error("the door's session ended as if nothing had been")
		}
		if where != faultyDoor {
			p.sees("A fault in the server")
			p.restored()
		}
		_ = p.client.Close()
	}
	if _, err := gossh.Dial("tcp", h.address, login(faultyLogin, newKey(t, 20))); err == nil {
		t.Error("the faulty login succeeded")
	}
	eventually(t, "the others to be gone", func() bool { return h.inside() == 1 && h.handshaking() == 0 })
	bystander.press("?")
	bystander.sees("Any key goes back")
	if !strings.Contains(h.log.String(), "a fault in the door") {
		t.Errorf("the log says\n%s", h.log.String())
	}
}
