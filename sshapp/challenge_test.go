package sshapp

import (
	"testing"
	"time"

	"notakto/internal/testkit"
)

// Both players are at the full screen, and bob looks at the ladder.
func TestANamedChallengeIsAcceptedWithOneKeyOverSSH(t *testing.T) {
	h := startServer(t)
	const ann, bob = 1, 2
	for user, key := range map[string]byte{"ann": ann, "bob": bob} {
		session, err := h.dial(user, newKey(t, key)).NewSession()
		testkit.OK(t, err)
		if out, err := session.CombinedOutput("name " + user); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	a, b := h.sit("ann", newKey(t, ann)), h.sit("bob", newKey(t, bob))
	b.sees("Play someone")
	b.press("6")
	b.sees("The ladder is empty")
	a.sees("Play someone")
	a.press("cc")
	a.sees("New challenge", "Opponent")
	a.press("bob\x1b[B\x1b[B\x1b[B\x1b[D\x1b[D\x1b[D\x1b[D\r")
	a.sees("You challenge bob: 3 boards, 5 min each.", "Yours", "to bob")
	b.sees("ann challenges you: 3 boards, 5 min each.", "y accepts")
	<-time.After(time.Second) // an earlier key is meant for the screen
	b.press("y")
	b.sees("ann", "bob (you)", "5+0")
	a.sees("bob accepts your challenge: o to play")
	a.press("o")
	a.sees("ann (you)", "bob", "5+0")
}
