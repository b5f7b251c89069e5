package sshapp

import (
	"errors"
	"net"
	"net/netip"
	"sync"

	"notakto/match"
)

// The refusals of a session, as the client reads them.
var (
	errHouseFull     = errors.New("every seat in the house is taken; please come back in a few minutes")
	errAddressFull   = errors.New("too many sessions from your address; close one and come back")
	errAddressBusy   = errors.New("too many sessions from your address just now; wait a few seconds")
	errPlayerFull    = errors.New("you have too many sessions; close one and come back")
	errChannelsFull  = errors.New("too many sessions on this connection; close one first")
	errSmallPackets  = errors.New("your client takes packets of a few bytes only; it takes one with 512 or more")
	errServerStopped = errors.New("the server is stopping; please come back in a moment")
)

// census counts the sessions, so that nobody takes more than a fair share of them. When the house is full, whoever comes next waits in
// line. Its methods may be called from any goroutine.
type census struct {
	settings  Settings
	addresses *Addresses

	emptied chan struct{} // closed when the house is closed and the last session has left

	mu        sync.Mutex
	closed    bool
	total     int      // inside, without those in line
	line      []*visit // who is next comes first
	byAddress map[netip.Prefix]int
	byPlayer  map[match.PlayerID]int
}

func newCensus(settings Settings, addresses *Addresses) *census {
	return &census{
		settings:  settings,
		addresses: addresses,
		emptied:   make(chan struct{}),
		byAddress: map[netip.Prefix]int{},
		byPlayer:  map[match.PlayerID]int{},
	}
}

// enter counts a session in, if only to wait in line, or says why it may not begin. Who is awaited, at a match, and has no other session does
// not wait: the match might be lost meanwhile. Call [visit.leave] once, when it has ended.
func (c *census) enter(address netip.Prefix, player match.PlayerID, awaited bool) (*visit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	full := c.total >= c.settings.MaxSessions && (!awaited || c.byPlayer[player] > 0)
	switch {
	case c.closed:
		return nil, errServerStopped
	case full && len(c.line) >= c.settings.MaxWaiting:
		return nil, errHouseFull
	case c.byAddress[address] >= c.settings.MaxSessionsPerAddress:
		return nil, errAddressFull
	case c.byPlayer[player] >= c.settings.MaxSessionsPerKey:
		return nil, errPlayerFull
	}
	c.byAddress[address]++
	c.byPlayer[player]++
	c.addresses.arrive(player, address)
	v := &visit{census: c, address: address, player: player, moved: make(chan struct{}, 1)}
	if full {
		c.line = append(c.line, v)
		v.place = len(c.line)
	} else {
		c.total++
	}
	return v, nil
}

// close refuses every session from now on and returns what is closed when the last one has left.
func (c *census) close() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed && c.empty() {
		close(c.emptied)
	}
	c.closed = true
	return c.emptied
}

// count is how many sessions there are, with those in line.
func (c *census) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total + len(c.line)
}

func (c *census) empty() bool { return c.total == 0 && len(c.line) == 0 }

func decrease[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// ipv6Share is the part of an IPv6 address that one customer of a provider gets.
const ipv6Share = 64

// addressOf is the address that counts as one source of sessions.
func addressOf(addr net.Addr) netip.Prefix {
	port, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip := port.Addr().Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6Share
	}
	return netip.PrefixFrom(ip, bits).Masked()
}
