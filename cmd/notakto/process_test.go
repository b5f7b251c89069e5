package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

// SIGHUP does not end the server, and applies settings without a restart.
func TestAReloadAppliesWhatCanChange(t *testing.T) {
	t.Parallel()
	path := settingsFile(t, "max-sessions = 9\n")
	write := func(text string) {
		t.Helper()
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	s := start(t, []string{"NOTAKTO_CONFIG=" + path}, "--listen=127.0.0.1:0", "--idle=7m")
	first := join(t, s)
	s.line(t, "session began")
	lets := func() bool {
		client := newKeyed(t, s, "bob", newSigner(t, 2)).client
		session, err := client.NewSession()
		if err != nil {
			return false
		}
		defer func() { _ = session.Close() }()
		return session.Run("version") == nil
	}

	write("max-sessions = 1\nmax-waiting = 1\ngrace = '5s'\nidle = '8m'\nlinger = '9s'\nguests = false\n" +
		"log-level = 'debug'\n")
	s.signal(t, syscall.SIGHUP)
	testkit.Equal(t, s.line(t, "reloaded")["changed"], "log-level,guests,max-sessions,max-waiting")
	restart := s.line(t, "some changed settings need a restart")
	testkit.Equal(t, restart["settings"], "grace,linger")
	if lets() {
		t.Error("a second session is let in")
	}
	guest := &ssh.ClientConfig{
		User: "guest", HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: 20 * time.Second,
		Auth: []ssh.AuthMethod{
			ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil }),
		},
	}
	if client, err := ssh.Dial("tcp", s.address, guest); err == nil {
		_ = client.Close()
		t.Error("a guest is let in")
	}

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
	if lets() {
		t.Error("a second session is let in after a file that is refused")
	}

	write("max-sessions = 3\n")
	s.signal(t, syscall.SIGHUP)
	testkit.Equal(t, s.line(t, "reloaded")["changed"], "log-level,guests,max-sessions,max-waiting")
	if !lets() {
		t.Error("the second session is still refused")
	}
	s.signal(t, syscall.SIGTERM)
	first.until(t, "l")
	s.stopped(t, 5*time.Second)
}

// An administrator may have no right to send signals to the process.
func TestAnAdministratorReloadsAndSetsTheLogLevel(t *testing.T) {
	t.Parallel()
	path := settingsFile(t, "max-sessions = 9\n")
	data := shortDir(t)
	start(t, []string{"NOTAKTO_CONFIG=" + path}, "--listen=127.0.0.1:0", "--data="+data)
	gives := func(words ...string) (string, cli.ExitCode) {
		t.Helper()
		out, complaint, status := run(t, nil, append([]string{"admin", "--data", data}, words...)...)
		return out + complaint, status
	}
	write := func(text string) {
		t.Helper()
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("max-sessions = 8\nlinger = '9s'\n")
	if out, status := gives("reload", "--json"); status != 0 ||
		out != `{"applied":["max-sessions"],"restart":["linger"]}`+"\n" {
		t.Errorf("%d: %s", status, out)
	}
	if out, status := gives("reload"); status != 0 || out != "Applied: none. Only with a restart: linger.\n" {
		t.Errorf("%d: %s", status, out)
	}
	write("max-sessions = 'x'\n")
	if out, status := gives("reload"); status != 1 || !strings.Contains(out, "max-sessions") {
		t.Errorf("a file with a fault: %d: %s", status, out)
	}
	for _, row := range []struct {
		words  string
		want   string
		status cli.ExitCode
	}{
		{"log-level", "info\n", 0}, {"log-level debug", "debug\n", 0},
		{"log-level --json", `{"level":"debug"}` + "\n", 0},
		{"log-level loud", "debug, info, warn, error", 2}, {"log-level info warn", "takes one of", 2},
	} {
		if out, status := gives(strings.Fields(row.words)...); status != row.status ||
			!strings.Contains(out, row.want) {
			t.Errorf("%s: %d: %s", row.words, status, out)
		}
	}
}
