package admin

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"log/slog"
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

func key(t testing.TB, number byte) ssh.PublicKey {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{number}, ed25519.SeedSize)))
	testkit.OK(t, err)
	return signer.PublicKey()
}

func TestKeysAreReadAgainWhenTheFileHasChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admins")
	line := func(n byte) string { return string(ssh.MarshalAuthorizedKey(key(t, n))) }
	at := time.Now().Add(-time.Hour)
	write := func(text string) {
		t.Helper()
		at = at.Add(time.Second)
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o600))
		testkit.OK(t, os.Chtimes(path, at, at))
	}
	var log bytes.Buffer
	k := &Keys{Log: slog.New(slog.NewTextHandler(&log, nil))}
	has := func(one, two cli.Role) {
		t.Helper()
		if k.Role(key(t, 1)) != one || k.Role(key(t, 2)) != two {
			t.Errorf("the roles are %q and %q", k.Role(key(t, 1)), k.Role(key(t, 2)))
		}
	}
	has(cli.Player, cli.Player)
	write("# comment\n\n" + line(1))
	testkit.OK(t, k.SetFiles(path, ""))
	has(cli.Administrator, cli.Player)
	write(`role="admin" ` + line(1) + `role="moderator" ` + line(2))
	has(cli.Administrator, cli.Moderator)
	for text, why := range map[string]string{
		line(2) + "nonsense":     "admins:2: invalid key",
		`role="king" ` + line(2): `admins:1: unknown option`,
		"no-pty " + line(2):      `admins:1: unknown option`,
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
	write(line(1))
	has(cli.Administrator, cli.Player)
	another := filepath.Join(t.TempDir(), "another") // with an equal size and time, as from a package manager
	testkit.OK(t, os.WriteFile(another, []byte(line(2)), 0o600))
	testkit.OK(t, os.Chtimes(another, at, at))
	testkit.OK(t, os.Rename(another, path))
	has(cli.Player, cli.Administrator)
	testkit.OK(t, os.WriteFile(path, []byte(line(1)+line(2)), 0o600)) // with an equal time, as from cp -p
	testkit.OK(t, os.Chtimes(path, at, at))
	has(cli.Administrator, cli.Administrator)
	log.Reset()
	testkit.OK(t, os.Chmod(path, 0o620))
	has(cli.Administrator, cli.Administrator)
	testkit.Contains(t, log.String(), "keys-exposed")
	testkit.OK(t, k.SetFiles("", ""))
	has(cli.Player, cli.Player)
	if (*Keys)(nil).Role(key(t, 1)) != cli.Player || k.Role(nil) != cli.Player {
		t.Error("no key has a role")
	}
}

func TestAFileOfKeysThatBecomesAnotherKindHoldsUpNoLogin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admins")
	line := string(ssh.MarshalAuthorizedKey(key(t, 1)))
	testkit.OK(t, os.WriteFile(path, []byte(line), 0o600))
	var log bytes.Buffer
	k := &Keys{Log: slog.New(slog.NewTextHandler(&log, nil))}
	testkit.OK(t, k.SetFiles(path, path))
	endless := filepath.Join(t.TempDir(), "endless")
	testkit.OK(t, os.Symlink("/dev/zero", endless))
	large := filepath.Join(t.TempDir(), "large")
	testkit.OK(t, os.WriteFile(large, []byte(line+strings.Repeat("#", maxKeyFile)), 0o600))
	pipe := filepath.Join(t.TempDir(), "pipe")
	testkit.OK(t, syscall.Mkfifo(pipe, 0o600))
	for from, why := range map[string]string{
		endless: "not a regular file", large: "larger than 4 MB", pipe: "not a regular file",
	} {
		log.Reset()
		testkit.OK(t, os.Rename(from, path))
		if k.Role(key(t, 1)) != cli.Administrator || !k.MayPlay(key(t, 1)) || k.MayPlay(key(t, 2)) {
			t.Errorf("%s: the earlier keys have not stayed", filepath.Base(from))
		}
		if !strings.Contains(log.String(), why) {
			t.Errorf("%s: the log says %s", filepath.Base(from), log.String())
		}
	}
}

func TestAFileOfKeysThatOthersCanWriteIsReportedAtEachRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admins")
	for mode, warns := range map[os.FileMode]bool{0o600: false, 0o644: false, 0o620: true, 0o602: true} {
		var log bytes.Buffer
		k := &Keys{Log: slog.New(slog.NewTextHandler(&log, nil))}
		for i := range 2 {
			log.Reset()
			at := time.Now().Add(time.Duration(i-10) * time.Minute)
			err := errors.Join(os.WriteFile(path, ssh.MarshalAuthorizedKey(key(t, 1)), 0o600), os.Chmod(path, mode),
				os.Chtimes(path, at, at))
			if err == nil && i == 0 {
				err = k.SetFiles(path, "")
			}
			testkit.OK(t, err)
			testkit.Equal(t, k.Role(key(t, 1)), cli.Administrator, mode)
			testkit.Equal(t, strings.Contains(log.String(), "keys-exposed"), warns, mode, i, log.String())
		}
	}
}
