//go:build attack

package main

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"notakto/internal/wire"
)

func handshakeAttacks() []attack {
	return []attack{
		{
			name: "silent", memory: 10, run: func(e *enemy) error { return e.silent(1) },
			holds: "connections that say nothing, too little or too late are closed a second after the limit",
		},
		{
			name: "silent-many", memory: 20, run: func(e *enemy) error { return e.silent(250) },
			holds: "the same from so many addresses that none has more than four, which are all let in",
		},
		{
			name: "announced", memory: 40, run: (*enemy).announce,
			holds: "256 connections that announce the largest packet and do not send it are closed by the limit",
		},
		{name: "garbage", memory: 10, run: (*enemy).garbage, holds: "what is no SSH is closed by the limit"},
	}
}

// silent opens connections from a number of addresses that stop at each step towards a session.
func (e *enemy) silent(addresses int) error {
	const clients = 40 // that get further than the first line, of each kind
	kinds := []struct {
		name string
		n    int
		far  bool // its timeout starts anew on the way
		open func(n int) (net.Conn, error)
	}{
		{"silent", e.pick(260, 600), false, func(n int) (net.Conn, error) { return e.raw(n) }},
		{"half closed", e.pick(20, 80), false, e.halfClosed},
		{"a byte a second", e.pick(200, 200), false, e.dribbling},
		{"no login", clients, true, func(n int) (net.Conn, error) { return e.keyed(n) }},
		{"no session", clients, true, func(n int) (net.Conn, error) { return e.inside(n) }},
		{"no shell", clients, true, e.withoutShell},
	}
	var slow slowest
	var refused atomic.Int64
	var ahead sync.WaitGroup // those that get further go first: the others would evict them
	for _, kind := range kinds {
		if kind.far {
			ahead.Add(kind.n)
		}
	}
	limit := e.limit() + time.Second
	e.many(len(kinds), len(kinds), func(k int) {
		kind := kinds[k]
		var came atomic.Int64
		defer func() {
			if n := came.Load(); n < int64(kind.n/4) { // one address has one key, with ten sessions
				e.fault("%s: only %d of %d came so far", kind.name, n, kind.n)
			}
		}()
		e.many(kind.n, kind.n, func(i int) {
			if !kind.far {
				ahead.Wait()
			}
			begun := time.Now()
			conn, err := kind.open((100*k + i) % addresses)
			if kind.far {
				ahead.Done()
			}
			if err != nil {
				refused.Add(1) // rejected or evicted on the way
				return
			}
			came.Add(1)
			defer func() { _ = conn.Close() }()
			if kind.far {
				begun = time.Now()
			}
			if !closed(conn, limit-time.Since(begun)+time.Second) || time.Since(begun) > limit {
				e.fault("%s: still open after %v", kind.name, time.Since(begun).Round(time.Second))
			}
			slow.took(kind.name, time.Since(begun))
		})
	})
	e.figure("%d refused, the others closed after: %v", refused.Load(), &slow)
	return nil
}

// announce fills the pre-login connections with clients that announce the largest packet: it is allocated at once.
func (e *enemy) announce() error {
	const clients, addresses = 256, 64
	var slow slowest
	var came atomic.Int64
	limit := e.limit() + time.Second
	e.many(clients, clients, func(i int) {
		conn, err := e.raw(i % addresses)
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		begun := time.Now()
		if _, err := io.WriteString(conn, "SSH-2.0-x\r\n\x00\x03\xff\xf0\x04"); err == nil {
			came.Add(1)
		}
		if !closed(conn, limit+time.Second) || time.Since(begun) > limit {
			e.fault("still open after %v", time.Since(begun).Round(time.Second))
		}
		slow.took("the longest", time.Since(begun))
	})
	if n := came.Load(); n < clients/2 {
		e.fault("only %d of %d were heard", n, clients)
	}
	e.figure("%d announced, closed after: %v", came.Load(), &slow)
	return nil
}

func (e *enemy) halfClosed(n int) (net.Conn, error) {
	conn, err := e.raw(n)
	if err == nil {
		err = conn.Conn.(*net.TCPConn).CloseWrite()
	}
	return conn, err
}

// dribbling sends a byte a second, until it is closed.
func (e *enemy) dribbling(n int) (net.Conn, error) {
	conn, err := e.raw(n)
	if err != nil {
		return nil, err
	}
	var send func()
	send = func() {
		if _, err := io.WriteString(conn, "S"); err == nil {
			time.AfterFunc(time.Second, send)
		}
	}
	send()
	return conn, nil
}

func (e *enemy) withoutShell(n int) (net.Conn, error) {
	conn, err := e.inside(n)
	if err != nil {
		return nil, err
	}
	channel, err := conn.Session(0, 1<<20)
	if err != nil {
		return nil, err
	}
	return conn, conn.Send(wire.Request(channel, "pty-req", true, wire.Terminal("xterm", 80, 24)))
}

// garbage sends what is not SSH, or becomes invalid.
func (e *enemy) garbage() error {
	words := map[string]string{
		"TLS":         "",
		"HTTP":        "GET / HTTP/1.1\r\nHost: notakto\r\n\r\n",
		"SSH 1":       "SSH-1.5-old\r\n",
		"zeros":       strings.Repeat("\x00", 64<<10),
		"endless":     strings.Repeat("S", 1<<20),
		"lines":       strings.Repeat("hello\r\n", 10_000),
		"huge packet": "SSH-2.0-x\r\n\xff\xff\xff\xff\x04",
		"no packet":   "SSH-2.0-x\r\n\x00\x00\x00\x00\x00",
		"junk":        "SSH-2.0-x\r\n" + strings.Repeat("\x00\x00\x00\x0c\x0a\x14junkjunk12", 2000),
	}
	var slow slowest
	kinds := slices.Collect(maps.Keys(words))
	const pause = 5 * time.Millisecond // many at the same moment are another attack
	n := e.pick(10, 50)                // of each kind
	e.many(n*len(kinds), 200, func(i int) {
		<-time.After(time.Duration(i%200) * pause)
		kind := kinds[i%len(kinds)]
		e.discards(kind, i, &slow, func(conn net.Conn) {
			if kind == "TLS" {
				_ = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(e)
			} else {
				_, _ = io.WriteString(conn, words[kind])
			}
		})
	})
	e.figure("%d kinds, closed after: %v", len(kinds), &slow)
	return nil
}

// discards checks that the server closes a connection after receiving something.
func (e *enemy) discards(name string, n int, slow *slowest, say func(net.Conn)) {
	conn, err := e.raw(n)
	if err != nil {
		e.fault("%s: %v", name, err)
		return
	}
	defer func() { _ = conn.Close() }()
	begun := time.Now()
	_ = conn.SetDeadline(begun.Add(e.limit() + 2*time.Second))
	say(conn)
	if !closed(conn, e.limit()+time.Second) {
		e.fault("%s: still open", name)
	}
	slow.took(name, time.Since(begun))
}

// offerAlgorithms checks the server's offer, offers algorithms that no server should accept any more, and violates the
// strict key exchange.
func (e *enemy) offerAlgorithms() error {
	change := map[string]func(*wire.Offer){
		"dh14":    func(o *wire.Offer) { o.Exchange = "diffie-hellman-group14-sha1,diffie-hellman-group1-sha1" },
		"nist":    func(o *wire.Offer) { o.Exchange = "ecdh-sha2-nistp256,ecdh-sha2-nistp521" },
		"dss":     func(o *wire.Offer) { o.HostKey = "ssh-dss,ssh-rsa" },
		"cbc":     func(o *wire.Offer) { o.Cipher = "aes128-cbc,3des-cbc,arcfour" },
		"sha1":    func(o *wire.Offer) { o.Cipher, o.MAC = "aes128-ctr", "hmac-sha1,hmac-sha1-96" },
		"nothing": func(o *wire.Offer) { *o = wire.Offer{} },
	}
	for name, worsen := range change {
		offer := wire.Usual()
		worsen(&offer)
		if _, err := e.exchange(offer, nil); err == nil {
			e.fault("%s is accepted", name)
		}
	}
	offered, err := e.exchange(wire.Usual(), nil)
	if err != nil {
		return fmt.Errorf("the usual exchange: %w", err)
	}
	for _, old := range []string{
		"diffie-hellman", "nistp", "cbc", "3des", "arcfour", "aes128-ctr", "sha1", "md5", "ssh-rsa", "ssh-dss", "zlib",
	} {
		if bytes.Contains(offered, []byte(old)) {
			e.fault("the server offers %s: %q", old, offered)
		}
	}
	if !bytes.Contains(offered, []byte("kex-strict-s-v00@openssh.com")) {
		e.fault("the server offers no strict key exchange: %q", offered)
	}
	if _, err := e.exchange(wire.Usual(), []byte{2, 0, 0, 0, 0}); err == nil {
		e.fault("a packet in between is accepted in strict key exchange")
	}
	e.figure("%d offers refused", len(change))
	return nil
}

// exchange exchanges keys with an offer, with a packet in between if it is not nil. It returns the server's offer.
func (e *enemy) exchange(offer wire.Offer, between []byte) (theirs []byte, err error) {
	conn, err := e.raw(0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	if err := conn.Greet(); err != nil {
		return nil, err
	}
	if err := conn.Propose(offer); err != nil {
		return nil, err
	}
	if theirs, err = conn.Await(20); err != nil {
		return nil, err
	}
	if between != nil {
		if err := conn.Send(between); err != nil {
			return nil, err
		}
	}
	if err := conn.Agree(theirs); err != nil {
		return nil, err
	}
	return theirs, conn.Service()
}

// wrongPackets returns packets that are invalid on a connection with one channel, whose number is given.
func wrongPackets(channel uint32) [][][]byte {
	huge := []byte{0xff, 0xff, 0xff, 0xff}
	open := wire.Open("session", 0, 1<<20)
	nine := binary.BigEndian.AppendUint32(nil, 9)
	return [][][]byte{
		{{81}, {82}, {81, 1, 2, 3}},
		{wire.About(wire.MsgDone, channel), wire.About(wire.MsgFailed, channel)},
		{wire.About(wire.MsgDone, 77), wire.Data(88, []byte("x")), wire.About(wire.MsgClose, 99)},
		{open, wire.Data(channel+1, []byte("x"))},
		{wire.About(wire.MsgEOF, channel), wire.About(wire.MsgEOF, channel), wire.Data(channel, []byte("after the end"))},
		{wire.About(wire.MsgClose, channel), wire.About(wire.MsgClose, channel)},
		{wire.About(wire.MsgData, channel, append(huge, 'x')...)},
		{{wire.MsgData, 0}, {}},
		{wire.About(wire.MsgAdjust, channel, huge...), wire.About(wire.MsgAdjust, channel, huge...)},
		{wire.About(91, channel, make([]byte, 12)...), wire.About(92, channel, make([]byte, 12)...)},
		{wire.About(98, channel, 0, 0, 0, 50)},
		{wire.Data(channel, make([]byte, 100<<10)), wire.Data(channel, make([]byte, 200<<10))},
		{wire.About(95, channel, append(nine, nine...)...)},
		{{50}, {52}, {60}, {61}, {5}, {6}, {7}},
		{{20, 1, 2}}, {{21}}, {{30, 0, 0, 0, 1, 4}}, {{255}, {0}, {127}}, {{1}}, {{2}, {3}, {4}},
	}
}

// packets sends them before and after the shell.
func (e *enemy) packets() error {
	n := len(wrongPackets(0))
	e.many(2*n*e.pick(2, 20), 4, func(i int) {
		conn, err := e.inside(i)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer func() { _ = conn.Close() }()
		begin := conn.Session
		if i/n%2 == 1 {
			begin = conn.Play
		}
		channel, err := begin(0, 1<<20)
		if err != nil {
			e.fault("open: %v", err)
			return
		}
		for _, packet := range wrongPackets(channel)[i%n] {
			_ = conn.Send(packet)
		}
		closed(conn, 100*time.Millisecond)
	})
	e.figure("%d kinds, before and after the shell", n)
	return nil
}

// rekeyTime is how long one connection may exchange keys.
const rekeyTime = 5 * time.Second

// rekey exchanges keys on running connections as fast as possible, and reconnects when one is closed.
func (e *enemy) rekey() error {
	const clients = 4
	over := time.Now().Add(time.Duration(e.pick(3, 30)) * time.Second)
	var exchanges, cut, refused atomic.Int64
	var slow slowest
	e.many(clients, clients, func(i int) {
		for time.Now().Before(over) && e.Err() == nil {
			conn, err := e.inside(i)
			if err != nil { // rejected for too many connections
				refused.Add(1)
				<-time.After(comeBack)
				continue
			}
			begun := time.Now()
			n, closed := storm(conn)
			exchanges.Add(n)
			if !closed {
				e.fault("not closed after %d exchanges in %v", n, rekeyTime)
				continue
			}
			cut.Add(1)
			slow.took("closed", time.Since(begun))
		}
	})
	e.figure("%d exchanges on %d connections, %d refused, %v", exchanges.Load(), cut.Load(), refused.Load(), &slow)
	if cut.Load() < clients {
		e.fault("only %d connections were closed", cut.Load())
	}
	return nil
}

// storm opens a game and exchanges keys until the server closes the connection.
func storm(conn *wire.Conn) (exchanges int64, closed bool) {
	defer func() { _ = conn.Close() }()
	_, err := conn.Play(0, 1<<20)
	for begun := time.Now(); err == nil && time.Since(begun) < rekeyTime; exchanges++ {
		err = conn.Exchange()
	}
	return exchanges, err != nil
}
