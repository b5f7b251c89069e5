//go:build hostile

package main

import (
	"encoding/binary"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/cmd/hostile/wire"
)

func channelAttacks() []attack {
	return []attack{
		{name: "channels", row: "15", memory: 12, run: (*enemy).channels, holds: "8 channels at once, then the connection is closed"},
		{name: "global", row: "issue", memory: 32, run: (*enemy).globals, holds: "who asks the connection without end is closed, or costs next to nothing"},
		{name: "packets", row: "16", memory: 20, run: (*enemy).packets, holds: "wrong packets are ignored or end the connection"},
	}
}

// channels opens 10,000 channels on one connection, of one kind and of three.
func (e *enemy) channels() error {
	for k, kinds := range [][]string{{"session"}, {"direct-tcpip", "x11", "auth-agent@openssh.com"}, {"session", "forwarded-tcpip", "x11"}} {
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
		if n > 8 {
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

// cheap is what answering one packet may cost: a hundredth of what a key press does to the rest.
const cheap = 50 * time.Microsecond

// globals sends requests that concern the whole connection, with and without an answer, and other things that are answered.
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
		spent := e.spent(func() {
			for begun := time.Now(); sent < 10_000 && time.Since(begun) < 5*time.Second && err == nil; sent++ {
				err = conn.Send(packet)
			}
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
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

// wrongPackets are packets that have no business on a connection with one channel, whose number is given.
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
	e.many(2*n*e.pick(2, 20), 8, func(i int) {
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
