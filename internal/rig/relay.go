package rig

import (
	"context"
	"net"
	"time"
)

// relay forwards connections to a server and keeps their source addresses. In both directions a byte arrives half a
// round-trip time late.
type relay struct {
	server string
	delay  time.Duration // half of the round-trip time
}

// StartRelay starts a relay and returns its address. The relay and its goroutines end with ctx.
func StartRelay(ctx context.Context, server string, roundTrip time.Duration) (address string, err error) {
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

// piece is data on the way.
type piece struct {
	bytes []byte
	due   time.Time // of delivery
}

// pass forwards data until from has closed and all data is delivered, or until to accepts no more.
func (r *relay) pass(to, from net.Conn) {
	const capacity, size = 256, 16 << 10
	pieces := make(chan piece, capacity)
	gone := make(chan struct{})
	defer close(gone)
	go func() {
		defer close(pieces)
		for {
			buffer := make([]byte, size)
			n, err := from.Read(buffer)
			select {
			case pieces <- piece{buffer[:n], time.Now().Add(r.delay)}:
			case <-gone:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for piece := range pieces {
		<-time.After(time.Until(piece.due))
		if _, err := to.Write(piece.bytes); err != nil {
			return
		}
	}
}
