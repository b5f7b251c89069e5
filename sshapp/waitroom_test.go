package sshapp

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/limit"
)

// A full server once sent all clients away, to try again and again. A line wider than the screen left its first half
// on the screen at every change.
func TestAFullServerHasAQueue(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 1, 4 })
	inside := h.inLobby("alice", 1)
	first := h.sit("bob", newKey(t, 2))
	first.sees("You are number 1 in line")
	// Without a terminal, a client sends a line only at its end.
	second := newTalk(t, h.dial("ben", newKey(t, 3)), "plain")
	testkit.Equal(t, second.expects()+" "+second.expects(),
		"The server is full. You are number 2 in line. Type q and Enter to leave.")
	third := newPersonAt(t, h.dial("carol", newKey(t, 4)), "plain")
	third.sees("You are number 3 in line")
	fourth := newPerson(t, h.dial("dora", newKey(t, 5)), "xterm-256color", 40, 16)
	fourth.sees("The server is full.", "You are number 4 in line. q leaves.")
	testkit.Contains(t, refusal(h.dial("eve", newKey(t, 6))), limit.ErrServerFull.Error())

	second.types("q")
	second.rest()
	hasRoom := func() bool { return h.admission.Sessions() == 4 }
	eventually(t, "a place in line", hasRoom)
	fifth := newPerson(t, h.dial("ed", newKey(t, 7)), "dumb", 80, 24)
	fifth.sees("You are number 4 in line. Press q to leave.")
	first.press("jkl q")
	_ = first.leaves()
	third.sees("You are number 1 in line")
	fourth.sees("You are number 2 in line. q leaves.")
	if screen := fourth.screen(); strings.Contains(screen, "number 3") || strings.Count(screen, "full") != 1 {
		t.Errorf("the screen is\n%s", screen)
	}
	eventually(t, "a place in line", hasRoom)
	for _, command := range []string{"bot", "version", ""} {
		_, complaint, status := h.as(newKey(t, 8), command)
		testkit.Equal(t, complaint, "notakto: "+limit.ErrServerFull.Error()+"\n", command)
		testkit.Equal(t, status, 1, command)
	}
	testkit.Equal(t, h.rejections.Counts.Get(limit.SessionRefused), 4)

	_ = inside.client.Close()
	third.sees("There is room now.", "Notakto, line by line")
	third.press("help\r") // the first line after the wait is not lost
	third.sees("help")
	_ = third.client.Close()
	fourth.sees("Play someone")
	fourth.isThere()
	_ = fourth.client.Close()
	fifth.sees("There is room now.")
	fifth.press("quit\r")
	_ = fifth.leaves()
	eventually(t, "the last to go", func() bool { return h.inside() == 0 })
}

// A player that came back to a match while the server was full once waited in line, and lost the match.
func TestWhoComesBackToAMatchDoesNotWait(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 2, 1 })
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	_ = alice.client.Close()
	bob.sees("alice is away")
	h.inLobby("carol", 3)
	h.sit("dan", newKey(t, 4)).sees("number 1 in line")
	alice = h.sit("alice", newKey(t, 1))
	alice.sees("Match in progress")
	// further sessions of alice get no priority
	testkit.Contains(t, refusal(h.dial("alice", newKey(t, 1))), limit.ErrServerFull.Error())
}

// An idle player once kept the place in line for ever, and a hundred of them kept all others out of the line.
func TestAnIdlePlayerLosesThePlaceInTheQueue(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting, o.Idle = 1, 1, 300*time.Millisecond })
	inside, err := h.admission.Enter(netip.Prefix{}, "alice", limit.Ordinary, func(error) {})
	testkit.OK(t, err)
	defer inside.Leave()
	waiting := h.sit("bob", newKey(t, 2))
	waiting.sees("number 1 in line", "Still there? Any key keeps your place; if not, goodbye in 30ms.")
	waiting.sees("you have lost your place in line")
	_ = waiting.leaves()
	testkit.Equal(t, h.rejections.Counts.Get(limit.Idled), 1, "it was not counted")
}

// The sessions of a player in a match do not give way.
func TestAPlayerReadsWhyASessionGivesWay(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress = 3 })
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	carol := newPersonAt(t, h.dial("carol", newKey(t, 3)), "plain")
	carol.sees("Notakto, line by line")
	dan := h.inLobby("dan", 4)
	_ = carol.leaves()
	testkit.Contains(t, strings.Join(strings.Fields(carol.sent()), " "), limit.ErrGaveWayAddress.Error()[1:])
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.GaveWay) == 1 })
	h.inLobby("erin", 5)
	dan.sees("another player there has fewer")
	bob.isThere()
}
