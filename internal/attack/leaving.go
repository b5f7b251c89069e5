//go:build attack

package main

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"notakto/internal/wire"
	"notakto/sshapp/bot/botproto"
)

func leavingAttacks() []attack {
	return []attack{
		{name: "kept", memory: 10, run: (*enemy).keepConnection,
			holds: "a closed channel ends its game, costs nothing and is told within 3 s"},
		{name: "ahead", memory: 18, run: (*enemy).typeAhead, holds: "keys typed ahead of the end leave nothing behind"},
		{name: "cuts", memory: 12, run: (*enemy).cuts, holds: "a connection cut at any moment leaves nothing behind"},
	}
}

// keepConnection ends a channel in two ways and keeps the connection without a session; the server's idle use is
// measured for a second.
func (e *enemy) keepConnection() error {
	const clients = 10
	ways := []struct {
		name string
		end  func(*ssh.Client, ssh.Channel)
	}{
		{"close", func(_ *ssh.Client, shell ssh.Channel) { _ = shell.Close() }},
		{"end of input", func(_ *ssh.Client, shell ssh.Channel) { _ = shell.CloseWrite() }},
		{"cut", func(client *ssh.Client, _ ssh.Channel) { _ = client.Close() }},
	}
	var slow slowest
	e.many(len(ways)*clients, 1, func(i int) {
		way := ways[i%len(ways)]
		took, err := e.missed(i, way.end)
		if err != nil {
			e.fault("%s: %v", way.name, err)
		} else if took > 3*time.Second {
			e.fault("%s: the opponent was told after %v", way.name, took)
		}
		slow.took(way.name, took)
	})
	spent := e.spent(func() { <-time.After(time.Second) })
	e.figure("told after: %v; %.0f %% of a core afterwards", &slow, 100*spent.Seconds())
	if spent > 300*time.Millisecond {
		e.fault("%v of processor time in a second without a session", spent)
	}
	return nil
}

// missed joins a bot's table on the full screen, ends the screen's channel and waits until the bot is notified.
func (e *enemy) missed(n int, end func(*ssh.Client, ssh.Channel)) (time.Duration, error) {
	o, err := e.sitOpposite(n)
	if err != nil {
		return 0, err
	}
	defer o.Close()
	time.AfterFunc(e.limit()+3*time.Second, func() { _ = o.client.Close() }) // keeps the connection for a while
	go discard(o.shell)
	begun := time.Now()
	end(o.client, o.shell)
	for {
		received, err := o.ExpectAny(botproto.Presence{}.Name(), botproto.End{}.Name())
		if err != nil {
			return 0, fmt.Errorf("await the absence: %w", err)
		}
		presence, is := received.(botproto.Presence)
		if !is {
			return 0, fmt.Errorf("no absence before the end, %.1f s later", time.Since(begun).Seconds())
		}
		if !presence.Present {
			return time.Since(begun), nil
		}
	}
}

// gamesASecond is how many games start while keys are typed ahead. Each is recorded and synced to the disk several
// times; the attack tests what they leave behind, not how many matches a second a disk can store.
const gamesASecond = 16

// leakage is how many MB more may be used when the same is repeated.
const leakage = 5

// typeAhead types a thousand keys and quits, or disconnects, before they are read. When these games are over it repeats
// that: by then all resources of the first ones must be free again.
func (e *enemy) typeAhead() error {
	n := e.pick(100, 500)
	e.leaveAhead(n)
	first := e.server.peak()
	<-time.After(goneAfter)
	e.leaveAhead(n)
	more := float64(e.server.peak()-first) / 1024
	e.figure("%d times, and again for %.1f MB more", n, more)
	if more > leakage {
		e.fault("doing it again takes %.1f MB more", more)
	}
	return nil
}

func (e *enemy) leaveAhead(n int) {
	pace := rate.NewLimiter(gamesASecond, 1)
	e.many(n, 1, func(i int) {
		if pace.Wait(e) != nil {
			return
		}
		client, shell, err := e.atTable(i)
		if err != nil {
			e.fault("sit down: %v", err)
			return
		}
		defer func() { _ = client.Close() }()
		ahead := strings.Repeat("hjkl", 250)
		switch i % 4 {
		case 0:
			ahead = "\x03" + ahead
		case 1:
			ahead = "q" + "y" + ahead
		case 2:
			ahead += "\x03"
		}
		_, _ = io.WriteString(shell, ahead)
		if i%2 == 0 {
			_ = shell.CloseWrite()
		}
	})
}

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

// deadEnds sends a packet that ends the connection, before its login or after, followed by many others. The library
// read these, blocked for ever handing them over, and leaked two or three goroutines and what it had read for each
// connection.
func (e *enemy) deadEnds() error {
	const behind, length = 500, 64
	n := e.pick(50, 300)
	kinds := []struct {
		reach func(int) (*wire.Conn, error)
		end   []byte
		crowd []byte
	}{
		{e.inside, []byte{199}, wire.Data(77, make([]byte, length))},
		{e.keyed, wire.Service("ssh-connection"), []byte{199}},
		{e.keyed, []byte{199}, make([]byte, length)},
	}
	before := e.server.memory()
	e.many(len(kinds)*n, 4, func(i int) {
		kind := kinds[i%len(kinds)]
		conn, err := kind.reach(i)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(e.limit()))
		_ = conn.Send(kind.end)
		for range behind {
			if conn.Send(kind.crowd) != nil {
				break
			}
		}
		closed(conn, e.limit())
	})
	<-time.After(time.Second)
	e.figure("%d connections, %.1f MB kept afterwards", len(kinds)*n, float64(e.server.memory()-before)/1024)
	return nil
}

func unreadAttacks() []attack {
	return []attack{{
		name: "unread", memory: 102, run: (*enemy).unread,
		holds: "200 clients that read nothing are out 10 s after the limit, half of which their buffers take to " +
			"fill, for 512 KB each at most",
	}}
}

// unread opens the game and stops reading: it uses up the server's window, or its connection's buffers.
func (e *enemy) unread() error {
	const clients = 200
	memory := e.server.memory()
	e.server.forget()
	conns := make([]*wire.Conn, clients)
	var out atomic.Int64
	e.many(clients, 1, func(i int) {
		conn, err := e.deaf(i)
		if err != nil {
			e.fault("sit down: %v", err)
			return
		}
		conns[i] = conn
		go func() {
			provoke(conn, i)
			out.Add(1)
		}()
	})
	begun := time.Now()
	limit := e.limit() + 5*time.Second
	for out.Load() < clients && time.Since(begun) < limit {
		<-time.After(pollEvery)
	}
	took, left := time.Since(begun), clients-out.Load()
	each := float64(e.server.peak()-memory) / clients
	e.figure("%d clients, %d left after %.1f s, %.0f KB each", clients, left, took.Seconds(), each)
	if left > 0 {
		e.fault("%d are still there %v after they stopped reading", left, took.Round(time.Second))
	}
	if each > 512 {
		e.fault("each takes %.0f KB", each)
	}
	for _, conn := range conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
	return nil
}

// deaf returns a client in a game that it does not read: by a tiny window, or by its connection.
func (e *enemy) deaf(n int) (*wire.Conn, error) {
	// With less, Linux drops the server's packets together with what they acknowledge once the buffer is full, so that
	// nothing moves in either direction and a client does not find out that it has been disconnected.
	const small = 16 << 10
	conn, err := wire.Keyed(e, source(n), e.address, small)
	if err != nil {
		return nil, err
	}
	window := uint32(1 << 30)
	if n%3 == 0 {
		window = uint32(n) // may be 0
	}
	if err = conn.Login("mallory", key(n)); err == nil {
		_, err = conn.Play(0, window)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	if n%3 == 0 { // reads all, but never adjusts the window
		go func() {
			for err == nil {
				_, err = conn.Next()
			}
		}()
	}
	return conn, nil
}

// provoke makes the server write until it disconnects: sizes and keys change the whole screen. Every third client sends
// an ignored packet a second, as a live one would.
func provoke(conn *wire.Conn, n int) {
	const tick = 100 * time.Millisecond
	for k := uint32(0); ; k++ {
		<-time.After(tick)
		packets := [][]byte{wire.Data(0, []byte([]string{"?", "x"}[k%2]))}
		if k%2 == 0 {
			packets = append(packets, wire.Request(0, "window-change", false, wire.Size(100-k%4*10, 36-k%4*3)))
		}
		if n%3 == 1 && k%10 == 0 {
			packets = append(packets, []byte{2, 0, 0, 0, 0})
		}
		for _, packet := range packets {
			if conn.Send(packet) != nil {
				return
			}
		}
	}
}
