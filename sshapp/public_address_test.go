package sshapp

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// HOST was once printed literally in commands for players to copy.
func TestPublicAddressIsInCommandsToCopy(t *testing.T) {
	for address, want := range map[string]string{
		"": "HOST", "play.example.org": "play.example.org", "play.example.org:22": "play.example.org",
		"play.example.org:2222": "-p 2222 play.example.org", "2001:db8::1": "2001:db8::1",
		"[2001:db8::1]:2222": "-p 2222 2001:db8::1",
	} {
		testkit.Equal(t, SSHArguments(address), want, address)
	}
	h := startServer(t, func(o *options) { o.publicAddress = "play.example.org:2222" })
	host := newPersonAt(t, h.dial("alice", newKey(t, 1)), "play --private")
	host.sees("ssh -t -p 2222 play.example.org join")
	for command, want := range map[string]string{
		"help play": "ssh -t -p 2222 play.example.org play --private",
		"nonsense":  "(ssh -p 2222 play.example.org help says more)",
		"plain":     "or starts with ssh -t -p 2222 play.example.org join",
	} {
		out := h.prints(command, "private\nquit\n")
		testkit.Contains(t, out, want)
		testkit.Equal(t, strings.Contains(out, "HOST"), false, command, out)
	}
}

// A friend would copy a wrong address in vain.
func TestOnlyAnAddressThatWasDialledIsInCommands(t *testing.T) {
	for _, one := range []struct{ local, remote, want string }{
		{"203.0.113.5:22", "198.51.100.7:50000", "203.0.113.5:22"},
		{"[2001:db8::5]:22", "[2001:db8:1::7]:50000", "[2001:db8::5]:22"},
		{"[::ffff:203.0.113.5]:22", "198.51.100.7:50000", "203.0.113.5:22"},
		{"127.0.0.1:2222", "127.0.0.1:50000", "127.0.0.1:2222"},
		{"192.168.1.5:22", "192.168.1.7:50000", "192.168.1.5:22"}, // in one home network
		{"127.0.0.1:2222", "198.51.100.7:50000", ""},              // a proxy on this machine that names the client
		{"10.0.0.5:22", "198.51.100.7:50000", ""},                 // a router's forwarded port, or a cloud
		{"100.64.0.5:22", "198.51.100.7:50000", ""},               // the network of a provider
		{"192.168.1.5:22", "192.168.1.1:50000", ""},               // a client that came back through the router
		{"172.17.0.2:2222", "172.17.0.1:50000", ""},               // a container that sees its host as the client
		{"[fd00::2]:2222", "[fd00::1]:50000", ""},                 // a container with IPv6
		{"[fe80::5%eth0]:22", "[fe80::7]:50000", ""},              // valid on one link only
		{"0.0.0.0:22", "198.51.100.7:50000", ""},
	} {
		local, remote := netip.MustParseAddrPort(one.local), netip.MustParseAddrPort(one.remote)
		got := dialledAddress(net.TCPAddrFromAddrPort(local), net.TCPAddrFromAddrPort(remote))
		testkit.Equal(t, got, one.want, one.local, one.remote)
	}
	testkit.Equal(t, dialledAddress(&net.UnixAddr{Name: "/run/s", Net: "unix"}, &net.UnixAddr{}), "")
}

// Commands once had HOST literally if the operator had set no address. A trusted proxy names the address that the
// client has dialled at the proxy.
func TestTheAddressThatAClientDialledIsInCommands(t *testing.T) {
	h := startServer(t, func(o *options) { o.ProxyFrom = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	_, port, _ := net.SplitHostPort(h.address)
	for header, want := range map[string]string{
		"PROXY UNKNOWN\r\n": "ssh -t -p " + port + " 127.0.0.1 join",
		"PROXY TCP4 198.51.100.7 203.0.113.5 50000 22\r\n": "ssh -t 203.0.113.5 join",
		"PROXY TCP4 198.51.100.7 10.0.0.5 50000 22\r\n":    `or adds "join `,
	} {
		conn := h.connect()
		_, err := conn.Write([]byte(header))
		testkit.OK(t, err)
		p := newPersonAt(t, h.client(conn, login("alice", newKey(t, 1))), "play --private")
		p.sees(want)
		if strings.Contains(p.screen(), "10.0.0.5") {
			t.Errorf("an internal address is on the screen:\n%s", p.screen())
		}
	}
}
