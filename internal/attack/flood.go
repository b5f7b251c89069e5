//go:build attack

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
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

func farAttacks() []attack {
	return []attack{{
		name: "rtt", memory: 30, visitors: inPairs, fair: true, run: (*enemy).floodFromNetwork,
		holds: "a flood of one connection an address lets in two logins at once from one honest address, over any link",
	}}
}

// floodFromNetwork floods from all addresses of a network: none of them ever holds more than one connection.
func (e *enemy) floodFromNetwork() error {
	const addresses, each = 5_000, 1_500
	return e.flood(e.attackFor(5), func(n int) net.IP { return spread(n % addresses) }, each, "")
}

// roundTrips returns the round-trip times of honest players' links.
func roundTrips() []time.Duration {
	return []time.Duration{20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond}
}

// couples are pairs of honest players who log in at once from one address, as in one household, over links with several
// round-trip times.
type couples struct {
	server string

	mu       sync.Mutex
	in, all  map[time.Duration]int // pairs of which both logged in, and all, by the round-trip time
	failures []string
}

// come starts couples until open ends. Those under way then have until ctx ends.
func (c *couples) come(ctx, open context.Context) {
	const homes = 4 // for each round-trip time
	c.in, c.all = map[time.Duration]int{}, map[time.Duration]int{}
	var running sync.WaitGroup
	defer running.Wait()
	for i, roundTrip := range roundTrips() {
		address, err := startRelay(ctx, c.server, roundTrip)
		if err != nil {
			c.failures = append(c.failures, err.Error())
			return
		}
		for home := range homes {
			source := net.IPv4(127, 0, 4, byte(1+homes*i+home))
			running.Go(func() {
				for n := 0; open.Err() == nil; n++ {
					c.visit(ctx, source, address, roundTrip, n)
					<-time.After(visitPause)
				}
			})
		}
	}
}

// visit logs a couple in once.
func (c *couples) visit(ctx context.Context, source net.IP, address string, roundTrip time.Duration, n int) {
	var errs [2]error
	var both sync.WaitGroup
	for i := range errs {
		both.Go(func() {
			errs[i] = players.Visit(ctx, source, address, players.Key(4_000_000+1_000_000*i+1_000*int(source.To4()[3])+n))
		})
	}
	both.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[roundTrip]++
	if errs[0] == nil && errs[1] == nil {
		c.in[roundTrip]++
		return
	}
	c.failures = append(c.failures, fmt.Sprintf("%v, %v", errs[0], errs[1]))
}

// evaluate adds how many logged in, and a fault if fewer than 95 % did.
func (c *couples) evaluate(v *verdict) {
	var figures []string
	in, all := 0, 0
	for _, roundTrip := range roundTrips() {
		in, all = in+c.in[roundTrip], all+c.all[roundTrip]
		figures = append(figures, fmt.Sprintf("%v %d/%d", roundTrip, c.in[roundTrip], c.all[roundTrip]))
	}
	v.visits = "; pairs of logins by the round-trip time " + strings.Join(figures, ", ")
	if 100*in < 95*all || all == 0 {
		slices.Sort(c.failures)
		v.fault("%d of %d pairs got in, of the others for example: %s", in, all, c.failures[len(c.failures)/2])
	}
}

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
