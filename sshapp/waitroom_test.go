package sshapp

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"notakto/match/limit"
)

// fullServer has room for alice, who is in, and a line for three.
func fullServer(t *testing.T) (h *testServer, alice *person) {
	t.Helper()
	h = startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 1, 3 })
	alice = h.sit("alice", newKey(t, 1))
	alice.sees("Play someone")
	return h, alice
}

// A full server sent everybody away, to try again and again.
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

// A line wider than the screen left its first half standing with every place that was gained.
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

// Without a terminal nothing of a line that is typed arrives before its end.
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

func TestAPlayerFromTheQueueCanPlay(t *testing.T) {
	h, first := fullServer(t)
	second := h.sit("bob", newKey(t, 2))
	second.sees("number 1 in line")
	_ = first.client.Close()
	second.sees("Play someone")
	second.press("?")
	second.sees("Any key goes back")
}

// Who came back to a match while the server was full waited in line, and lost it there.
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
	alice.sees("Your match goes on")
	second := h.dial("alice", newKey(t, 1)) // and no further session of hers comes in so
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
	if n := h.rejections.Counts.Get(limit.SessionRefused); n != 3 {
		t.Errorf("%d were counted", n)
	}
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
	if err := h.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	waiting.sees("the server is stopping")
}

// An idle player kept the place in line for ever, and a hundred of them kept all others out of the line.
func TestAnIdlePlayerLosesThePlaceInTheQueue(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting, o.Idle = 1, 1, 300*time.Millisecond })
	inside, err := h.admission.Enter(netip.Prefix{}, "alice", limit.Waits, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Leave()
	waiting := h.sit("bob", newKey(t, 2))
	waiting.sees("number 1 in line", "Still there? Any key keeps your place; if not, goodbye in 30ms.")
	waiting.sees("your place in line is given to the next")
	_ = waiting.leaves()
	if h.rejections.Counts.Get(limit.Idled) != 1 {
		t.Error("it was not counted")
	}
}

// A session that gives way says so to its player, and one of a player who plays does not give way.
func TestAPlayerReadsWhyASessionGivesWay(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress = 3 })
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	carol := newPersonAt(t, h.dial("carol", newKey(t, 3)), "plain")
	carol.sees("Notakto, line by line")
	dan := h.sit("dan", newKey(t, 4))
	dan.sees("Play someone")
	_ = carol.leaves()
	if sent := strings.Join(strings.Fields(carol.sent()), " "); !strings.Contains(sent,
		limit.ErrGaveWayAddress.Error()[1:]) {
		t.Errorf("carol is told %q", sent)
	}
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.GaveWay) == 1 })
	erin := newPersonAt(t, h.dial("erin", newKey(t, 5)), "plain")
	erin.sees("Notakto, line by line")
	dan.sees("another player there had none")
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
