package admin

import (
	"bytes"
	"crypto/ed25519"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/sshapp/cli"
)

func key(t testing.TB, number byte) ssh.PublicKey {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{number}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return signer.PublicKey()
}

func TestKeysAreReadAgainWhenTheFileHasChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admins")
	line := func(n byte) string { return string(ssh.MarshalAuthorizedKey(key(t, n))) }
	at := time.Now().Add(-time.Hour)
	write := func(text string) {
		t.Helper()
		at = at.Add(time.Second)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	k := &Keys{Log: slog.New(slog.NewTextHandler(&log, nil))}
	has := func(one, two cli.Role) {
		t.Helper()
		if k.RoleOf(key(t, 1)) != one || k.RoleOf(key(t, 2)) != two {
			t.Errorf("the roles are %q and %q", k.RoleOf(key(t, 1)), k.RoleOf(key(t, 2)))
		}
	}
	has(cli.Player, cli.Player)
	write("# comment\n\n" + line(1))
	if err := k.SetFiles(path, ""); err != nil {
		t.Fatal(err)
	}
	has(cli.Administrator, cli.Player)
	write(`role="admin" ` + line(1) + `role="moderator" ` + line(2))
	has(cli.Administrator, cli.Moderator)
	for text, why := range map[string]string{
		line(2) + "nonsense":     "admins:2: this is no key",
		`role="king" ` + line(2): `admins:1: there is no option`,
		"no-pty " + line(2):      `admins:1: there is no option`,
	} {
		log.Reset()
		write(text)
		has(cli.Administrator, cli.Moderator)
		if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), why) {
			t.Errorf("the log says %s", log.String())
		}
		if err := k.SetFiles(path, ""); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v", err)
		}
	}
	if err := k.SetFiles("", ""); err != nil {
		t.Fatal(err)
	}
	has(cli.Player, cli.Player)
	if (*Keys)(nil).RoleOf(key(t, 1)) != cli.Player || k.RoleOf(nil) != cli.Player {
		t.Error("no key has a role")
	}
}
