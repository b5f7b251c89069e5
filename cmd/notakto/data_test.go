package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/hostkeys"
	"notakto/sshapp/cli"
)

// A server whose disk is lost goes on from its backup, on another machine, with its matches, names and key.
func TestAServerIsRestoredFromItsBackup(t *testing.T) {
	t.Parallel()
	data, kept := t.TempDir(), t.TempDir()
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data, "--linger=100ms", "--drain=1s")
	bob := newKeyed(t, s, "bob", newSigner(t, 2))
	bob.says(t, "name bobby")
	id := bob.resigns(t)
	if out, said, _ := run(t, nil, "admin", "--data", data, "status", "--json"); !strings.Contains(out, `"backup":null`) {
		t.Errorf("before a backup the status is %s%s", out, said)
	}
	verified := filepath.Join(kept, "running")
	for _, words := range [][]string{{"backup", "--data", data}, {"admin", "--data", data, "backup"}} {
		out, said, status := run(t, nil, words...)
		if err := os.WriteFile(verified, []byte(out), 0o600); err != nil || said != "" || status != cli.ExitOK {
			t.Fatalf("%v exits with %d: %s (%v)", words, status, said, err)
		}
		if out, said, _ := run(t, nil, "verify", verified); !strings.HasPrefix(out, "finished matches 1, in progress 0,") {
			t.Errorf("%v is verified as %s%s", words, out, said)
		}
		last := `"backup":{"at":"` + time.Now().UTC().Format("2006-01-02T")
		if out, said, _ := run(t, nil, "admin", "--data", data, "status", "--json"); !strings.Contains(out, last) {
			t.Errorf("after a backup the status is %s%s", out, said)
		}
	}
	refused(t, cli.ExitFailure, nil, []string{"export", "--all", "--data", data}, "stop it first", data)
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)

	backup := func(args ...string) string {
		t.Helper()
		out, said, status := run(t, nil, append([]string{"backup", "--data", data}, args...)...)
		if status != cli.ExitOK || said != "" {
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
	for _, name := range []string{"notakto-1.part", "notakto-2.part"} { // a killed backup, and one that goes on
		if err := os.WriteFile(filepath.Join(kept, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(kept, "notakto-1.part"), time.Time{}, time.Now().Add(-2*day)); err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSpace(backup("--to", kept, "--keep", "2", "--with-host-key"))
	if parts, err := filepath.Glob(filepath.Join(kept, "*.part")); err != nil || len(parts) != 1 {
		t.Errorf("of backups that were not completed are left %v, %v", parts, err)
	}
	fresh := filepath.Join(kept, "a", "b")
	if path := strings.TrimSpace(backup("--to", fresh)); filepath.Dir(path) != fresh {
		t.Errorf("%s is not in the directory that was missing", path)
	}
	if all, err := filepath.Glob(filepath.Join(kept, "*.tar")); err != nil || len(all) != 3 || all[1] != path {
		t.Errorf("kept: %v, %v", all, err)
	}
	out, said, status := run(t, nil, "verify", path)
	if status != cli.ExitOK || !strings.HasPrefix(out, "finished matches 1, in progress 0, unreadable 0\n") {
		t.Errorf("it is verified with %d: %s%s", status, out, said)
	}
	refused(t, cli.ExitFailure, nil, []string{"restore", path, "--data", data}, "has a database already", data)
	for file, want := range map[string]bool{path: true, keyless: false} {
		restored := filepath.Join(t.TempDir(), "data")
		if _, said, status := run(t, nil, "restore", file, "--data", restored); status != cli.ExitOK || said != "" {
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
	exports(t, data, id)
	all, said, status := run(t, nil, "export", "--all", "--data", data)
	finished, _, _ := run(t, nil, "export", "--data", data)
	accounts, matches, _ := strings.Cut(all, `{"format":"notakto-match/1"`)
	if status != cli.ExitOK || said != "" || !strings.Contains(accounts, `"name":"bobby"`) ||
		`{"format":"notakto-match/1"`+matches != finished {
		t.Errorf("the export of all exits with %d: %q%q", status, all, said)
	}
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, b[:len(b)-2000], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	refused(t, cli.ExitFailure, nil, []string{"verify", path}, "truncated")
	nowhere := filepath.Join(kept, "nowhere")
	refused(t, cli.ExitFailure, nil, []string{"restore", path, "--data", nowhere}, "truncated")
	if _, err := os.Stat(nowhere); err == nil {
		t.Error("a refused restore makes the directory")
	}
	refused(t, cli.ExitFailure, nil, []string{"backup", "--data", kept}, "no database", kept)
	refused(t, cli.ExitUsage, nil, []string{"backup", "--data", data, "--keep", "2"}, "--keep needs --to")
	refused(t, cli.ExitUsage, nil, []string{"restore", "--data", nowhere}, "takes the file of a backup")
	if out, said, status := run(t, nil, "check", "--data", data); status != cli.ExitOK ||
		out != "finished matches 1, in progress 0, unreadable 0\n" || said != "" {
		t.Errorf("check exits with %d: %s%s", status, out, said)
	}
}

// exports expects a match in the export of a stopped server, which another one imports once.
func exports(t *testing.T, data, id string) {
	t.Helper()
	out, said, status := run(t, nil, "export", "--data", data)
	if status != cli.ExitOK || said != "" || !strings.HasPrefix(out, `{"format":"notakto-match/1","match":"`+id+`"`) {
		t.Fatalf("the export exits with %d: %q%q", status, out, said)
	}
	file, other := filepath.Join(t.TempDir(), "matches"), t.TempDir()
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+other, "--drain=1s")
	for i, want := range []string{"added 1, there already 0\n", "added 0, there already 1\n"} {
		if got, said, _ := run(t, nil, "import", file, "--data", other); got != want {
			t.Errorf("the import prints %q%q, want %q", got, said, want)
		}
		if again, said, _ := run(t, nil, "export", "--since", "2020-01-01", "--data", other); again != out {
			t.Errorf("exported again: %s%s, want %s", again, said, out)
		}
		if i == 0 { // from a running server, and from a stopped one
			s.signal(t, syscall.SIGTERM)
			s.stopped(t, 5*time.Second)
		}
	}
	if got, said, _ := run(t, nil, "export", "--since", "2999-01-01", "--data", other); got != "" || said != "" {
		t.Errorf("of another millennium: %s%s", got, said)
	}
	refused(t, cli.ExitUsage, nil, []string{"export", "--since", "yesterday"}, "--since", "2026-11-01")
	if again, _, _ := run(t, nil, "export", "--data", other); again != out {
		t.Errorf("exported again: %s, want %s", again, out)
	}
	games, _, _ := run(t, nil, "export", "--data", other, "--format", "text")
	for line := range strings.Lines(games) {
		if strings.HasPrefix(line, "notakto/") {
			if _, said, status := run(t, nil, "analyse", strings.TrimSpace(line)); status != cli.ExitOK {
				t.Errorf("analyse %q exits with %d: %s", line, status, said)
			}
		}
	}
	if !strings.Contains(games, "[Match \""+id+"\"]\n") {
		t.Errorf("as text: %q", games)
	}
	if err := os.WriteFile(file, []byte(out[:len(out)/2]), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, cli.ExitFailure, nil, []string{"import", file, "--data", other}, "line 1: ")
	refused(t, cli.ExitUsage, nil, []string{"export", "--data", other, "--format", "pgn"}, "json or text")
	refused(t, cli.ExitUsage, nil, []string{"export", "--all", "--format", "json"}, "--all takes neither")
}
