//go:build attack

package main

import (
	"sync/atomic"
	"time"

	"notakto/internal/wire"
)

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
