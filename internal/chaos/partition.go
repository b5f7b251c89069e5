package main

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"time"

	"notakto/internal/interrupt"
)

const (
	healLimit  = 5 * time.Second  // without a move, once a cut is healed
	deathLimit = 10 * time.Second // without a move, once a node is killed
)

// partition is three nodes in network namespaces, joined by a router that drops the packets of one.
type partition struct {
	cluster
	lan   *lan
	hosts [nodes]string
}

func (p *partition) open(ctx context.Context) (err error) {
	if p.lan, err = newLAN(); err != nil {
		return err
	}
	var places [nodes]*place
	for i := range nodes {
		if places[i], err = newPlace(true); err != nil {
			return err
		}
		if p.hosts[i], err = p.lan.join(places[i]); err != nil {
			return err
		}
	}
	trust, err := p.credentials(p.hosts[:])
	if err != nil {
		return err
	}
	for i, host := range p.hosts {
		// The debug level logs which node leads a stream.
		args := []string{"--cluster-name", "chaos", "--log-level", "debug", "--cluster-listen", nodeAddress(host)}
		for _, other := range p.hosts {
			args = append(args, "--cluster-peer", nodeAddress(other))
		}
		p.nodes[i] = p.newServer(places[i], fmt.Sprintf("node%d", i), sshPort, append(args, trust...)...)
	}
	return p.begin(ctx)
}

// nodeAddress returns a node's address for the other nodes.
func nodeAddress(host string) string { return fmt.Sprintf("%s:%d", host, routePort) }

// leader returns the node that leads the stream of matches, by the latest log lines.
func (c *cluster) leader() int {
	latest := func(a, b *server) int { return a.when(leadsMatches).Compare(b.when(leadsMatches)) }
	return slices.Index(c.nodes[:], slices.MaxFunc(c.nodes[:], latest))
}

// harm cuts off the leader, then a random node, then the leader in one direction, and so on. Another node dies soon
// after the last cut.
func (p *partition) harm(ctx context.Context) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	one := 0
	for i := range p.cuts {
		ways := []link{links()[0], links()[0], links()[1+i/3%2]}[i%3]
		if one = p.leader(); i%3 == 1 {
			one = p.rng.IntN(nodes)
		}
		if err := p.drop(ctx, one, ways); err != nil {
			return err
		}
		if err := interrupt.Pause(ctx, p.rest(i)); err != nil {
			return err
		}
	}
	if p.cuts == 0 {
		return nil
	}
	return p.killAnother(ctx, (one+1+p.rng.IntN(nodes-1))%nodes, deathLimit)
}

// rest returns the pause after a cut. A node is killed soon after the last one.
func (p *partition) rest(cut int) time.Duration {
	if cut == p.cuts-1 {
		return healTime
	}
	return p.every
}

// drop drops the packets of one node for a while.
func (p *partition) drop(ctx context.Context, one int, ways link) error {
	p.harms++
	p.done(fmt.Sprintf("cut %s %s, leader %s", ways.name, p.nodes[one].name, p.nodes[p.leader()].name))
	err := p.lan.cut(p.hosts[one], ways.outbound, ways.inbound)
	if err == nil {
		err = interrupt.Pause(ctx, p.cut)
	}
	if err != nil {
		return err
	}
	err = p.lan.heal()
	p.limit("heal "+p.nodes[one].name, healLimit)
	return err
}

// killAnother kills a node, gives the others a limit to continue, and restarts it after a while.
func (c *cluster) killAnother(ctx context.Context, one int, limit time.Duration) error {
	c.harms++
	node := c.nodes[one]
	leader := c.nodes[c.leader()].name
	if err := node.end(syscall.SIGKILL); err != nil {
		return err
	}
	c.limit(fmt.Sprintf("death of %s, leader %s", node.name, leader), limit)
	if err := interrupt.Pause(ctx, c.every); err != nil {
		return err
	}
	if err := node.start(); err != nil {
		return err
	}
	return node.reachable(ctx)
}
