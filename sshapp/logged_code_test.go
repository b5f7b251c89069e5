package sshapp

import (
	"strings"
	"testing"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// A guest has only the code to come back. The log once had it, in the command with which the guest came back.
func TestCodesAreNotLogged(t *testing.T) {
	h := startServer(t, func(o *options) {
		o.spoil = func(s *Server) { s.log.Handler().(*log.Logger).SetLevel(log.DebugLevel) }
	})
	const code = "K7QX"
	for _, line := range []string{
		"join K7QX", "JOIN K7QX", "'join' K7QX", "join --nonsense K7QX", "join 'K7QX", "jion K7QX", "K7QX",
		"plain K7QX", "bot K7QX",
		"env CODE=K7QX join", strings.Repeat(" ", 100) + "join K7QX",
	} {
		h.run(line)
	}
	h.speak("plain", "join K7QX\nK7QX\nquit\n")
	h.speak("bot", `{"do":"join","code":"K7QX"}`+"\n"+`{"do":"K7QX"}`+"\n"+`{"do":"state","match":"K7QX"}`+"\n")
	text := h.log.String()
	if strings.Contains(strings.ToUpper(text), code) {
		t.Errorf("the log holds the code:\n%s", text)
	}
	testkit.Contains(t, text, "command=join", "command=unknown", "command=plain", "command=bot")
}

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
