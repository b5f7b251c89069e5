package sshapp

import (
	"strings"
	"testing"
	"time"
)

// Who had waited for the opponent for longer than the limit was sent home as soon as the opponent had moved.
func TestWhoWaitsForTheOpponentIsNotIdle(t *testing.T) {
	const limit = 1500 * time.Millisecond
	h := openHouse(t, func(o *options) { o.Idle = limit })
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
	waiter.sees("Your turn")
	waiter.sees("Still there?")
	_ = waiter.leaves()
	waiter.sees("You were away")
}
