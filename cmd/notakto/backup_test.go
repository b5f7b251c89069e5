package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/hostkeys"
	"notakto/sshapp/command"
)

// A server whose disk is lost goes on from its backup, on another machine, with its matches, names and key.
func TestAServerIsRestoredFromItsBackup(t *testing.T) {
	data, kept := t.TempDir(), t.TempDir()
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data, "--linger=100ms", "--drain=1s")
	bob := newKeyed(t, s, "bob", newSigner(t, 2))
	bob.says(t, "name bobby")
	id := bob.resigns(t)
	refused(t, command.ExitFailure, nil, []string{"backup", "--data", data}, "the server of this directory runs: stop it")
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)

	backup := func(args ...string) string {
		t.Helper()
		out, said, status := run(t, nil, append([]string{"backup", "--data", data}, args...)...)
		if status != command.ExitOK || said != "" {
			t.Fatalf("the backup exits with %d: %q", status, said)
		}
		return out
	}
	keyless := filepath.Join(kept, "keyless")
	if err := os.WriteFile(keyless, []byte(backup()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notakto-20200101T000000Z.tar", "notakto-20210101T000000Z.tar", "other.tar"} {
		if err := os.WriteFile(filepath.Join(kept, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := strings.TrimSpace(backup("--to", kept, "--keep", "2", "--with-host-key"))
	if all, err := filepath.Glob(filepath.Join(kept, "*.tar")); err != nil || len(all) != 3 || all[1] != path {
		t.Errorf("kept: %v, %v", all, err)
	}
	out, said, status := run(t, nil, "verify", path)
	if status != command.ExitOK || !strings.HasPrefix(out, "finished matches 1, in progress 0, unreadable 0\n") {
		t.Errorf("it is verified with %d: %s%s", status, out, said)
	}
	refused(t, command.ExitFailure, nil, []string{"restore", path, "--data", data}, "has a journal already", data)
	for file, want := range map[string]bool{path: true, keyless: false} {
		restored := filepath.Join(t.TempDir(), "data")
		if _, said, status := run(t, nil, "restore", file, "--data", restored); status != command.ExitOK || said != "" {
			t.Fatalf("the restore exits with %d: %q", status, said)
		}
		if _, err := os.Stat(filepath.Join(restored, hostkeys.FileName)); (err == nil) != want {
			t.Errorf("the host key of %s: %v", file, err)
		}
		again := start(t, nil, "--listen=127.0.0.1:0", "--data="+restored, "--drain=1s")
		if (again.fingerprint == s.fingerprint) != want {
			t.Errorf("the server restored from %s has the key %s", file, again.fingerprint)
		}
		bob = newKeyed(t, again, "bob", newSigner(t, 2))
		if got := bob.says(t, "show "+id); !strings.Contains(got, "bobby") {
			t.Errorf("bob has %q", got)
		}
		again.signal(t, syscall.SIGTERM)
		again.stopped(t, 5*time.Second)
	}
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, b[:len(b)-2000], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	refused(t, command.ExitFailure, nil, []string{"verify", path}, "truncated")
	nowhere := filepath.Join(kept, "nowhere")
	refused(t, command.ExitFailure, nil, []string{"restore", path, "--data", nowhere}, "truncated")
	if _, err := os.Stat(nowhere); err == nil {
		t.Error("a refused restore makes the directory")
	}
	refused(t, command.ExitFailure, nil, []string{"backup", "--data", kept}, "no journal", kept)
	refused(t, command.ExitUsage, nil, []string{"backup", "--data", data, "--keep", "2"}, "--keep needs --to")
}
