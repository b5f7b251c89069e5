//go:build attack

package main

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/rig"
	"notakto/internal/wire"
)

// connectionAttacks returns the attacks before a session, and on its transport.
func connectionAttacks() []attack {
	return []attack{
		{
			name: "flood", mostMemory: 20, visitors: elsewhere,
			run:   func(e *enemy) error { return e.flood(50, e.pick(1000, 2500), "") },
			holds: "silent connections from 50 addresses keep no player out",
		}, {
			name: "neighbour", mostMemory: 20, visitors: beside,
			run: func(e *enemy) error { return e.flood(1, e.pick(1000, 2500), "") },
			holds: "half of the people at the address of silent connections get in at once, and all within 15 s " +
				"after the attack",
		}, {
			name: "talkers", mostMemory: 20, visitors: beside,
			run:   func(e *enemy) error { return e.flood(1, e.pick(300, 1000), "S", "SSH-2.0-talker\r\n") },
			holds: "as neighbour, with connections that say a byte, or the first line, and nothing more",
		}, {
			name: "descriptors", mostMemory: 85, descriptors: 512, run: (*enemy).useUp,
			holds: "with 512 descriptors and 600 connections a match goes on, and a newcomer gets in, or reads why " +
				"not, within 15 s",
		}, {
			name: "rekey", mostMemory: 24, visitors: elsewhere, run: (*enemy).rekey,
			holds: "a client that exchanges keys without end is disconnected, and logins go on",
		}, {
			name: "keys", mostMemory: 12, run: (*enemy).offerKeys,
			holds: "no key costs more than 20 ms of processor time before the login",
		},
	}
}

const (
	// maxHeld is the number of connections that flood keeps open, more than the server keeps before a login. If many
	// more of the 28,000 ports of an address were in use, Linux would spend its time on the search for a free one.
	maxHeld = 5_000
	// bindNoPort is Linux's IP_BIND_ADDRESS_NO_PORT. Linux then chooses the port at connect, and each destination
	// address has its own 28,000 ports. Otherwise all connections of a source address would share them.
	bindNoPort = 24
)

// flood opens connections from a number of addresses, at a rate per second, and makes up for delays. A connection sends
// one of words. The last maxHeld connections stay open.
func (e *enemy) flood(addresses, rate int, words ...string) error {
	const pace, atOnce = 2 * time.Millisecond, 25
	attacked, over := e.lasting(2)
	defer over()
	anyPort := func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, bindNoPort, 1) })
	}
	held := make([]atomic.Pointer[net.TCPConn], maxHeld)
	var opened, failed atomic.Int64
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	begun := time.Now()
	for n, due := 0, 0; attacked.Err() == nil; n += due {
		<-ticker.C
		due = int(float64(rate)*time.Since(begun).Seconds()) - n
		e.many(due, atOnce, func(i int) {
			from := &net.TCPAddr{IP: source((n + i) % addresses)}
			dialer := net.Dialer{LocalAddr: from, Timeout: time.Second, Control: anyPort}
			conn, err := dialer.DialContext(e, "tcp4", e.address)
			if err != nil {
				failed.Add(1)
				return
			}
			tcp := conn.(*net.TCPConn)
			_ = tcp.SetLinger(0)
			_, _ = io.WriteString(tcp, words[(n+i)%len(words)])
			if old := held[int(opened.Add(1))%maxHeld].Swap(tcp); old != nil {
				_ = old.Close()
			}
		})
	}
	took := time.Since(begun).Seconds()
	if e.long && float64(opened.Load()) < 0.9*float64(rate)*took {
		e.fault("the attacker could not open %d connections a second here", rate)
	}
	e.figure("%.0f connections a second for %.0f s, %d failed", float64(opened.Load())/took, took, failed.Load())
	for i := range held {
		if conn := held[i].Load(); conn != nil {
			_ = conn.Close()
		}
	}
	return nil
}

// useUp opens more connections than the server may have, in four waves. Later waves get further into a session.
func (e *enemy) useUp() error {
	const clients, addresses = 600, 200 // three connections an address, like players that reconnect after a restart
	waves := []struct {
		name string
		open func(n int) (io.Closer, error)
	}{
		{"silent from one", func(int) (io.Closer, error) { return e.dial(0) }},
		{"silent from many", func(n int) (io.Closer, error) { return e.dial(n % addresses) }},
		{"no session", func(n int) (io.Closer, error) { return e.dialLoggedIn(n, 0) }},
		{"playing", func(n int) (io.Closer, error) { client, _, err := e.atTable(n); return client, err }},
	}
	newcomers := e.pick(3, 10)
	for _, wave := range waves {
		held := make(chan io.Closer, clients)
		e.many(clients, 4, func(i int) { // few at once, because the attack tests the number and not the rate
			if conn, err := wave.open(i); err == nil {
				held <- conn
			}
		})
		e.many(newcomers, newcomers, func(i int) {
			<-time.After(time.Duration(i) * time.Second / 2)
			err := e.newcomer(i, wave.name)
			var refused *ssh.OpenChannelError
			if err != nil && (wave.name != "playing" || !errors.As(err, &refused)) {
				e.fault("%s: a newcomer has not got in: %v", wave.name, err)
			}
		})
		close(held)
		for conn := range held {
			_ = conn.Close()
		}
	}
	if err := e.newcomer(0, "afterwards"); err != nil {
		e.fault("no player gets in when all have left: %v", err)
	}
	return nil
}

// newcomer logs in and waits for the first screen.
func (e *enemy) newcomer(n int, when string) error {
	ctx, cancel := context.WithTimeout(e, lastLogins)
	defer cancel()
	begun := time.Now()
	newcomer := rig.Client{
		Source: net.IPv4(127, 0, 6, byte(1+n)), Address: e.address, User: "dave", Key: rig.Key(3_000_000 + n),
	}
	err := newcomer.Visit(ctx)
	e.took(when, time.Since(begun))
	return err
}

// rekey exchanges keys on running connections as fast as possible, and reconnects when one is closed.
func (e *enemy) rekey() error {
	const clients, most = 4, 5 * time.Second // until the server closes a connection
	over := time.Now().Add(e.seconds(3, 30))
	var exchanges, cut, refused atomic.Int64
	e.many(clients, clients, func(i int) {
		for time.Now().Before(over) && e.Err() == nil {
			conn, err := e.dialLoggedIn(i, 0)
			if err != nil { // too many connections from the address
				refused.Add(1)
				<-time.After(retryPause)
				continue
			}
			begun := time.Now()
			for _, err = conn.Play(0, 1<<20); err == nil && time.Since(begun) < most; exchanges.Add(1) {
				err = conn.Exchange()
			}
			_ = conn.Close()
			if err == nil {
				e.fault("not closed after %v of exchanges", most)
				continue
			}
			cut.Add(1)
			e.took("closed", time.Since(begun))
		}
	})
	e.figure("%d exchanges on %d connections, %d refused", exchanges.Load(), cut.Load(), refused.Load())
	if cut.Load() < clients {
		e.fault("only %d connections were closed", cut.Load())
	}
	return nil
}

// offerKeys offers keys that would cost much to check, one a connection.
func (e *enemy) offerKeys() error {
	const most = 20 * time.Millisecond
	times := e.pick(6, 20)
	var worst time.Duration
	for name, blob := range wire.CostlyKeys() {
		spent := e.spent(func() {
			e.many(times, 4, func(i int) {
				conn, err := wire.Keyed(e, source(i), e.address, 0)
				if err != nil {
					e.fault("connect: %v", err)
					return
				}
				defer func() { _ = conn.Close() }()
				_ = conn.SetDeadline(time.Now().Add(time.Second))
				if err := conn.Service(); err != nil {
					e.fault("ask for a login: %v", err)
					return
				}
				_ = conn.Probe("mallory", name, blob) // the answer does not matter
			})
		}) / time.Duration(times)
		if worst = max(worst, spent); spent > most {
			e.fault("a key for %s costs %v", name, spent)
		}
	}
	e.figure("at most %.1f ms each, with the connection", worst.Seconds()*1000)
	return nil
}
