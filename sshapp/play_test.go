package sshapp

import (
	"context"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match/manager"
	"notakto/rules"
)

// onlyMatch waits until one match is in progress, and returns a spectator of it.
func (s *testServer) onlyMatch() *manager.Spectator {
	s.t.Helper()
	eventually(s.t, "a match to begin", func() bool { return len(s.manager.List()) == 1 })
	look, err := s.manager.Watch(context.Background(), s.manager.List()[0].ID, "")
	testkit.OK(s.t, err)
	s.t.Cleanup(look.Close)
	return look
}

// seeks presses the keys for an opponent in the lobby.
func (p *person) seeks() {
	p.t.Helper()
	p.sees("Play someone")
	p.press("1")
}

// meet pairs alice and bob in the queue.
func meet(alice, bob *person) {
	alice.t.Helper()
	alice.seeks()
	alice.sees("Waiting for an opponent")
	bob.seeks()
	alice.sees("alice (you)", "bob")
	bob.sees("bob (you)", "alice")
}

// Two people meet in the queue and go on with their match, although one of them is cut off once.
//
// A seat was once given back on the context of the connection, and stayed taken as long as another session of the
// connection went on.
func TestADroppedPlayerIsMissedAndComesBack(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	home := h.dial("alice", newKey(t, 1))
	other := newPerson(t, home, "xterm-256color", 80, 24) // a second window on the same connection
	other.sees("Play someone")
	alice, bob := newPerson(t, home, "xterm-256color", 80, 24), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	begun := <-h.onlyMatch().Snapshots()
	sides := map[rules.Side]*person{begun.Side(h.player(1, "").ID): alice, begun.Side(h.player(2, "").ID): bob}
	mover := sides[rules.First]
	mover.sees("Your turn")
	mover.places("B3")
	bob.sees("B3")

	// Typed input was once read at a person's pace, and the opponent was told half an hour later.
	alice.press(strings.Repeat("x", 100<<10))
	_ = alice.session.Close() // the connection and the other window stay
	bob.sees("alice is away")

	back := h.sit("alice", newKey(t, 1))
	back.sees("Match in progress", "bob")
	back.press("\r")
	back.sees("alice (you)", "B3")
	bob.sees("alice is back")
	sides[begun.Side(h.player(1, "").ID)] = back
	sides[rules.Second].places("A5")
	sides[rules.First].sees("A5", "Your turn")
}

// resumeCode returns the code on a guest's screen.
func resumeCode(t *testing.T, screen string) string {
	t.Helper()
	_, after, found := strings.Cut(screen, "return code")
	words := strings.FieldsFunc(after, func(r rune) bool { return r < '0' || r > 'Z' || r > '9' && r < 'A' })
	for _, word := range words {
		if found && len(word) == 8 {
			return word
		}
	}
	t.Fatalf("there is no code on\n%s", screen)
	return ""
}

// The output of another program once stayed on the terminal until the window's size changed.
func TestCtrlLPaintsTheScreenAnew(t *testing.T) {
	p := startServer(t).sit("ann", newKey(t, 1))
	p.sees("Play the computer")
	before := len(p.sent())
	p.press("\x0c")
	p.waits("the screen to be sent again", func() bool {
		return strings.Contains(p.raw.String()[before:], "Play the computer")
	})
}

// A player that came by -l bob, and came back by the command left in the shell, once lost the name bob.
func TestTheCommandToComeBackLeadsToTheSameName(t *testing.T) {
	h := startServer(t)
	key := newKey(t, 1)
	for _, test := range []struct {
		user, want string
		key        gossh.Signer
	}{{"bob", "ssh -l bob ", key}, {"gail", "ssh -l gail ", nil}, {"press q", "ssh ", key}, {"bob", "ssh ", key}} {
		if test.want == "ssh " && test.user == "bob" {
			h.claims(1, "bob")
		}
		p := h.sit(test.user, test.key)
		p.sees("Play the computer")
		p.press("q")
		p.sees("Quit Notakto?")
		p.press("y")
		if err := p.leaves(); err != nil ||
			!strings.HasSuffix(p.sent(), "\n"+test.want+SSHArguments(h.address)+"\r\n") {
			t.Errorf("%v: %s's terminal ends with %.80q", err, test.user, p.sent()[max(0, len(p.sent())-80):])
		}
		_ = p.client.Close()
	}
}
