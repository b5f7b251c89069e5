//go:build attack

package main

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"notakto/internal/wire"
)

// cuts ends connections at every phase, every other one with a reset.
func (e *enemy) cuts() error {
	n := e.pick(300, 1000)
	var slow slowest
	var cameSoFar atomic.Int64
	e.many(n, 1, func(i int) {
		begun := time.Now()
		conn, err := e.raw(i)
		if err != nil {
			e.fault("connect: %v", err)
			return
		}
		if i%2 == 0 {
			_ = conn.Conn.(*net.TCPConn).SetLinger(0)
		}
		if e.walk(conn, i, i/2%phases) {
			cameSoFar.Add(1)
		}
		_ = conn.Close()
		slow.took("the longest", time.Since(begun))
	})
	e.figure("%d cuts at %d phases, %v", n, phases, &slow)
	if came := int(cameSoFar.Load()); came < n-n/10 {
		e.fault("only %d came so far as they should before they were cut", came)
	}
	return nil
}

// phases is the number of steps into a game.
const phases = 16

// walk takes steps, and reports whether all of them succeeded.
func (e *enemy) walk(conn *wire.Conn, n, steps int) bool {
	var channel uint32
	var theirs []byte
	send := func(kind string, payload []byte) error { return conn.Send(wire.Request(channel, kind, true, payload)) }
	way := [phases - 1]func() error{
		func() (err error) { _, err = io.WriteString(conn, "SSH-2.0-"); return err },
		func() (err error) { _, err = io.WriteString(conn, "x\r\n"); return err },
		func() (err error) { _, err = conn.Write([]byte{0, 0, 1}); return err },
	}
	if steps > 3 {
		way[0], way[1] = conn.Greet, func() error { return conn.Propose(wire.Usual()) }
		way[2] = func() (err error) { theirs, err = conn.Await(20); return err }
	}
	way[3] = func() error { return conn.Agree(theirs) }
	way[4] = conn.Service
	way[5] = func() error { return conn.Send(wire.Query("mallory", "ssh-ed25519", key(n).PublicKey().Marshal())) }
	if steps > 6 {
		way[4], way[5] = func() error { return conn.Login("mallory", key(n)) }, func() error { return nil }
	}
	way[6] = func() (err error) { channel, err = conn.Session(0, 1<<20); return err }
	way[7] = func() error { return send("pty-req", wire.Terminal("xterm", 80, 24)) }
	way[8] = func() error { return send("shell", nil) }
	way[9] = func() error { _, err := conn.Await(wire.MsgData); return err }
	for k, keys := range []string{"\r", "2\r", "5379", "\x1b[200~abc", "?q"} {
		way[10+k] = func() error { return conn.Send(wire.Data(channel, []byte(keys))) }
	}
	for _, step := range way[:steps] {
		if step() != nil {
			return false
		}
	}
	return true
}
