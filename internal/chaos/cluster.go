package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"syscall"
)

const (
	nodes     = 3
	sshPort   = 2222 // of nodes in network namespaces; each adds its number
	routePort = 6222
	relayPort = 7000 // plus ten times the connecting node, plus its target
)

var errNoNode = errors.New("no node can be reached")

// cluster is three nodes that reach each other only through relays, by which one can be cut off. In network namespaces
// they have no other connection.
type cluster struct {
	*stage
	nodes  [nodes]*server
	routes [nodes]int           // their cluster ports
	trust  []string             // flags by which nodes trust each other
	relays [nodes][nodes]*relay // by connecting node and target
}

func (c *cluster) open(ctx context.Context) error {
	if err := c.create(); err != nil {
		return err
	}
	return c.begin(ctx)
}

// create creates the nodes, without starting them, and the relays between them.
func (c *cluster) create() error {
	var places [nodes]*place
	var err error
	for i := range nodes {
		if places[i], err = newPlace(!c.shared); err != nil {
			return err
		}
		if c.routes[i], err = c.port(routePort + i); err != nil {
			return err
		}
	}
	if c.trust, err = c.secret(); err != nil {
		return err
	}
	for i := range nodes {
		port, err := c.port(sshPort + i)
		if err != nil {
			return err
		}
		args := c.nodeArgs(c.routes[i])
		for j := range nodes {
			if i == j {
				continue
			}
			address, err := c.connect(i, j, places)
			if err != nil {
				return err
			}
			args = append(args, "--cluster-peer", address)
		}
		c.nodes[i] = c.newServer(places[i], fmt.Sprintf("node%d", i), port, args...)
	}
	return nil
}

// nodeArgs returns the flags of a node with a cluster port, but for its peers.
func (c *cluster) nodeArgs(route int) []string {
	return append([]string{"--cluster-name", "chaos", "--cluster-listen", localPort(route)}, c.trust...)
}

func localPort(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// port returns the wanted port in a separate network, and otherwise any free one.
func (c *cluster) port(wanted int) (int, error) {
	if !c.shared {
		return wanted, nil
	}
	return c.freePort()
}

// connect creates the relay from one node to another, and returns its address.
func (c *cluster) connect(from, to int, places [nodes]*place) (string, error) {
	port, err := c.port(relayPort + 10*from + to)
	if err != nil {
		return "", err
	}
	l, err := places[from].listen(port)
	if err != nil {
		return "", err
	}
	c.relays[from][to] = newRelay(l, func() (net.Conn, error) { return places[to].dial(c.routes[to]) })
	return l.Addr().String(), nil
}

// begin starts all nodes: none is ready before it has found others.
func (c *cluster) begin(ctx context.Context) error {
	return startAll(ctx, c.nodes[:])
}

// dial returns a connection to any node that accepts it.
func (c *cluster) dial(context.Context, int) (net.Conn, string, error) {
	for _, i := range rand.Perm(nodes) {
		if conn, err := c.nodes[i].dial(c.nodes[i].port); err == nil {
			return conn, c.nodes[i].name, nil
		}
	}
	return nil, "", errNoNode
}

func (c *cluster) servers() []*server { return c.nodes[:] }

func (c *cluster) close() error {
	var all []error
	for i, node := range c.nodes {
		if node != nil && node.cmd != nil {
			all = append(all, node.end(syscall.SIGTERM))
		}
		for _, r := range c.relays[i] {
			if r != nil {
				all = append(all, r.close())
			}
		}
	}
	return errors.Join(all...)
}
