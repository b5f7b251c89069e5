package clusterfiles

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// DefaultPort is the cluster port of a node that is named without one.
const DefaultPort = 6222

// Node is where one node of a cluster listens for the others. Host is a name or an IP address, without brackets.
type Node struct {
	Host string
	Port uint16
}

// String returns HOST:PORT.
func (n Node) String() string { return net.JoinHostPort(n.Host, strconv.Itoa(int(n.Port))) }

// isLoopback reports whether only this machine reaches the node.
func (n Node) isLoopback() bool {
	ip, err := netip.ParseAddr(n.Host)
	return n.Host == "localhost" || err == nil && ip.IsLoopback()
}

// ParseNodes reads the nodes of a cluster, each as HOST or HOST:PORT. There are two at least, and none is there twice.
func ParseNodes(all []string) ([]Node, error) {
	var nodes []Node
	for _, text := range all {
		n, err := parseNode(text)
		if err != nil {
			return nil, err
		}
		if slices.Contains(nodes, n) {
			return nil, fmt.Errorf("the node %s is named twice", n)
		}
		nodes = append(nodes, n)
	}
	if len(nodes) < 2 {
		return nil, errors.New("a cluster needs two nodes at least, and three to go on without one of them")
	}
	return nodes, nil
}

func parseNode(text string) (Node, error) {
	n := Node{Host: text, Port: DefaultPort}
	if host, port, err := net.SplitHostPort(text); err == nil {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return Node{}, fmt.Errorf("the port of node %q is none from 1 to 65535", text)
		}
		n = Node{host, uint16(number)}
	} else if inside, ok := strings.CutPrefix(text, "["); ok {
		n.Host = strings.TrimSuffix(inside, "]")
	}
	ip, err := netip.ParseAddr(n.Host)
	switch {
	case err == nil && ip.IsUnspecified():
		return Node{}, fmt.Errorf("the other nodes cannot connect to node %q: name its own address", text)
	case err != nil && !isHostName(n.Host):
		return Node{}, fmt.Errorf("the node %q is neither an IP address nor the name of a host, with or without :PORT", text)
	}
	return n, nil
}

// isHostName reports whether a certificate can be for a name.
func isHostName(name string) bool {
	const label = `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
	ok, err := regexp.MatchString(`^`+label+`(\.`+label+`)*$`, name)
	return ok && err == nil && len(name) < 254
}
