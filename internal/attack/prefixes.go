//go:build attack

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync/atomic"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
)

const (
	// seatsInAll and seatsEach are a tenth of the server's own limits of sessions.
	seatsInAll = 500
	seatsEach  = 10
)

func prefixAttacks() []attack {
	return []attack{{
		name: "prefixes", memory: 120, fair: true, run: (*enemy).fillFromPrefix,
		flags: []string{
			"--proxy-from", "127.0.9.0/24",
			"--max-sessions", strconv.Itoa(seatsInAll), "--max-sessions-per-address", strconv.Itoa(seatsEach),
		},
		holds: "one /48, with idle bots in as many networks as fill the server, keeps no newcomer out",
	}}
}

// fillFromPrefix opens idle bots from enough /64 networks of one /48 to take all sessions. A proxy header gives their
// addresses.
func (e *enemy) fillFromPrefix() error {
	const spare = 2 // networks
	attacked, over := context.WithTimeout(e, e.attackFor(6))
	defer over()
	var taken, refused atomic.Int64
	held := make(chan io.Closer, seatsInAll)
	e.many(2*(seatsInAll/seatsEach+spare), 8, func(i int) {
		client, err := e.proxied(i/2, i)
		if err != nil {
			refused.Add(1)
			return
		}
		held <- client
		for range seatsEach / 2 {
			shell, err := botclient.Start(client, "", "bot")
			if err != nil {
				refused.Add(1)
				continue
			}
			taken.Add(1)
			go discard(shell)
		}
	})
	e.figure("%d sessions taken, %d refused", taken.Load(), refused.Load())
	const share = 95
	newAddress := func(n int) net.IP { return net.IPv4(127, 0, 6, byte(1+n%250)) }
	e.tryOut(attacked, "newcomer", share, newAddress, func(*botclient.Client) error { return nil })
	close(held)
	for client := range held {
		_ = client.Close()
	}
	return nil
}

// proxied logs in from one of the /64 networks of a /48, by a proxy header.
func (e *enemy) proxied(network, player int) (*ssh.Client, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 9, 1)}}
	conn, err := dialer.DialContext(e, "tcp4", e.address)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "PROXY TCP6 2001:db8:1:%x::1 2001:db8::1 40000 2222\r\n", network); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(e, e.limit())
	defer cancel()
	return botclient.Login(ctx, conn, "mallory", key(player))
}
