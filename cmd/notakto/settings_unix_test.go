//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"notakto/sshapp/command"
)

// An unreadable file was called one that cannot be read, without the reason.
func TestFilesThatCannotBeOpenedSayWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("0123456789abcdef"), 0o000); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"cluster-secret-file", "cluster-cert", "cluster-key", "nats-credentials"} {
		refused(t, command.ExitUsage, nil, []string{"--" + flag, path + "2"}, "--"+flag+" cannot be", path+"2: no such file")
		cmd := program(t, nil, "--"+flag, path)
		if os.Geteuid() == 0 { // root may read everything
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), "permission denied") || cmd.ProcessState.ExitCode() != int(command.ExitUsage) {
			t.Errorf("--%s: %q, %v", flag, out, err)
		}
	}
}
