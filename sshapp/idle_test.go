package sshapp

import (
	"strings"
	"testing"
	"time"

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
	testkit.OK(t, waiter.leaves())
	waiter.sees("You were away")
	testkit.Contains(t, waiter.lastScreen(), "Your turn", "Still there?")
}
