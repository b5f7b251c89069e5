package sshapp

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// A player that had waited for the opponent longer than the limit was once disconnected after the opponent's move.
func TestWhoWaitsForTheOpponentIsNotIdle(t *testing.T) {
	besideOthers(t)
	const limit = 5 * time.Second // long enough for both to meet on a busy machine
	h := startServer(t, func(o *options) { o.Idle = limit })
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	bob.sees("turn")
	mover, waiter := alice, bob
	if strings.Contains(bob.screen(), "Your turn") {
		mover, waiter = bob, alice
	}
	tick, enough := time.NewTicker(limit/10), time.After(2*limit)
	defer tick.Stop()
	for thinking := true; thinking; {
		select {
		case <-tick.C:
			mover.press("h")
		case <-enough:
			thinking = false
		}
	}
	if strings.Contains(waiter.sent(), "Still there?") {
		t.Error("who waits for the opponent was warned")
	}
	mover.press("5")
	_ = waiter.leaves()
	waiter.sees("You were away")
	testkit.Contains(t, waiter.lastScreen(), "Your turn", "Still there?")
}

// An idle bot once kept its session as long as its connection.
func TestAnIdleBotIsSentHome(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.Idle = 500 * time.Millisecond })
	session, err := h.dial("alice", newKey(t, 1)).NewSession()
	testkit.OK(t, err)
	if _, err := session.StdinPipe(); err != nil { // silent, without an end
		t.Fatal(err)
	}
	var received, faults bytes.Buffer
	session.Stdout, session.Stderr = &received, &faults
	var exit *gossh.ExitError
	if err := session.Run("bot"); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
		t.Errorf("it ended with %v", err)
	}
	if text := received.String(); strings.Count(text, `"event":"notice"`) != 2 ||
		!strings.Contains(text, "still there?") {
		t.Errorf("it was told\n%s", text)
	}
	if want := "notakto: there was no input for a long while\n"; faults.String() != want {
		t.Errorf("the fault is %q", faults.String())
	}
}
