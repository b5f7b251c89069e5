//go:build attack

package main

import (
	"context"
	"net"
	"time"
)

// relay forwards connections to a server, each from its own source address. Every byte arrives half a round-trip time
// late, in both directions.
type relay struct {
	server string
	delay  time.Duration // half of the round-trip time
}

// startRelay returns the address of a new relay, which ends with ctx.
func startRelay(ctx context.Context, server string, roundTrip time.Duration) (address string, err error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	r := &relay{server, roundTrip / 2}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go r.join(ctx, near)
		}
	}()
	return listener.Addr().String(), nil
}

// join forwards both directions of a connection until one end closes it.
func (r *relay) join(ctx context.Context, near net.Conn) {
	defer func() { _ = near.Close() }()
	source, _, _ := net.SplitHostPort(near.RemoteAddr().String())
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(source)}}
	<-time.After(r.delay)
	far, err := dialer.DialContext(ctx, "tcp4", r.server)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	defer context.AfterFunc(ctx, func() { _ = near.Close() })()
	ended := make(chan struct{}, 2)
	go func() { r.pass(far, near); ended <- struct{}{} }()
	go func() { r.pass(near, far); ended <- struct{}{} }()
	<-ended
}

// late is a piece of data, and when it is to be delivered.
type late struct {
	bytes []byte
	due   time.Time
}

// pass forwards data from one end, until that end has closed the connection and the delay is over, or the other accepts
// no more.
func (r *relay) pass(to, from net.Conn) {
	const pieces, size = 256, 16 << 10
	under := make(chan late, pieces)
	gone := make(chan struct{})
	defer close(gone)
	go func() {
		defer close(under)
		for {
			buffer := make([]byte, size)
			n, err := from.Read(buffer)
			select {
			case under <- late{buffer[:n], time.Now().Add(r.delay)}:
			case <-gone:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for piece := range under {
		<-time.After(time.Until(piece.due))
		if _, err := to.Write(piece.bytes); err != nil {
			return
		}
	}
}
