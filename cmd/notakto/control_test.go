package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/sshapp/cli"
)

// shortDir returns a new directory: the path of a socket has about a hundred characters.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "n")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// The operator reaches the server without a port and without a key; its answers, errors and exit statuses are those of
// the server.
func TestTheOperatorReachesTheServer(t *testing.T) {
	t.Parallel()
	data := shortDir(t)
	refused(t, cli.ExitFailure, nil, []string{"admin", "--data", data, "status"}, "no server runs on "+data)
	socket := filepath.Join(data, controlSocket)
	if err := os.WriteFile(socket, nil, 0o600); err != nil { // that of a server that was killed is in the way
		t.Fatal(err)
	}
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data)
	if stat, err := os.Stat(socket); err != nil || stat.Mode().Perm() != 0o600 || stat.Mode()&os.ModeSocket == 0 {
		t.Errorf("the socket is %v, %v", stat, err)
	}
	if out, complaint, status := run(t, nil, "admin", "--data", data, "status", "--json"); status != cli.ExitOK ||
		complaint != "" || !strings.HasPrefix(out, `{"version":"9.8.7",`) || !strings.Contains(out, `"ready":true`) ||
		!strings.Contains(out, `{"name":"store","ok":true,"text":"ok"}`) {
		t.Errorf("status: %d %s%s", status, out, complaint)
	}
	if line := s.line(t, "administrator's command"); line["actor"] != "operator" || line["event"] != "admin" {
		t.Errorf("the log has %v", line)
	}
	if out, _, status := run(t, nil, "admin", "--data", data); status != cli.ExitOK || !strings.Contains(out, "who") {
		t.Errorf("without a command: %d %s", status, out)
	}
	refused(t, cli.ExitUsage, nil, []string{"admin", "--data", data, "it's", `"a b"`}, `no command "it's"`)
	refused(t, cli.ExitUsage, nil, []string{"admin", "--data", data, "who", "--address", "\x1b $(x)"},
		"neither an address")
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	if _, err := os.Stat(socket); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

// What administrators do is recorded, for good.
func TestTheAuditHasEachCommand(t *testing.T) {
	t.Parallel()
	data := shortDir(t)
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data)
	for _, words := range []string{
		"status", "who", "ban add 192.0.2.7 --for 1h --reason spam", "ban remove 192.0.2.8", "kick 99.1 --reason test",
	} {
		_, _, _ = run(t, nil, append([]string{"admin", "--data", data}, strings.Fields(words)...)...)
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	start(t, nil, "--listen=127.0.0.1:0", "--data="+data)
	out, complaint, status := run(t, nil, "admin", "--data", data, "audit", "--json")
	var all []struct{ Time, Actor, Role, Command, Object, Reason, Status string }
	if err := json.Unmarshal([]byte(out), &all); err != nil || status != cli.ExitOK || len(all) != 5 {
		t.Fatalf("%d %s%s: %v", status, out, complaint, err)
	}
	for i, want := range []string{
		"status   ok", "who   ok", "ban add 192.0.2.7 spam ok", "ban remove 192.0.2.8  failed", "kick 99.1 test failed",
	} {
		a := all[i]
		got := strings.Join([]string{a.Command, a.Object, a.Reason, a.Status}, " ")
		at, err := time.Parse(time.RFC3339, a.Time)
		if got != want || err != nil || time.Since(at) > time.Minute || a.Actor != "operator" || a.Role != "admin" {
			t.Errorf("%+v, want %s", a, want)
		}
	}
}

// The keys of administrators are those of the file, also after a change, and after a reload with another file.
func TestAdministratorsAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config, one, two := filepath.Join(dir, "c"), filepath.Join(dir, "one"), filepath.Join(dir, "two")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(one, "")
	write(two, string(ssh.MarshalAuthorizedKey(newSigner(t, 2).PublicKey())))
	write(config, "admin-keys = '"+one+"'\n")
	s := start(t, []string{"NOTAKTO_CONFIG=" + config}, "--listen=127.0.0.1:0")
	may := func(number byte) bool {
		t.Helper()
		session, err := newKeyed(t, s, "bob", newSigner(t, number)).client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		return session.Run("admin status") == nil
	}
	if may(1) || may(2) {
		t.Error("players are administrators")
	}
	write(one, "# a comment makes it another file\n"+string(ssh.MarshalAuthorizedKey(newSigner(t, 1).PublicKey())))
	if !may(1) {
		t.Error("a new key is not known")
	}
	write(config, "admin-keys = '"+two+"'\n")
	s.signal(t, syscall.SIGHUP)
	if got := s.line(t, "reloaded")["changed"]; got != "admin-keys" {
		t.Errorf("it says that %q changed", got)
	}
	if may(1) || !may(2) {
		t.Error("the new file does not hold")
	}
	write(two, "nonsense")
	s.signal(t, syscall.SIGHUP)
	s.line(t, "the settings were not reloaded, and stay as they are")
	if !may(2) {
		t.Error("a file that cannot be read has changed the keys")
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	refused(t, cli.ExitFailure, nil, []string{"--data", shortDir(t), "--admin-keys", two}, "two:1: this is no key")
}

// On a private server only those play whose keys are in the file, as it is now, and administrators.
func TestOnlyAllowedKeysPlay(t *testing.T) {
	t.Parallel()
	admins, players := filepath.Join(t.TempDir(), "admins"), filepath.Join(t.TempDir(), "players")
	write := func(path string, numbers ...byte) {
		t.Helper()
		var text []byte
		for _, n := range numbers {
			text = append(text, ssh.MarshalAuthorizedKey(newSigner(t, n).PublicKey())...)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(admins, 1)
	write(players)
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--admin-keys="+admins, "--allow-keys="+players)
	plays := func(number byte) bool {
		t.Helper()
		said := newKeyed(t, s, "bob", newSigner(t, number)).says(t, "matches --json")
		if said != "[]\n" && !strings.Contains(said, "this is a private server") {
			t.Errorf("the player reads %q", said)
		}
		return said == "[]\n"
	}
	if !plays(1) || plays(2) {
		t.Error("without a key in the file it is not the administrator alone who plays")
	}
	if _, err := guest(t, s, "matches", false).out.ReadString('\n'); err == nil {
		t.Error("a guest plays")
	}
	write(players, 2, 3)
	if !plays(2) || !plays(3) || plays(4) {
		t.Error("it is not those with a key in the file who play")
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	if log := s.said.String(); !strings.Contains(log, `"reason":"not-allowed"`) {
		t.Errorf("the log has no line for those who were turned away:\n%s", log)
	}
	refused(t, cli.ExitFailure, nil, []string{"--data", shortDir(t), "--allow-keys", binary}, ":1: this is no key")
}
