package sshapp

import (
	"net"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// The queue that letGo empties is where it is looked for; .ci/e2e/hostile.sh shows that emptying it leaves nothing behind.
func TestTheReadAheadIsFound(t *testing.T) {
	here, there := net.Pipe()
	defer func() { _ = there.Close() }()
	found := make(chan bool, 1)
	config := &gossh.ServerConfig{
		NoClientAuth:        true,
		PreAuthConnCallback: func(inner gossh.ServerPreAuthConn) { _, ok := readAhead(inner); found <- ok },
	}
	config.AddHostKey(newKey(t, 9))
	go func() {
		conn, _, _, err := gossh.NewServerConn(here, config)
		if err == nil {
			_ = conn.Close()
		}
	}()
	_, _, _, err := gossh.NewClientConn(there, "", &gossh.ClientConfig{User: "ann", HostKeyCallback: gossh.InsecureIgnoreHostKey()})
	if err != nil {
		t.Logf("the client was let in, or hung up on: %v", err)
	}
	if !<-found {
		t.Error("x/crypto keeps what it has read ahead elsewhere now: letGo does nothing")
	}
	if _, ok := readAhead(t); ok {
		t.Error("found in what is no connection")
	}
}
