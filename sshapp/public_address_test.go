package sshapp

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

// HOST was printed literally in commands that players are to copy.
func TestPublicAddressIsInCommandsToCopy(t *testing.T) {
	for address, want := range map[string]string{
		"": "HOST", "play.example.org": "play.example.org", "play.example.org:22": "play.example.org",
		"play.example.org:2222": "-p 2222 play.example.org", "2001:db8::1": "2001:db8::1",
		"[2001:db8::1]:2222": "-p 2222 2001:db8::1",
	} {
		if got := hostIn(address); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
	h := startServer(t, func(o *options) { o.publicAddress = "play.example.org:2222" })
	host := newPersonAt(t, h.dial("alice", newKey(t, 1)), "play --private")
	host.sees("ssh -t -p 2222 play.example.org join")
	for command, want := range map[string]string{
		"help play": "ssh -t -p 2222 play.example.org play --private",
		"nonsense":  "(ssh -p 2222 play.example.org help says more)",
		"plain":     "or starts with ssh -t -p 2222 play.example.org join",
	} {
		session, err := h.dial("bob", newKey(t, 2)).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		session.Stdin = strings.NewReader("private\nquit\n")
		if out, _ := session.CombinedOutput(command); !strings.Contains(string(out), want) ||
			strings.Contains(string(out), "HOST") {
			t.Errorf("%s prints %s", command, out)
		}
	}
}

// An address that no client has dialled must not stand in a command: a friend would copy it in vain.
func TestOnlyAnAddressThatWasDialledIsInCommands(t *testing.T) {
	for _, one := range []struct{ local, remote, want string }{
		{"203.0.113.5:22", "198.51.100.7:50000", "203.0.113.5:22"},
		{"203.0.113.5:2222", "192.168.1.7:50000", "203.0.113.5:2222"},
		{"[2001:db8::5]:22", "[2001:db8:1::7]:50000", "[2001:db8::5]:22"},
		{"[::ffff:203.0.113.5]:22", "198.51.100.7:50000", "203.0.113.5:22"},
		{"127.0.0.1:2222", "127.0.0.1:50000", "127.0.0.1:2222"},
		{"[::1]:2222", "[::1]:50000", "[::1]:2222"},
		{"192.168.1.5:22", "192.168.1.7:50000", "192.168.1.5:22"}, // in the same house
		{"[fd00::5]:22", "[fd00::7]:50000", "[fd00::5]:22"},
		{"127.0.0.1:2222", "198.51.100.7:50000", ""}, // a proxy on this machine that tells the client
		{"10.0.0.5:22", "198.51.100.7:50000", ""},    // a router's forwarded port, a cloud
		{"100.64.0.5:22", "198.51.100.7:50000", ""},  // the same at a provider
		{"192.168.1.5:22", "192.168.1.1:50000", ""},  // a client that came back by the router
		{"172.17.0.2:2222", "172.17.0.1:50000", ""},  // a container, with its host's address for the client's
		{"172.17.0.2:2222", "192.168.1.7:50000", ""}, // and without
		{"[fd00::2]:2222", "[fd00::1]:50000", ""},    // the same with IPv6
		{"[fe80::5%eth0]:22", "[fe80::7]:50000", ""}, // only valid on one link
		{"0.0.0.0:22", "198.51.100.7:50000", ""},
	} {
		local, remote := netip.MustParseAddrPort(one.local), netip.MustParseAddrPort(one.remote)
		got := dialledAddress(net.TCPAddrFromAddrPort(local), net.TCPAddrFromAddrPort(remote))
		if got != one.want {
			t.Errorf("%s from %s is %q, want %q", one.local, one.remote, got, one.want)
		}
	}
	if got := dialledAddress(&net.UnixAddr{Name: "/run/s", Net: "unix"}, &net.UnixAddr{}); got != "" {
		t.Errorf("the control socket is %q", got)
	}
}

// HOST stood in commands of a server whose operator had not set an address.
func TestTheAddressThatAClientDialledIsInCommands(t *testing.T) {
	h := startServer(t)
	_, port, _ := net.SplitHostPort(h.address)
	newPersonAt(t, h.dial("alice", newKey(t, 1)), "play --private").sees("ssh -t -p " + port + " 127.0.0.1 join")
}

// A trusted proxy tells the address at which the client has dialled it.
func TestTheAddressOfTheProxyIsInCommands(t *testing.T) {
	h := startServer(t, func(o *options) { o.ProxyFrom = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	for header, want := range map[string]string{
		"PROXY TCP4 198.51.100.7 203.0.113.5 50000 22\r\n": "ssh -t 203.0.113.5 join",
		"PROXY TCP4 198.51.100.7 10.0.0.5 50000 22\r\n":    "ssh -t HOST join",
	} {
		conn := h.connect()
		if _, err := conn.Write([]byte(header)); err != nil {
			t.Fatal(err)
		}
		p := newPersonAt(t, h.client(conn, login("alice", newKey(t, 1))), "play --private")
		p.sees(want)
		if strings.Contains(p.screen(), "10.0.0.5") {
			t.Errorf("an internal address is on the screen:\n%s", p.screen())
		}
	}
}
