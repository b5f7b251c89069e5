package sshapp

import (
	"testing"

	"notakto/sshapp/limit"
)

func TestAScreenTakesATurn(t *testing.T) {
	h := startServer(t, func(o *options) { o.spoil = func(s *Server) { s.turns = limit.NewTurns(0) } })
	alice := h.sit("alice", newKey(t, 1))
	eventually(t, "the screen to wait for a turn", func() bool { return h.turns.Waiters() == 1 })
	h.turns.GiveBack()
	alice.sees("Play someone")
}
