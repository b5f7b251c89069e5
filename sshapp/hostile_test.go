package sshapp

import (
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/internal/wire"
)

// openChannel opens a session channel, and ignores its requests.
func openChannel(t testing.TB, client *gossh.Client) gossh.Channel {
	t.Helper()
	channel, requests, err := client.OpenChannel("session", nil)
	testkit.OK(t, err)
	go gossh.DiscardRequests(requests)
	return channel
}

// openTerminal opens the game on a terminal, and waits for something of the screen.
func openTerminal(t testing.TB, client *gossh.Client, columns, rows uint32) gossh.Channel {
	t.Helper()
	channel := openChannel(t, client)
	request(t, channel, "pty-req", wire.Terminal("xterm-256color", columns, rows), true)
	request(t, channel, "shell", nil, true)
	_, err := channel.Read(make([]byte, 4096))
	testkit.OK(t, err)
	return channel
}

// request makes a request on a channel, and compares whether the server grants it.
func request(t testing.TB, channel gossh.Channel, kind string, payload []byte, want bool) {
	t.Helper()
	if ok, err := channel.SendRequest(kind, true, payload); err != nil || ok != want {
		t.Fatalf("%s of %q: %v, %v", kind, payload, ok, err)
	}
}

// keyed returns a raw client that has exchanged keys, and has not requested a login yet. The test closes it at its
// end.
func (s *testServer) keyed() *wire.Conn {
	s.t.Helper()
	client, err := wire.Keyed(s.t.Context(), nil, s.address, 0)
	testkit.OK(s.t, err)
	s.t.Cleanup(func() { _ = client.Close() })
	return client
}

// unmannered returns a raw client that has logged in. The test closes it at its end.
func (s *testServer) unmannered(user string, key gossh.Signer) *wire.Conn {
	s.t.Helper()
	client := s.keyed()
	testkit.OK(s.t, client.Login(user, key))
	return client
}

// deafConn discards its input once it is deaf.
type deafConn struct {
	net.Conn
	deaf atomic.Bool
}

func (d *deafConn) Read(p []byte) (int, error) {
	for {
		n, err := d.Conn.Read(p)
		if err != nil || !d.deaf.Load() {
			return n, err
		}
	}
}

// tap is between the server and its clients. A shut tap blocks all writes of the server.
type tap struct{ shut atomic.Bool }

func (t *tap) wrap(listener net.Listener) net.Listener { return tapListener{listener, t} }

type tapListener struct {
	net.Listener
	tap *tap
}

func (t tapListener) Accept() (net.Conn, error) {
	conn, err := t.Listener.Accept()
	if err != nil {
		return nil, err
	}
	blocked, _ := net.Pipe() // with deadlines, as a connection whose buffers are full
	return &tapConn{conn, t.tap, blocked}, nil
}

type tapConn struct {
	net.Conn
	tap     *tap
	blocked net.Conn
}

func (t *tapConn) SetWriteDeadline(at time.Time) error {
	return errors.Join(t.blocked.SetWriteDeadline(at), t.Conn.SetWriteDeadline(at))
}

func (t *tapConn) Write(p []byte) (int, error) {
	if t.tap.shut.Load() {
		return t.blocked.Write(p)
	}
	return t.Conn.Write(p)
}

func (t *tapConn) Close() error {
	return errors.Join(t.blocked.Close(), t.Conn.Close())
}
