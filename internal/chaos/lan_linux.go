package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// lan joins the network namespaces of nodes by a router in another namespace. All of it ends with this process.
type lan struct {
	router *place
	hosts  int
	rules  [][]string // the ip rules that drop packets now
}

// newLAN creates a router without hosts. It needs root and the program ip.
func newLAN() (*lan, error) {
	router, err := newPlace(true)
	if err != nil {
		return nil, err
	}
	l := &lan{router: router}
	router.do(func() { err = os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o600) })
	return l, err
}

// join connects a place to the router and returns its address.
func (l *lan) join(p *place) (string, error) {
	l.hosts++
	link, net, thread := fmt.Sprintf("host%d", l.hosts), fmt.Sprintf("10.9.%d.", l.hosts), 0
	p.do(func() { thread = syscall.Gettid() })
	err := l.router.ip(
		[]string{"link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", strconv.Itoa(thread)},
		[]string{"addr", "add", net + "1/24", "dev", link}, []string{"link", "set", link, "up"})
	if err != nil {
		return "", err
	}
	return net + "2", p.ip(
		[]string{"addr", "add", net + "2/24", "dev", "eth0"}, []string{"link", "set", "eth0", "up"},
		[]string{"route", "add", "default", "via", net + "1"})
}

// cut drops the packets from a host, or those to it, or both, without notifying either end.
func (l *lan) cut(host string, from, to bool) error {
	var all []error
	for word, wanted := range map[string]bool{"from": from, "to": to} {
		if rule := []string{word, host, "blackhole"}; wanted {
			l.rules = append(l.rules, rule)
			all = append(all, l.router.ip(append([]string{"rule", "add"}, rule...)))
		}
	}
	return errors.Join(all...)
}

// heal lets all packets pass again.
func (l *lan) heal() error {
	var all []error
	for _, rule := range l.rules {
		all = append(all, l.router.ip(append([]string{"rule", "del"}, rule...)))
	}
	l.rules = nil
	return errors.Join(all...)
}

// ip runs the program ip in the network of the place, once for each list of arguments.
func (p *place) ip(runs ...[]string) (err error) {
	p.do(func() {
		for _, args := range runs {
			if err = tool("ip", args...); err != nil {
				return
			}
		}
	})
	return err
}
