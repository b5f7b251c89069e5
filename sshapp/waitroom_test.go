package sshapp

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
	"notakto/match/limit"
)

// fullServer returns a server with room for alice alone, and a line for three.
func fullServer(t *testing.T) (h *testServer, alice *person) {
	t.Helper()
	h = startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 1, 3 })
	alice = h.sit("alice", newKey(t, 1))
	alice.sees("Play someone")
	return h, alice
}

// A full server once sent all clients away, to try again and again.
func TestAFullServerHasAQueue(t *testing.T) {
	h, inside := fullServer(t)
	second := h.sit("bob", newKey(t, 2))
	second.sees("You are number 1 in line")
	third := newPersonAt(t, h.dial("carol", newKey(t, 3)), "plain")
	third.sees("You are number 2 in line")
	fourth := newPerson(t, h.dial("dora", newKey(t, 4)), "dumb", 80, 24)
	fourth.sees("You are number 3 in line")

	second.press("jkl q")
	_ = second.leaves()
	third.sees("You are number 1 in line")
	fourth.sees("You are number 2 in line")
	_ = inside.client.Close()
	third.sees("There is room now.", "Notakto, line by line")
	fourth.sees("You are number 1 in line")
	third.press("help\r") // the first line after the wait is not lost
	third.sees("help")
	_ = third.client.Close()
	fourth.sees("There is room now.")
	fourth.press("quit\r")
	_ = fourth.leaves()
	eventually(t, "the last to go", func() bool { return h.inside() == 0 })
}

// A line wider than the screen once left its first half on the screen at every change.
func TestTheQueueFitsANarrowScreen(t *testing.T) {
	h, _ := fullServer(t)
	second := h.sit("bob", newKey(t, 2))
	second.sees("number 1 in line")
	third := newPerson(t, h.dial("carol", newKey(t, 3)), "xterm-256color", 40, 16)
	third.sees("The server is full.", "You are number 2 in line. q leaves.")
	second.press("q")
	third.sees("You are number 1 in line. q leaves.")
	if screen := third.screen(); strings.Contains(screen, "number 2") || strings.Count(screen, "full") != 1 {
		t.Errorf("the screen is\n%s", screen)
	}
	if width := ansi.StringWidth(fmt.Sprintf(positionOnScreen, 999)); width > 40 {
		t.Errorf("a place of three digits is %d cells wide", width)
	}
}

// Without a terminal, a client sends a line only at its end.
func TestTheQueueSaysWhatToTypeWithoutATerminal(t *testing.T) {
	h, _ := fullServer(t)
	waiting := newTalk(t, h.dial("bob", newKey(t, 2)), "plain")
	if said := waiting.expects() + " " +
		waiting.expects(); said != "The server is full. You are number 1 in line. Type q and Enter to leave." {
		t.Errorf("it says %q", said)
	}
	waiting.types("q")
	for range waiting.said { // until the session ends
	}
	newPerson(t, h.dial("carol", newKey(t, 3)), "dumb", 80, 24).sees("You are number 1 in line. Press q to leave.")
}

// A player that came back to a match while the server was full once waited in line, and lost the match.
func TestWhoComesBackToAMatchDoesNotWait(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 2, 1 })
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	_ = alice.client.Close()
	bob.sees("alice is away")
	carol := h.sit("carol", newKey(t, 3))
	carol.sees("Play someone")
	h.sit("dan", newKey(t, 4)).sees("number 1 in line")
	alice = h.sit("alice", newKey(t, 1))
	alice.sees("Match in progress")
	second := h.dial("alice", newKey(t, 1)) // further sessions of alice get no priority
	if _, _, err := second.OpenChannel("session", nil); err == nil ||
		!strings.Contains(err.Error(), limit.ErrServerFull.Error()) {
		t.Errorf("got %v", err)
	}
}

func TestABotAndACommandDoNotQueue(t *testing.T) {
	h, _ := fullServer(t)
	for _, command := range []string{"bot", "version", ""} {
		_, shown, status := h.run(command)
		if shown != "notakto: "+limit.ErrServerFull.Error()+"\n" || status != 1 {
			t.Errorf("%q was told %q with status %d", command, shown, status)
		}
	}
	testkit.Equal(t, h.rejections.Counts.Get(limit.SessionRefused), 3)
}

func TestTheQueueIsBounded(t *testing.T) {
	h, _ := fullServer(t)
	for i := range byte(3) {
		h.sit("bob", newKey(t, 10+i)).sees("in line")
	}
	if _, _, err := h.dial("carol", newKey(t, 3)).OpenChannel("session", nil); err == nil ||
		!strings.Contains(err.Error(), limit.ErrServerFull.Error()) {
		t.Errorf("got %v", err)
	}
}

func TestAStopEndsTheQueue(t *testing.T) {
	h, _ := fullServer(t)
	waiting := h.sit("bob", newKey(t, 2))
	waiting.sees("in line")
	testkit.OK(t, h.Stop(t.Context()))
	waiting.sees("the server is stopping")
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
	dan := h.sit("dan", newKey(t, 4))
	dan.sees("Play someone")
	_ = carol.leaves()
	testkit.Contains(t, strings.Join(strings.Fields(carol.sent()), " "), limit.ErrGaveWayAddress.Error()[1:])
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.GaveWay) == 1 })
	erin := newPersonAt(t, h.dial("erin", newKey(t, 5)), "plain")
	erin.sees("Notakto, line by line")
	dan.sees("another player there has fewer")
	bob.press("?")
	bob.sees("Any key goes back")
	erin.press("play\r")
	erin.sees("opponent")
	eventually(t, "erin to wait", func() bool { return h.manager.Lobby().Waiting("").Count == 1 })
	_, _, err := h.dial("frank", newKey(t, 6)).OpenChannel("session", nil)
	if err == nil || !strings.Contains(err.Error(), limit.ErrAddressFull.Error()) {
		t.Errorf("while all play or wait for an opponent: %v", err)
	}
}

func TestAPlayerFromTheQueueCanPlay(t *testing.T) {
	h, first := fullServer(t)
	second := h.sit("bob", newKey(t, 2))
	second.sees("number 1 in line")
	_ = first.client.Close()
	second.sees("Play someone")
	second.press("?")
	second.sees("Any key goes back")
}
