package sshapp

import (
	"strings"
	"testing"

	"notakto/match/limit"
)

func TestAScreenTakesATurn(t *testing.T) {
	h := startServer(t, func(o *options) { o.spoil = func(s *Server) { s.turns = limit.NewTurns(0) } })
	alice := h.sit("alice", newKey(t, 1))
	eventually(t, "the screen to wait for a turn", func() bool { return h.turns.WaitingNetworks() == 1 })
	h.turns.GiveBack()
	alice.sees("Play someone")
}

func TestAReviewTakesATurn(t *testing.T) {
	h := startServer(t, func(o *options) { o.spoil = func(s *Server) { s.turns = limit.NewTurns(0) } })
	alice := newTalk(t, h.dial("alice", newKey(t, 1)), "plain")
	alice.types("review")
	eventually(t, "the review to wait for a turn", func() bool { return h.turns.WaitingNetworks() == 1 })
	h.turns.GiveBack()
	for !strings.HasPrefix(alice.expects(), "There is nothing to review") {
	}
}
