package sshapp

import (
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// The queue that letGo empties is where it is looked for; .ci/e2e/hostile.sh shows that emptying it leaves nothing behind.
func TestTheReadAheadIsFound(t *testing.T) {
	h := openHouse(t)
	client, err := gossh.Dial("tcp", h.address, &gossh.ClientConfig{
		User: "ann", Auth: []gossh.AuthMethod{gossh.PublicKeys(newKey(t, 9))}, HostKeyCallback: gossh.InsecureIgnoreHostKey(), //nolint:gosec // a test
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	if _, found := readAhead(client.Conn); !found { // the library has one connection for both sides
		t.Error("x/crypto keeps what it has read ahead elsewhere now: letGo does nothing")
	}
	if _, found := readAhead(t); found {
		t.Error("found in what is no connection")
	}
}
