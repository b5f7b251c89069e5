//go:build attack

package main

import (
	"sync/atomic"
	"time"

	"notakto/internal/wire"
)

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
