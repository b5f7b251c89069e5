//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

// A file that cannot be read is named with the reason. A credential that is a pipe without a writer does not hold up
// the start.
func TestFilesThatCannotBeReadSayWhy(t *testing.T) {
	t.Parallel()
	credentials := t.TempDir()
	env := []string{"CREDENTIALS_DIRECTORY=" + credentials}
	for _, name := range []string{"listen", "host-key"} {
		pipe := filepath.Join(credentials, "notakto."+name)
		testkit.OK(t, syscall.Mkfifo(pipe, 0o400))
		refused(t, cli.ExitUsage, env, []string{"config"}, pipe+" is not a regular file")
		testkit.OK(t, os.Remove(pipe))
	}
	secret := filepath.Join(credentials, "secret")
	testkit.OK(t, os.WriteFile(secret, []byte("0123456789abcdef"), 0o000))
	cmd := program(t, nil, "--host-key", secret)
	if os.Geteuid() == 0 { // root may read everything
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := cmd.CombinedOutput()
	if !strings.Contains(string(out), "permission denied") || cmd.ProcessState.ExitCode() != int(cli.ExitUsage) {
		t.Errorf("--host-key: %q, %v", out, err)
	}
}
