package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"syscall"
	"time"

	"notakto/internal/interrupt"
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

const healTime = 5 * time.Second // before and after a cut

func (c *cluster) harm(ctx context.Context) error {
	for end := time.Now().Add(c.lasting); time.Now().Before(end); {
		if err := c.killOne(ctx); err != nil {
			return err
		}
	}
	for i := range c.cuts {
		if err := c.hinder(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// hinder disturbs the cluster for the i-th time. Each node freezes in turn, and with it any streams that it leads.
func (c *cluster) hinder(ctx context.Context, i int) error {
	if c.scenario == "freeze" {
		return c.freezeOne(ctx, c.nodes[i%nodes])
	}
	return c.cutOne(ctx, c.rng.IntN(nodes), links()[i%len(links())])
}

// freezeOne stops a node's process for a while; then it continues as if no time had passed. Its players stay connected.
func (c *cluster) freezeOne(ctx context.Context, node *server) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	c.done("freeze " + node.name)
	c.harms++
	if err := node.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	err := interrupt.Pause(ctx, c.cut)
	if err := errors.Join(err, node.cmd.Process.Signal(syscall.SIGCONT)); err != nil {
		return err
	}
	c.done("thaw " + node.name)
	return interrupt.Pause(ctx, healTime)
}

// link is which traffic of a node is cut.
type link struct {
	name              string
	outbound, inbound bool // traffic from, and to, the node is cut
}

// links returns the ways of cutting a node off.
func links() []link {
	return []link{
		{"off", true, true},
		{"off, but that it is heard,", false, true},
		{"off, but that it hears,", true, false},
	}
}

// killOne waits, kills a node, and restarts it after a while.
func (c *cluster) killOne(ctx context.Context) error {
	if err := interrupt.Pause(ctx, c.every/2+time.Duration(c.rng.Int64N(int64(c.every)/2+1))); err != nil {
		return err
	}
	node := c.nodes[c.rng.IntN(nodes)]
	if err := node.end(syscall.SIGKILL); err != nil {
		return err
	}
	c.harms++
	if err := interrupt.Pause(ctx, time.Duration(c.rng.Int64N(int64(c.every)/2+1))); err != nil {
		return err
	}
	if err := node.start(); err != nil {
		return err
	}
	return node.reachable(ctx)
}

// cutOne stalls the traffic between one node and the others for a while. Its players stay connected.
func (c *cluster) cutOne(ctx context.Context, one int, link link) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	c.done(fmt.Sprintf("cut %s %s", link.name, c.nodes[one].name))
	c.harms++
	for other := range nodes {
		if other != one {
			if link.outbound {
				c.relays[one][other].stall(forth)
				c.relays[other][one].stall(back)
			}
			if link.inbound {
				c.relays[one][other].stall(back)
				c.relays[other][one].stall(forth)
			}
		}
	}
	err := interrupt.Pause(ctx, c.cut)
	for other := range nodes {
		if other != one {
			c.relays[one][other].resume()
			c.relays[other][one].resume()
		}
	}
	c.done(fmt.Sprintf("joined %s", c.nodes[one].name))
	if err != nil {
		return err
	}
	return interrupt.Pause(ctx, healTime)
}
