package sshapp

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

// Limits of docs/security.md, and the memory of the clients in the same process.
const (
	silentCost    = 40 << 10
	handshakeCost = 330 << 10
	sessionCost   = 512 << 10
)

// costs returns the growth of the heap for each of n clients.
func costs(n int, open func(i int), settled func() bool, t *testing.T) int64 {
	t.Helper()
	before := heap()
	for i := range n {
		open(i)
	}
	eventually(t, "the server to have them all", settled)
	return (heap() - before) / int64(n)
}

func TestAConnectionWithoutALoginCostsLittle(t *testing.T) {
	const n = 50
	oversize := binary.BigEndian.AppendUint32([]byte("SSH-2.0-Test\r\n"), 256<<10-16) // the largest accepted packet
	for _, test := range []struct {
		name string
		sent []byte
		most int64
	}{
		{"silent", nil, silentCost},
		{"a large packet announced", append(oversize, make([]byte, 5)...), handshakeCost},
		{"and most of it sent", append(oversize, make([]byte, 200<<10)...), handshakeCost},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := startServer(t)
			var open []net.Conn
			got := costs(n, func(int) {
				conn := h.connect()
				open = append(open, conn)
				go func() { _, _ = conn.Write(test.sent) }()
				go func() { _, _ = io.Copy(io.Discard, conn) }()
			}, func() bool { return h.received(len(test.sent)) == n }, t)
			if got > test.most {
				t.Errorf("it costs %d KB", got>>10)
			}
			for _, conn := range open {
				_ = conn.Close()
			}
			eventually(t, "them to go", func() bool { return h.handshaking() == 0 })
		})
	}
}

// received returns the number of connections without a session that have sent that many bytes, up to
// watchExtendedAfter.
func (s *testServer) received(bytes int) (n int) {
	for _, one := range s.preauthConns.Conns() {
		c := one.Owner.(*connection)
		c.mu.Lock()
		if c.extended.received >= min(bytes, watchExtendedAfter) {
			n++
		}
		c.mu.Unlock()
	}
	return n
}

// The client sends all that it may (a paste without an end, environment, window sizes) and reads no output.
func TestASessionCostsABoundedAmount(t *testing.T) {
	const n = 8
	h := startServer(t, func(o *options) { o.MaxSessionsPerKey = n })
	var channels []gossh.Channel
	var typed atomic.Int64
	got := costs(n, func(int) {
		client := h.dial("alice", newKey(t, 1))
		channel := openChannel(t, client)
		_, _ = channel.SendRequest("pty-req", true, wire.Terminal("xterm-256color", 4_000_000_000, 4_000_000_000))
		for range 50 {
			_, _ = channel.SendRequest("env", false, variable("LANG", strings.Repeat("x", 100)))
		}
		_, _ = channel.SendRequest("shell", true, nil)
		channels = append(channels, channel)
		go func() {
			_, _ = io.WriteString(channel, "\x1b[200~"+strings.Repeat("x", 3000))
			typed.Add(1)
		}()
	}, func() bool { return h.inside() == n && typed.Load() == n }, t)
	if got > sessionCost { // includes the client's part
		t.Errorf("a session costs %d KB", got>>10)
	}
	for _, channel := range channels {
		_ = channel.Close()
	}
}
