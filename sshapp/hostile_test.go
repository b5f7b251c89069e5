package sshapp

import (
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

// bare is a session channel without the comforts of a client.
type bare struct {
	t       testing.TB
	channel gossh.Channel
}

// openChannel opens a session channel, and ignores its requests.
func openChannel(t testing.TB, client *gossh.Client) gossh.Channel {
	t.Helper()
	channel, requests, err := client.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
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

// sends waits until the server has sent something, whatever fits the window. Every screen has a text in it, the
// smallest a part of one.
func (b *bare) sends(string) {
	b.t.Helper()
	if n, err := b.channel.Read(make([]byte, 4096)); n == 0 {
		b.t.Fatal(err)
	}
}

// keyed is a client without manners that has exchanged keys, and has not asked for a login yet. It is closed when the
// test ends.
func (h *testServer) keyed() *wire.Conn {
	h.t.Helper()
	client, err := wire.Keyed(h.t.Context(), nil, h.address, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = client.Close() })
	return client
}

// unmannered is a client without manners that has logged in. It is closed when the test ends.
func (h *testServer) unmannered(user string, key gossh.Signer) *wire.Conn {
	h.t.Helper()
	client := h.keyed()
	if err := client.Login(user, key); err != nil {
		h.t.Fatal(err)
	}
	return client
}

// mute is a client that opens the game and then answers nothing: it reads no more from its connection, while the kernel
// acknowledges.
func (h *testServer) mute(user string, key gossh.Signer) {
	h.t.Helper()
	deaf := &deafConn{Conn: h.connect()}
	openTerminal(h.t, h.client(deaf, login(user, key)), 80, 24)
	deaf.deaf.Store(true)
}

// deafConn throws away what it reads once it is deaf.
type deafConn struct {
	net.Conn
	deaf atomic.Bool
}

func (c *deafConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || !c.deaf.Load() {
			return n, err
		}
	}
}

// tap stands between the server and its clients. While it is shut, nothing that the server writes goes through, as if
// no client read.
type tap struct{ shut atomic.Bool }

func (t *tap) wrap(listener net.Listener) net.Listener { return tapListener{listener, t} }

type tapListener struct {
	net.Listener
	tap *tap
}

func (l tapListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &tapConn{Conn: conn, tap: l.tap, closed: make(chan struct{})}, nil
}

type tapConn struct {
	net.Conn
	tap      *tap
	deadline atomic.Pointer[time.Time]
	once     sync.Once
	closed   chan struct{}
}

func (c *tapConn) SetWriteDeadline(t time.Time) error {
	c.deadline.Store(&t)
	return c.Conn.SetWriteDeadline(t)
}

func (c *tapConn) Write(p []byte) (int, error) {
	if !c.tap.shut.Load() {
		return c.Conn.Write(p)
	}
	var late <-chan time.Time
	if deadline := c.deadline.Load(); deadline != nil {
		late = time.After(time.Until(*deadline))
	}
	select {
	case <-late:
		return 0, os.ErrDeadlineExceeded
	case <-c.closed:
		return 0, net.ErrClosed
	}
}

func (c *tapConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
