//go:build hostile

package main

import (
	"sync/atomic"
	"time"
)

// rekey makes new keys on running connections, as fast as it goes.
func (e *enemy) rekey() error {
	const clients = 4
	lasting := time.Duration(e.pick(3, 30)) * time.Second
	var exchanges, cut atomic.Int64
	var slow slowest
	e.many(clients, clients, func(i int) {
		conn, err := e.inside(i)
		if err == nil {
			_, err = conn.Play(0, 1<<20)
		}
		if err != nil {
			e.fault("log in: %v", err)
			return
		}
		defer func() { _ = conn.Close() }()
		begun := time.Now()
		for time.Since(begun) < lasting && e.Err() == nil {
			if conn.Exchange() != nil {
				cut.Add(1)
				slow.took("closed", time.Since(begun))
				return
			}
			exchanges.Add(1)
		}
	})
	e.figure("%d exchanges by %d clients, %v", exchanges.Load(), clients, &slow)
	if n := clients - cut.Load(); n > 0 {
		e.fault("%d of %d were not closed in %v", n, clients, lasting)
	}
	return nil
}
