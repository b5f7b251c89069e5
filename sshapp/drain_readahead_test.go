package sshapp

import (
	"testing"

	"notakto/sshapp/sshfix"
)

// The queue that drainReadAhead empties is where it is looked for; .ci/e2e/attack.sh shows that emptying it leaves
// nothing behind.
func TestTheReadAheadIsFound(t *testing.T) {
	h := startServer(t)
	if found := sshfix.DrainReadAhead(h.dial("ann", newKey(t, 9)).Conn); !found { // the library has one connection for both sides
		t.Error("x/crypto keeps what it has read ahead elsewhere now: sshfix.DrainReadAhead does nothing")
	}
	if found := sshfix.DrainReadAhead(t); found {
		t.Error("found in what is no connection")
	}
}
