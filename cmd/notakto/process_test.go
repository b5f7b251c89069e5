package main

import (
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// SIGHUP does not end the server, and applies settings without a restart.
func TestAReloadAppliesWhatCanChange(t *testing.T) {
	t.Parallel()
	path := settingsFile(t, "max-sessions = 9\n")
	write := func(text string) {
		t.Helper()
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	s := start(t, []string{"NOTAKTO_CONFIG=" + path, "NOTAKTO_LISTENN=x"}, "--listen=127.0.0.1:0", "--idle=7m",
		"--drain=1m")
	first := join(t, s, "")
	s.line(t, "session began")
	isLetIn := func() bool {
		v := logIn(t, s, "bob", 2)
		defer func() { _ = v.Close() }()
		session, err := v.NewSession()
		return err == nil && session.Run("version") == nil
	}

	write("max-sessions = 1\nmax-waiting = 1\ngrace = '5s'\nidle = '8m'\nlinger = '9s'\nguests = false\n" +
		"log-level = 'debug'\n")
	s.signal(t, syscall.SIGHUP)
	testkit.Equal(t, s.line(t, "reloaded")["changed"], "log-level,guests,max-sessions,max-waiting")
	restart := s.line(t, "some changed settings need a restart")
	testkit.Equal(t, restart["settings"], "grace,linger")
	testkit.Equal(t, isLetIn(), false)
	conn, err := net.Dial("tcp", s.address)
	testkit.OK(t, err)
	banner := ""
	_, _, _, err = ssh.NewClientConn(conn, s.address, &ssh.ClientConfig{
		User: "guest", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Auth:           []ssh.AuthMethod{ssh.KeyboardInteractive(nil)},
		BannerCallback: func(text string) error { banner += text; return nil },
	})
	testkit.Equal(t, err != nil, true, "a guest logs in")
	testkit.Contains(t, banner, "this server needs a key")

	for text, why := range map[string]string{
		"max-sessions = 0":                         "a whole number",
		"max-sessions =":                           "toml",
		"max-sesions = 5\n":                        "did you mean max-sessions?",
		"max-sessions = 5\ndatabase = 'mysql://x'": "postgres://",
	} {
		write(text)
		s.signal(t, syscall.SIGHUP)
		line := s.line(t, "the settings were not reloaded, and stay as they are")
		if !strings.Contains(line["error"], why) || !strings.EqualFold(line["level"], "error") {
			t.Errorf("%q: the line is %v", text, line)
		}
	}
	testkit.Equal(t, isLetIn(), false)

	write("max-sessions = 3\n")
	s.signal(t, syscall.SIGHUP)
	testkit.Equal(t, s.line(t, "reloaded")["changed"], "log-level,guests,max-sessions,max-waiting")
	testkit.Equal(t, isLetIn(), true)
	s.signal(t, syscall.SIGTERM)
	first.screen(t, 'l')
	s.stopped(t, 5*time.Second)
	testkit.Contains(t, s.said(), strings.ReplaceAll(unknownVariable, `"`, `\"`))
}
