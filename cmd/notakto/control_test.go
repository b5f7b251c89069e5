package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

// shortDir returns a new directory with a short name, because the path of a socket has at most about 100 bytes.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "n")
	testkit.OK(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// The file counts as it is now, also after a change, and after a reload with another file.
func TestAdministratorsAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config, one, two := filepath.Join(dir, "c"), filepath.Join(dir, "one"), filepath.Join(dir, "two")
	write := func(path, text string) {
		t.Helper()
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(one, "")
	write(two, string(ssh.MarshalAuthorizedKey(newSigner(t, 2).PublicKey())))
	write(config, "admin-keys = '"+one+"'\n")
	s := start(t, []string{"NOTAKTO_CONFIG=" + config}, "--listen=127.0.0.1:0")
	may := func(number byte) bool {
		t.Helper()
		session, err := newKeyed(t, s, "bob", newSigner(t, number)).client.NewSession()
		testkit.OK(t, err)
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
	testkit.Equal(t, s.line(t, "reloaded")["changed"], "admin-keys")
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
	refused(t, cli.ExitUsage, nil, []string{"--data", shortDir(t), "--admin-keys", two}, "two:1: invalid key")
}

// On a private server only administrators and players with a key in the file may play.
func TestOnlyAllowedKeysPlay(t *testing.T) {
	t.Parallel()
	admins, players := filepath.Join(t.TempDir(), "admins"), filepath.Join(t.TempDir(), "players")
	write := func(path string, numbers ...byte) {
		t.Helper()
		var text []byte
		for _, n := range numbers {
			text = append(text, ssh.MarshalAuthorizedKey(newSigner(t, n).PublicKey())...)
		}
		testkit.OK(t, os.WriteFile(path, text, 0o600))
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
	testkit.Contains(t, s.said.String(), `"reason":"not-allowed"`)
	refused(t, cli.ExitUsage, nil, []string{"--data", shortDir(t), "--allow-keys", "main.go"}, "main.go:1: invalid key")
}
