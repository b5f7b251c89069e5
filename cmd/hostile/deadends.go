//go:build hostile

package main

import (
	"time"

	"notakto/cmd/hostile/wire"
)

// deadEnds logs in, sends a packet that ends the connection, and a crowd of others right behind it. The library read them, waited for ever
// for somebody who would take them, and kept three goroutines and all that it had read for each connection.
func (e *enemy) deadEnds() error {
	const behind, length = 500, 64
	n := e.pick(50, 300)
	crowd := wire.Data(77, make([]byte, length))
	before := e.server.memory()
	e.many(n, 4, func(i int) {
		conn, err := e.inside(i)
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(e.limit()))
		_ = conn.Send([]byte{199})
		for range behind {
			if conn.Send(crowd) != nil {
				break
			}
		}
		closed(conn, e.limit())
	})
	<-time.After(time.Second)
	e.figure("%d connections, %.1f MB kept afterwards", n, float64(e.server.memory()-before)/1024)
	return nil
}
