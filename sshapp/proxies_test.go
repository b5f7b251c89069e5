package sshapp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"notakto/sshapp/limit"
)

// throughProxy connects from one of the loopback addresses and says what a proxy would say of its client.
func (h *testServer) throughProxy(from net.IP, header string) net.Conn {
	h.t.Helper()
	conn := h.connectBy(&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}})
	if _, err := io.WriteString(conn, header); err != nil {
		h.t.Fatal(err)
	}
	return conn
}

func behindProxy(o *options) {
	o.ProxyFrom = []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}
	o.Login = 500 * time.Millisecond
}

const throughFrom = "PROXY TCP4 %s 203.0.113.1 4711 22\r\n"

// Behind a proxy everybody had its address: one of them could use up what all of them may have.
func TestATrustedProxyGivesTheAddress(t *testing.T) {
	h := startServer(t, behindProxy, func(o *options) { o.MaxSessionsPerAddress = 1 })
	for i, address := range []string{"198.51.100.7", "198.51.100.8"} {
		conn := h.throughProxy(net.IPv4(127, 0, 0, 2), fmt.Sprintf(throughFrom, address))
		newPerson(t, h.client(conn, login("alice", newKey(t, byte(i+1)))), "xterm", 80, 24).sees("Play someone")
		if !strings.Contains(h.log.String(), "address="+address+":4711") {
			t.Errorf("the log does not know %s:\n%s", address, h.log.String())
		}
	}
}

func TestOnlyAProxyGivesAnAddress(t *testing.T) {
	h := startServer(t, behindProxy)
	conn := h.throughProxy(net.IPv4(127, 0, 0, 3), fmt.Sprintf(throughFrom, "198.51.100.7"))
	client := h.client(conn, login("alice", newKey(t, 1))) // lines before the protocol's first are skipped
	newPerson(t, client, "xterm", 80, 24).sees("Play someone")
	if book := h.log.String(); strings.Contains(book, "198.51.100.7") || !strings.Contains(book, "address=127.0.0.3:") {
		t.Errorf("a stranger chose an address:\n%s", book)
	}
}

func TestAProxyHasToSayWhoComes(t *testing.T) {
	h := startServer(t, behindProxy)
	for _, header := range []string{"", "SSH-2.0-Go\r\n", "PROXY TCP4 nonsense\r\n"} {
		conn := h.throughProxy(net.IPv4(127, 0, 0, 2), header)
		_ = conn.SetReadDeadline(time.Now().Add(testTimeout))
		if sent, err := io.ReadAll(conn); len(sent) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after %q it was sent %q, %v", header, sent, err)
		}
	}
	eventually(t, "all to be counted", func() bool { return h.rejections.Count(limit.NoProxyHeader) == 3 })
	if lines := strings.Count(h.log.String(), "reason=proxy from=127.0.0.2/32"); lines != 3 {
		t.Errorf("the log has %d lines about it:\n%s", lines, h.log.String())
	}
}

// Sixteen silent connections from a proxy's address kept everybody from being accepted for as long as a login may take.
func TestAProxyThatSaysNothingKeepsNoClientOut(t *testing.T) {
	besideOthers(t)
	h := startServer(t, behindProxy, func(o *options) { o.Login, o.MaxLogins = time.Hour, 2*limit.AcceptBurst })
	silent := h.throughProxy(net.IPv4(127, 0, 0, 2), "") // the oldest, which has to go for the others
	eventually(t, "the oldest to be counted", func() bool {
		h.gate.proxied.Mu.Lock()
		defer h.gate.proxied.Mu.Unlock()
		return len(h.gate.proxied.All) == 1
	})
	for range 3 * limit.AcceptBurst {
		h.throughProxy(net.IPv4(127, 0, 0, 2), "")
	}
	begun := time.Now()
	h.dial("alice", newKey(t, 1))
	h.client(h.throughProxy(net.IPv4(127, 0, 0, 2), fmt.Sprintf(throughFrom, "198.51.100.7")), login("bob", newKey(t, 2)))
	if took := time.Since(begun); took >= proxyHeaderTimeout {
		t.Errorf("two logins took %v", took)
	}
	_ = silent.SetReadDeadline(begun.Add(proxyHeaderTimeout))
	if _, err := silent.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the oldest was kept")
	}
	eventually(t, "none of them to be left", func() bool {
		h.gate.proxied.Mu.Lock()
		defer h.gate.proxied.Mu.Unlock()
		return len(h.gate.proxied.All) == 0 && h.gate.slots.Used() == 3 // of those two, and of who is to be accepted next
	})
}
