package sshapp

import (
	"strings"
	"testing"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"
)

// At the debug level, a connection without a login could once write 150 KB into the log.
func TestAFailedLoginIsAShortLine(t *testing.T) {
	h := startServer(t, func(o *options) {
		o.spoil = func(s *Server) { s.log.Handler().(*log.Logger).SetLevel(log.DebugLevel) }
	})
	_, err := ssh.Dial("tcp", h.address, &ssh.ClientConfig{
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), HostKeyAlgorithms: []string{strings.Repeat("x", 20_000)},
	})
	if err == nil {
		t.Fatal("the login succeeded")
	}
	eventually(t, "the line", func() bool { return strings.Contains(h.log.String(), "login failed") })
	if text := h.log.String(); len(text) > 2000 || !strings.Contains(text, "no common algorithm") {
		t.Errorf("%d bytes: %.300s", len(text), text)
	}
}
