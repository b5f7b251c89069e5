package sshapp

import (
	"strings"
	"testing"
)

// fullHouse has room for alice, who is in, and a line for three.
func fullHouse(t *testing.T) (h *house, alice *person) {
	t.Helper()
	h = openHouse(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 1, 3 })
	alice = h.sit("alice", newKey(t, 1))
	alice.sees("Notakto")
	return h, alice
}

// A full house sent everybody away, to try again and again.
func TestAFullHouseHasALine(t *testing.T) {
	h, inside := fullHouse(t)
	second := h.sit("bob", newKey(t, 2))
	second.sees("you are number 1 in line")
	third := newPersonAt(t, h.dial("carol", newKey(t, 3)), "plain")
	third.sees("you are number 2 in line")
	fourth := newPerson(t, h.dial("dora", newKey(t, 4)), "dumb", 80, 24)
	fourth.sees("you are number 3 in line")

	second.press("jkl q")
	_ = second.leaves()
	third.sees("you are number 1 in line")
	fourth.sees("you are number 2 in line")
	_ = inside.client.Close()
	third.sees("There is room now.", "Notakto, line by line")
	fourth.sees("you are number 1 in line")
	third.press("help\r") // the first line after the wait is not lost
	third.sees("help")
	_ = third.client.Close()
	fourth.sees("There is room now.")
	fourth.press("quit\r")
	_ = fourth.leaves()
	eventually(t, "the last to go", func() bool { return h.inside() == 0 })
}

func TestWhoComesInFromTheLineCanPlay(t *testing.T) {
	h, first := fullHouse(t)
	second := h.sit("bob", newKey(t, 2))
	second.sees("number 1 in line")
	_ = first.client.Close()
	second.sees("Play someone")
	second.press("?")
	second.sees("Any key goes back")
}

// Who came back to a match while the house was full waited in line, and lost it there.
func TestWhoComesBackToAMatchDoesNotWait(t *testing.T) {
	h := openHouse(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 2, 1 })
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	_ = alice.client.Close()
	bob.sees("alice is away")
	carol := h.sit("carol", newKey(t, 3))
	carol.sees("Play someone")
	h.sit("dan", newKey(t, 4)).sees("number 1 in line")
	alice = h.sit("alice", newKey(t, 1))
	alice.sees("You have a match on")
	second := h.dial("alice", newKey(t, 1)) // and no further session of hers comes in so
	if _, _, err := second.OpenChannel("session", nil); err == nil || !strings.Contains(err.Error(), errHouseFull.Error()) {
		t.Errorf("got %v", err)
	}
}

func TestABotAndACommandDoNotWaitInLine(t *testing.T) {
	h, _ := fullHouse(t)
	for _, command := range []string{"bot", "version", ""} {
		_, told, status := h.run(command)
		if told != "notakto: "+errHouseFull.Error()+"\n" || status != 1 {
			t.Errorf("%q was told %q with status %d", command, told, status)
		}
	}
	if n := h.refusals.count(sessionRefused); n != 3 {
		t.Errorf("%d were counted", n)
	}
}

func TestTheLineIsBounded(t *testing.T) {
	h, _ := fullHouse(t)
	for i := range byte(3) {
		h.sit("bob", newKey(t, 10+i)).sees("in line")
	}
	if _, _, err := h.dial("carol", newKey(t, 3)).OpenChannel("session", nil); err == nil || !strings.Contains(err.Error(), errHouseFull.Error()) {
		t.Errorf("got %v", err)
	}
}

func TestAStopEndsTheLine(t *testing.T) {
	h, _ := fullHouse(t)
	waiting := h.sit("bob", newKey(t, 2))
	waiting.sees("in line")
	if err := h.Drain(t.Context()); err != nil {
		t.Error(err)
	}
	waiting.sees("The server is stopping")
}
