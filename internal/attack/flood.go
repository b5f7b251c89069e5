//go:build attack

package main

import (
	"io"
	"net"
	"sync/atomic"
	"time"
)

func floodAttacks() []attack {
	return []attack{
		{
			name: "flood", memory: 20, visitors: elsewhere, run: (*enemy).floodFromMany,
			holds: "silent connections from 50 addresses keep no player out",
		},
		{
			name: "flood-one", memory: 20, visitors: elsewhere, run: (*enemy).floodFromOne,
			holds: "the same from one address",
		},
		{
			name: "neighbour", memory: 20, visitors: beside, run: (*enemy).floodFromOne,
			holds: "of the people at the attacker's address half get in at once, all within 15 s after",
		},
		{
			name: "talkers", memory: 20, visitors: beside, run: (*enemy).floodOfTalkers,
			holds: "the same when each connection says a byte, or the first line, and nothing more",
		},
	}
}

func (e *enemy) floodFromMany() error {
	return e.flood(e.attackFor(2), among(50), float64(e.pick(1000, 2500)), "")
}
func (e *enemy) floodFromOne() error {
	return e.flood(e.attackFor(2), among(1), float64(e.pick(1000, 2500)), "")
}
func (e *enemy) floodOfTalkers() error {
	return e.flood(e.attackFor(2), among(1), float64(e.pick(300, 1000)), "S", "SSH-2.0-talker\r\n")
}

// among returns a function that returns so many addresses in turn.
func among(addresses int) func(n int) net.IP {
	return func(n int) net.IP { return source(n % addresses) }
}

// held is the maximum of connections that the attacker holds; it closes the oldest. The server keeps fewer before
// login, and with more of its address's 28,000 ports in use the attacker's system would be busy searching for free
// ones.
const held = 5_000

// flood opens connections from addresses in turn at a rate per second, sends one of the words on each, and holds them.
// It makes up for delays.
func (e *enemy) flood(lasting time.Duration, from func(n int) net.IP, rate float64, words ...string) error {
	const pace, atOnce = 2 * time.Millisecond, 25
	conns := make(chan net.Conn, held)
	var opened, failed atomic.Int64
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	begun := time.Now()
	for n, due := 0, 0; time.Since(begun) < lasting && e.Err() == nil; n += due {
		<-ticker.C
		due = int(rate*time.Since(begun).Seconds()) - n
		e.many(due, atOnce, func(i int) {
			dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from(n + i)}, Timeout: time.Second, Control: anyPort}
			conn, err := dialer.DialContext(e, "tcp4", e.address)
			if err != nil {
				failed.Add(1)
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0)
			_, _ = io.WriteString(conn, words[(n+i)%len(words)])
			opened.Add(1)
			release(conns, conn)
		})
	}
	took := time.Since(begun)
	if e.long && float64(opened.Load()) < 0.9*rate*took.Seconds() {
		e.fault("the attacker could not open %.0f connections a second here", rate)
	}
	e.figure("%.0f connections a second for %.0f s, %d failed", float64(opened.Load())/took.Seconds(), took.Seconds(),
		failed.Load())
	close(conns)
	for conn := range conns {
		_ = conn.Close()
	}
	return nil
}

// release holds one more connection, and closes the oldest if there are too many.
func release(conns chan net.Conn, conn net.Conn) {
	for {
		select {
		case conns <- conn:
			return
		default:
		}
		select {
		case old := <-conns:
			_ = old.Close()
		default:
		}
	}
}
