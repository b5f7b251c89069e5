package main

import (
	"errors"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestNetworksStandForAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7:2222":                         "192.0.2.0/24",
		"192.0.2.7":                              "192.0.2.0/24",
		"[2001:db8:1:2::3]:22":                   "2001:db8:1::/48",
		"[fe80::1%eth0]:22":                      "fe80::/48",
		"::ffff:192.0.2.7":                       "192.0.2.0/24",
		"read tcp 10.1.2.3:22->192.0.2.7:51: no": "read tcp 10.1.2.0/24->192.0.2.0/24: no",
		"17.1":                                   "17.1",
		"SSH-2.0-OpenSSH_10.0":                   "SSH-2.0-OpenSSH_10.0",
		"2026-11-25T15:04:05.000Z":               "2026-11-25T15:04:05.000Z",
		"it ended: bad":                          "it ended: bad",
		"to 2001:db8::1: no":                     "to 2001:db8::/48: no",
		"from ::1":                               "from ::/48",
	} {
		if got := masked(text, network); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestFieldsOfClientsHaveNoAddresses(t *testing.T) {
	for addresses, want := range map[string]string{
		"prefix": `msg="hello 192.0.2.0/24" at=192.0.2.0/24 error="to 192.0.2.0/24: no" status=2`,
		"none":   `msg="hello hidden" at=hidden error="to hidden: no" status=2`,
	} {
		var written strings.Builder
		logger := clientLog(slog.New(slog.NewTextHandler(&written, nil)), logSettings{addresses: addresses})
		logger.With("at", &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 22}).Info("hello 192.0.2.8",
			"error", errors.New("to 192.0.2.9:1: no"), "status", 2)
		if got := written.String(); !strings.Contains(got, want) {
			t.Error(got)
		}
	}
}

// No line about a client has its address.
func TestTheLogHasNoAddressIfNoneIsWanted(t *testing.T) {
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--log-addresses=prefix")
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("GET / HTTP/1.0\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	join(t, s)
	before := s.said.Len()
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 10*time.Second)
	log := s.said.String()
	if !strings.Contains(log[before:], `"event":"session-end"`) || strings.Count(log, "127.0.0.0/24") < 2 {
		t.Errorf("the log lacks the networks of the session:\n%s", log)
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "127.0.0.1") && !strings.Contains(line, `"event":"ready"`) {
			t.Errorf("the log has an address: %s", line)
		}
	}
}
