package sshapp

import (
	"net/netip"
	"strings"
	"testing"

	"notakto/match/limit"
)

func TestAScreenAndAReviewTakeATurn(t *testing.T) {
	h := startServer(t, func(o *options) { o.spoil = func(s *Server) { s.turns = limit.NewTurns(0) } })
	alice := h.sit("alice", newKey(t, 1))
	eventually(t, "the screen to wait for a turn", func() bool { return h.turns.WaitingNetworks() == 1 })
	h.turns.GiveBack()
	alice.sees("Play someone")
	h.turns.Take(netip.Prefix{}) // alice's screen has given it back
	bob := newTalk(t, h.dial("bob", newKey(t, 2)), "plain")
	bob.types("review")
	eventually(t, "the review to wait for a turn", func() bool { return h.turns.WaitingNetworks() == 1 })
	h.turns.GiveBack()
	for !strings.HasPrefix(bob.expects(), "There is nothing to review") {
	}
}
