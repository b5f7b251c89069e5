package sshapp

import (
	"encoding/binary"
	"io"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
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
	h := startServer(t)
	for _, test := range []struct {
		name string
		sent []byte
		most int64
	}{
		{"silent", nil, silentCost},
		{"a large packet announced", append(oversize, make([]byte, 5)...), handshakeCost},
		{"and most of it sent", append(oversize, make([]byte, 200<<10)...), handshakeCost},
	} {
		var open []net.Conn
		got := costs(n, func(int) {
			conn := h.connect()
			open = append(open, conn)
			go func() { _, _ = conn.Write(test.sent) }()
			go func() { _, _ = io.Copy(io.Discard, conn) }()
		}, func() bool { return h.received(len(test.sent)) == n }, t)
		if got > test.most {
			t.Errorf("%s: it costs %d KB", test.name, got>>10)
		}
		for _, conn := range open {
			_ = conn.Close()
		}
		eventually(t, "them to go", func() bool { return h.handshaking() == 0 })
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

// A session once kept the command tree that had begun its front end. The tree took 90 KB, as much as all the rest.
func TestASessionKeepsNothingOfItsCommand(t *testing.T) {
	const most = 24 << 10
	inLobby := keptBySessions(t, "", true)
	kept := map[string]int64{}
	for _, command := range []string{"play --computer steady", "play --private", "watch", "plain", "bot"} {
		isLines := command == "plain" || command == "bot"
		kept[command] = keptBySessions(t, command, !isLines)
	}
	// Memory of earlier tests may be freed during the first measurement, and make its result too low.
	inLobby = max(inLobby, keptBySessions(t, "", true))
	for command, got := range kept {
		if got -= inLobby; got > most {
			t.Errorf("a session of %s keeps %d KB more than one in the lobby", command, got>>10)
		}
	}
}

// keptBySessions returns the growth of the heap for each of some sessions of a command, or a shell for "", once all
// have begun.
func keptBySessions(t *testing.T, command string, hasTerminal bool) (kept int64) {
	t.Helper()
	// The server of a subtest stops before the next one starts, and cannot add goroutines to those of the next one.
	t.Run(command, func(t *testing.T) {
		const n = 16
		h := startServer(t)
		begin := func(i int) {
			channel := openChannel(t, h.dial("alice", newKey(t, byte(i))))
			if hasTerminal {
				request(t, channel, "pty-req", wire.Terminal("xterm-256color", 80, 24), true)
			}
			if command == "" {
				request(t, channel, "shell", nil, true)
			} else {
				request(t, channel, "exec", gossh.Marshal(struct{ Command string }{command}), true)
			}
			_, err := channel.Read(make([]byte, 1)) // the byte comes from the front end
			testkit.OK(t, err)
			go func() { _, _ = io.Copy(io.Discard, channel) }()
		}
		begin(0) // allocates the parts that sessions share
		before := allocated()
		for i := range n - 1 {
			begin(i + 1)
		}
		after := min(allocated(), allocated(), allocated()) // without work that goes on just now
		kept = (after - before) / int64(n-1)
	})
	return kept
}

// allocated returns the bytes of the heap in use after a collection.
func allocated() int64 {
	var stats runtime.MemStats
	for range 2 { // the second collection frees objects of finalizers and pools
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
