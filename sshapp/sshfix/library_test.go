package sshfix

import (
	"crypto/ed25519"
	"encoding/binary"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/internal/wire"
)

// The tests in this file show the hazards of golang.org/x/crypto/ssh by itself. When one fails, its hazard is gone,
// and the file with the work-around can be removed.

// logIn logs a client in at a plain server of the library, and returns both ends and the channels that the client
// opens.
func logIn(t *testing.T) (*wire.Conn, *ssh.ServerConn, <-chan ssh.NewChannel) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	testkit.OK(t, err)
	signer, err := ssh.NewSignerFromKey(key)
	testkit.OK(t, err)
	config := &ssh.ServerConfig{PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) {
		return nil, nil
	}}
	config.AddHostKey(signer)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer func() { _ = listener.Close() }()
	type end struct {
		conn  *ssh.ServerConn
		opens <-chan ssh.NewChannel
		err   error
	}
	served := make(chan end, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			served <- end{err: err}
			return
		}
		server, opens, requests, err := ssh.NewServerConn(conn, config)
		if err == nil {
			go ssh.DiscardRequests(requests)
		}
		served <- end{server, opens, err}
	}()
	client, err := wire.Keyed(t.Context(), nil, listener.Addr().String(), 0)
	testkit.OK(t, err)
	t.Cleanup(func() { _ = client.Close() })
	testkit.OK(t, client.Login("ann", signer))
	server := <-served
	if server.err != nil {
		t.Fatal(server.err)
	}
	return client, server.conn, server.opens
}

func TestTheLibraryTakesPacketsOfAFewBytes(t *testing.T) {
	client, server, opens := logIn(t)
	defer func() { _ = server.Close() }()
	open := wire.Open("session", 0, 1<<20)
	binary.BigEndian.PutUint32(open[len(open)-4:], 9)
	testkit.OK(t, client.Send(open))
	offer, ok := <-opens
	if !ok {
		t.Fatal("the library refuses packets of nine bytes: MaxPacketSize can go")
	}
	if n, known := MaxPacketSize(offer); !known || n != 9 {
		t.Errorf("MaxPacketSize is %d, %v", n, known)
	}
}

func TestTheLibraryLeavesItsReaderBehind(t *testing.T) {
	for range 100 { // the library may close the connection before its queue is full
		client, server, opens := logIn(t)
		const unknown, behind = 99, 40
		testkit.OK(t, client.Send([]byte{unknown}))
		for range behind {
			if err := client.Send(wire.About(unknown, 0)); err != nil {
				break // the server has closed the connection
			}
		}
		for range opens { // until the library notices the protocol error
		}
		_ = server.Close()
		if !eventually(func() bool { return isWaiting("chan send") || !isWaiting("") }) {
			t.Fatal("the reader of a closed connection neither waits nor ends")
		}
		if !isWaiting("chan send") {
			continue
		}
		if !DrainReadAhead(server.Conn) {
			t.Fatal("what the library has read ahead is not found")
		}
		if !eventually(func() bool { return !isWaiting("") }) {
			t.Error("the reader stays although its queue is drained")
		}
		return
	}
	t.Fatal("the reader of a closed connection ends by itself: DrainReadAhead can go")
}

// isWaiting reports whether a reading goroutine of the library is in a state, such as "chan send".
func isWaiting(state string) bool {
	text := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n") {
		head, _, _ := strings.Cut(stack, "\n")
		if strings.Contains(stack, "ssh.(*handshakeTransport).readLoop(") && strings.Contains(head, state) {
			return true
		}
	}
	return false
}

// eventually reports whether done becomes true, by polling.
func eventually(done func() bool) bool {
	tick, late := time.NewTicker(time.Millisecond), time.After(10*time.Second)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-late:
			return false
		}
	}
	return true
}
