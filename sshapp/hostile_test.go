package sshapp

import (
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/internal/wire"
)

// bare is a session channel without the help of a client library.
type bare struct {
	t       testing.TB
	channel gossh.Channel
}

// openChannel opens a session channel, and ignores its requests.
func openChannel(t testing.TB, client *gossh.Client) gossh.Channel {
	t.Helper()
	channel, requests, err := client.OpenChannel("session", nil)
	testkit.OK(t, err)
	go gossh.DiscardRequests(requests)
	return channel
}

func openTerminal(t testing.TB, client *gossh.Client, columns, rows uint32) *bare {
	t.Helper()
	channel := openChannel(t, client)
	for _, request := range []struct {
		kind    string
		payload []byte
	}{{"pty-req", wire.Terminal("xterm-256color", columns, rows)}, {"shell", nil}} {
		if ok, err := channel.SendRequest(request.kind, true, request.payload); err != nil || !ok {
			t.Fatalf("%s of %dx%d: %v, %v", request.kind, columns, rows, ok, err)
		}
	}
	return &bare{t, channel}
}

// sends waits until the server has sent something that fits the window. Every screen has some text, the smallest a
// part of one.
func (b *bare) sends(string) {
	b.t.Helper()
	if n, err := b.channel.Read(make([]byte, 4096)); n == 0 {
		b.t.Fatal(err)
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

// mute opens the game on a client that stops reading. The kernel still acknowledges.
func (s *testServer) mute(user string, key gossh.Signer) {
	s.t.Helper()
	deaf := &deafConn{Conn: s.connect()}
	openTerminal(s.t, s.client(deaf, login(user, key)), 80, 24)
	deaf.deaf.Store(true)
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
	return &tapConn{Conn: conn, tap: t.tap, closed: make(chan struct{})}, nil
}

type tapConn struct {
	net.Conn
	tap      *tap
	deadline atomic.Pointer[time.Time]
	once     sync.Once
	closed   chan struct{}
}

func (t *tapConn) SetWriteDeadline(at time.Time) error {
	t.deadline.Store(&at)
	return t.Conn.SetWriteDeadline(at)
}

func (t *tapConn) Write(p []byte) (int, error) {
	if !t.tap.shut.Load() {
		return t.Conn.Write(p)
	}
	var late <-chan time.Time
	if deadline := t.deadline.Load(); deadline != nil {
		late = time.After(time.Until(*deadline))
	}
	select {
	case <-late:
		return 0, os.ErrDeadlineExceeded
	case <-t.closed:
		return 0, net.ErrClosed
	}
}

func (t *tapConn) Close() error {
	t.once.Do(func() { close(t.closed) })
	return t.Conn.Close()
}
