package sshapp

import (
	"testing"

	"notakto/sshapp/sshfix"
)

// The queue that drainReadAhead empties is where it is looked for; .ci/e2e/attack.sh shows that emptying it leaves
// nothing behind.
func TestTheReadAheadIsFound(t *testing.T) {
	h := startServer(t)
	// the library has one connection for both sides
	if found := sshfix.DrainReadAhead(h.dial("ann", newKey(t, 9)).Conn); !found {
		t.Error("x/crypto keeps what it has read ahead elsewhere now: sshfix.DrainReadAhead does nothing")
	}
	if found := sshfix.DrainReadAhead(t); found {
		t.Error("found in what is no connection")
	}
}
