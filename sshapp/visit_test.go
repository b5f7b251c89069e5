package sshapp

import (
	"testing"

	"notakto/internal/testkit"
)

// startServerWithProgress starts a server that shows the first visit.
func startServerWithProgress(t *testing.T) *testServer {
	kept := testkit.Store(t)
	return startServer(t, func(o *options) { o.progress, o.history = kept.Progress(), kept.History() })
}

func TestTheFirstSessionOfAnAccountIsAVisit(t *testing.T) {
	h := startServerWithProgress(t)
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
	h.sit("ann", newKey(t, 1)).sees("Play someone")
}

func TestAnAccountNamedByACommandGetsItsFirstVisit(t *testing.T) {
	h := startServerWithProgress(t)
	if _, errs, status := h.run("name ann"); status != 0 {
		t.Fatal(errs)
	}
	h.sit("alice", newKey(t, 1)).sees("You both place X. Put one anywhere")
}

func TestASessionThatAsksForSomethingIsNoVisit(t *testing.T) {
	h := startServerWithProgress(t)
	newPersonAt(t, h.dial("ann", newKey(t, 1)), "learn 2").sees("lesson 2 of 6")
	newPersonAt(t, h.dial("bob", newKey(t, 2)), "play --computer novice").sees("Your turn")
	h.sit("guy", nil).sees("Try it: one minute")
}
