//go:build attack

package main

import (
	"time"

	"notakto/internal/wire"
)

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
