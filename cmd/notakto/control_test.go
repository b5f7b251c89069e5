package main

import (
	"os"
	"path/filepath"
	"strconv"
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

// The files of keys count as they are now, also after a change, and after a reload with another file. On a private
// server only administrators and players with a key in the file may play.
func TestFilesOfKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config, one, two, players := filepath.Join(dir, "c"), filepath.Join(dir, "one"), filepath.Join(dir, "two"),
		filepath.Join(dir, "players")
	write := func(path string, numbers ...int) {
		t.Helper()
		text := []byte("# a comment makes it another file\n")
		for _, n := range numbers {
			text = append(text, ssh.MarshalAuthorizedKey(newSigner(t, n).PublicKey())...)
		}
		testkit.OK(t, os.WriteFile(path, text, 0o600))
	}
	use := func(admins string) {
		t.Helper()
		testkit.OK(t, os.WriteFile(config, []byte("admin-keys = '"+admins+"'\nallow-keys = '"+players+"'\n"), 0o600))
	}
	write(one)
	write(two, 2)
	write(players, 1, 3)
	use(one)
	s := start(t, []string{"NOTAKTO_CONFIG=" + config}, "--listen=127.0.0.1:0")
	// has checks which of the first four keys are of administrators, and which may play.
	has := func(admins, all string) {
		t.Helper()
		commands := ""
		plays := ""
		for number := 1; number <= 4; number++ {
			v, name := logIn(t, s, "bob", number), strconv.Itoa(number)
			if session, err := v.NewSession(); err == nil && session.Run("admin status") == nil {
				commands += name
			}
			if said := v.says(t, "matches --json"); said == "[]\n" {
				plays += name
			} else {
				testkit.Contains(t, said, "this is a private server")
			}
		}
		testkit.Equal(t, commands, admins)
		testkit.Equal(t, plays, all)
	}
	has("", "13")
	write(one, 1, 4)
	has("14", "134")
	write(players, 3)
	use(two)
	s.signal(t, syscall.SIGHUP)
	testkit.Equal(t, s.line(t, "reloaded")["changed"], "admin-keys")
	has("2", "23")
	testkit.Contains(t, logIn(t, s, "bob", 0).says(t, "matches"), "this is a private server")
	testkit.OK(t, os.WriteFile(two, []byte("nonsense"), 0o600))
	s.signal(t, syscall.SIGHUP)
	s.line(t, "the settings were not reloaded, and stay as they are")
	has("2", "23")
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	testkit.Contains(t, s.said(), `"reason":"not-allowed"`)
	for _, flag := range []string{"--admin-keys", "--allow-keys"} {
		refused(t, cli.ExitUsage, nil, []string{"--data", shortDir(t), flag, two}, two+":1: invalid key")
	}
}
