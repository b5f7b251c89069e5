package sshapp

import (
	"strings"
	"testing"

	"notakto/sshapp/limit"
)

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
	eventually(t, "it to be counted", func() bool { return h.rejections.Count(limit.GaveWay) == 1 })
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
