//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

// The error of an unreadable file has the reason of the system.
func TestFilesThatCannotBeOpenedSayWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	testkit.OK(t, os.WriteFile(path, []byte("0123456789abcdef"), 0o000))
	for _, flag := range []string{"host-key", "admin-keys"} {
		refused(t, cli.ExitUsage, nil, []string{"--" + flag, path + "2"}, "--"+flag+" cannot be",
			path+"2: no such file")
		cmd := program(t, nil, "--"+flag, path)
		if os.Geteuid() == 0 { // root may read everything
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), "permission denied") || cmd.ProcessState.ExitCode() != int(cli.ExitUsage) {
			t.Errorf("--%s: %q, %v", flag, out, err)
		}
	}
}

// A credential that is a named pipe without a writer does not hold up the start.
func TestACredentialMustBeARegularFile(t *testing.T) {
	t.Parallel()
	credentials := t.TempDir()
	env := []string{"CREDENTIALS_DIRECTORY=" + credentials}
	for _, name := range []string{"listen", "host-key"} {
		pipe := filepath.Join(credentials, "notakto."+name)
		testkit.OK(t, syscall.Mkfifo(pipe, 0o400))
		refused(t, cli.ExitUsage, env, []string{"config"}, pipe+" is not a regular file")
		testkit.OK(t, os.Remove(pipe))
	}
}

// A host key may be readable for a group of the server, as in a mounted secret.
func TestAHostKeyForAGroupOfTheServer(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := start(t, nil, "--listen=127.0.0.1:0", "--data", data)
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	key := filepath.Join(data, "host_ed25519")
	const other = 65533
	for _, test := range []struct {
		user, group int
		mode        os.FileMode
		starts      bool
	}{
		{other, os.Getegid(), 0o440, true},
		{os.Geteuid(), os.Getegid(), 0o660, true},
		{os.Geteuid(), os.Getegid(), 0o444, false},
		{other, other, 0o440, false},
	} {
		if os.Geteuid() != 0 && test.user == other {
			continue // only root can give a file away
		}
		testkit.OK(t, errors.Join(os.Chown(key, test.user, test.group), os.Chmod(key, test.mode)))
		if !test.starts {
			refused(t, cli.ExitUsage, nil, []string{"--host-key", key, "--data", t.TempDir()},
				"--host-key cannot be", "run: chmod 600 "+key)
			continue
		}
		own := t.TempDir()
		again := start(t, nil, "--listen=127.0.0.1:0", "--host-key", key, "--data", own)
		testkit.Equal(t, again.fingerprint, s.fingerprint)
		again.signal(t, syscall.SIGTERM)
		again.stopped(t, 5*time.Second)
		if _, err := os.Stat(filepath.Join(own, "host_ed25519")); err == nil {
			t.Error("a second key was made")
		}
	}
}
