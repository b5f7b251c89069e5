package sshapp

import (
	"testing"

	"notakto/internal/testkit"
)

func TestTheFirstSessionOfAnAccountIsAVisit(t *testing.T) {
	kept := testkit.Store(t)
	h := startServer(t, func(o *options) { o.progress, o.history = kept.Progress(), kept.History() })
	first := h.sit("ann", newKey(t, 1))
	first.sees("You both place X. Put one anywhere")
	first.press("5")
	first.sees("novice, the computer, answered.")
	first.press("q")
	first.sees("Play someone")
	eventually(t, "the end of the visit to be stored", func() bool {
		kept, err := h.progress.State(t.Context(), h.player(1, "ann"))
		return err == nil && kept.Visited
	})
	h.inLobby("ann", 1)

	h.answers(2, "name ben", 0) // an account of a command
	h.sit("ben", newKey(t, 2)).sees("You both place X. Put one anywhere")

	// A session that asks for something is no visit.
	newPersonAt(t, h.dial("cleo", newKey(t, 3)), "learn 2").sees("lesson 2 of 6")
	newPersonAt(t, h.dial("bob", newKey(t, 4)), "play --computer novice").sees("Your turn")
	h.sit("guy", nil).sees("Try it: one minute")
}
