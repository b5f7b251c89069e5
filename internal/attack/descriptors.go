//go:build attack

package main

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
)

func descriptorAttacks() []attack {
	return []attack{{
		name: "descriptors", memory: 85, descriptors: 512, run: (*enemy).useUp,
		holds: "with 512 descriptors and 600 connections a match goes on, and a newcomer gets in, or reads why " +
			"not, within 15 s",
	}}
}

// useUp opens more connections than the server may have, four times, each time a step further into a session.
func (e *enemy) useUp() error {
	const clients, addresses = 600, 200 // three each: as few as players have after a restart
	waves := []struct {
		name string
		open func(n int) (io.Closer, error)
	}{
		{"silent from one", func(int) (io.Closer, error) { return e.raw(0) }},
		{"silent from many", func(n int) (io.Closer, error) { return e.raw(n % addresses) }},
		{"no session", func(n int) (io.Closer, error) { return e.inside(n) }},
		{"playing", func(n int) (io.Closer, error) { client, _, err := e.atTable(n); return client, err }},
	}
	var slow slowest
	for _, wave := range waves {
		leave := e.gather(clients, wave.open)
		e.newConnections(wave.name, &slow)
		leave()
	}
	begun := time.Now()
	if e.newConnection(0) != nil {
		e.fault("no player gets in when all have left")
	}
	slow.took("afterwards", time.Since(begun))
	e.figure("answered after: %v", &slow)
	return nil
}

// gather opens connections, some at once, and holds those that are accepted.
func (e *enemy) gather(clients int, open func(n int) (io.Closer, error)) (leave func()) {
	var mu sync.Mutex
	var all []io.Closer
	e.many(clients, 4, func(i int) { // slowly: the number is tested here
		if conn, err := open(i); err == nil {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, conn)
		}
	})
	return func() {
		for _, conn := range all {
			_ = conn.Close()
		}
	}
}

// newConnections connects while the connections are held. Only players may be the reason of a rejection.
func (e *enemy) newConnections(wave string, slow *slowest) {
	n := e.pick(3, 10)
	e.many(n, n, func(i int) {
		<-time.After(time.Duration(i) * time.Second / 2)
		begun := time.Now()
		err := e.newConnection(i)
		slow.took(wave, time.Since(begun))
		var refused *ssh.OpenChannelError
		if err != nil && (wave != "playing" || !errors.As(err, &refused)) {
			e.fault("%s: a newcomer has not got in after %.1f s: %v", wave, time.Since(begun).Seconds(), err)
		}
	})
}

// newConnection logs in and waits for the first screen.
func (e *enemy) newConnection(n int) error {
	ctx, cancel := context.WithTimeout(e, waitsFor)
	defer cancel()
	return players.Visit(ctx, net.IPv4(127, 0, 3, byte(1+n)), e.address, players.Key(3_000_000+n))
}
