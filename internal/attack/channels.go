//go:build attack

package main

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

func channelAttacks() []attack {
	return []attack{
		{name: "channels", memory: 1, run: (*enemy).channels, holds: "8 channels at once, then the connection is closed"},
		{name: "global", memory: 12, run: (*enemy).globals,
			holds: "who asks the connection without end is closed, or costs next to nothing"},
		{name: "packets", memory: 12, run: (*enemy).packets, holds: "wrong packets are ignored or end the connection"},
		{name: "dead-ends", memory: 12, run: (*enemy).deadEnds,
			holds: "what comes behind a wrong packet is forgotten with it"},
	}
}

// channels opens 10,000 channels on one connection, of one kind and of three.
func (e *enemy) channels() error {
	for k, kinds := range [][]string{
		{"session"}, {"direct-tcpip", "x11", "auth-agent@openssh.com"}, {"session", "forwarded-tcpip", "x11"},
	} {
		conn, err := e.inside(k)
		if err != nil {
			return err
		}
		opened := make(chan int, 1)
		go func() { opened <- countOpened(conn) }()
		sent := 0
		for ; sent < 10_000 && err == nil; sent++ {
			err = conn.Send(wire.Open(kinds[sent%len(kinds)], uint32(sent), 1<<20))
		}
		if err == nil {
			_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
		}
		n := <-opened
		e.figure("%s: %d of %d opened", strings.Join(kinds, "+"), n, sent)
		if n > 8 || n > 0 && !slices.Contains(kinds, "session") {
			e.fault("%d channels were opened at once", n)
		}
		if !closed(conn, 2*time.Second) {
			e.fault("%s: still open after %d", strings.Join(kinds, "+"), sent)
		}
		_ = conn.Close()
	}
	return nil
}

// countOpened reads until the connection ends, and counts confirmations.
func countOpened(conn *wire.Conn) (n int) {
	for {
		packet, err := conn.Next()
		if err != nil {
			return n
		}
		if packet[0] == 91 {
			n++
		}
	}
}

// cheap is the limit for answering one packet: a hundredth of what a key press costs otherwise.
const cheap = 50 * time.Microsecond

// globals sends global requests, with and without an answer, and other messages that are answered.
func (e *enemy) globals() error {
	request := func(name string, answer bool) []byte {
		return ssh.Marshal(struct {
			Name   string `sshtype:"80"`
			Answer bool
		}{name, answer})
	}
	floods := map[string][]byte{
		"tcpip-forward": request("tcpip-forward", true),
		"keepalive":     request("keepalive@openssh.com", false),
		"ping": ssh.Marshal(struct {
			Text string `sshtype:"192"`
		}{strings.Repeat("x", 1000)}),
		"nonsense":    request(strings.Repeat("x", 200<<10), false),
		"unknown":     {199},
		"login again": wire.Query("alice", "ssh-ed25519", key(1).PublicKey().Marshal()),
	}
	k := 0
	for name, packet := range floods {
		conn, err := e.inside(k)
		if err != nil {
			return err
		}
		gone := make(chan int, 1)
		go func() { gone <- countOpened(conn) }()
		sent := 0
		// it may be slowed down for much longer
		_ = conn.SetWriteDeadline(time.Now().Add(time.Duration(e.pick(1, 5)) * time.Second))
		spent := e.spent(func() {
			for ; sent < 10_000 && err == nil; sent++ {
				err = conn.Send(packet)
			}
			_ = conn.SetReadDeadline(time.Now().Add(time.Second / 2))
			<-gone
		})
		if each := spent / time.Duration(sent); err == nil && each > cheap {
			e.fault("%s: still open after %d, %v of processor time each", name, sent, each)
		}
		e.figure("%s %d", name, sent)
		_ = conn.Close()
		k++
	}
	return nil
}
