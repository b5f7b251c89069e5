package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/sshapp/cli"
)

// A player who is erased is in no file of the directory, and the opponent's match is still there.
func TestAPlayerIsForgotten(t *testing.T) {
	data := t.TempDir()
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data, "--linger=100ms", "--drain=1s")
	bob := newKeyed(t, s, "bob", newSigner(t, 2))
	bob.says(t, "name bobby")
	id := bob.resigns(t)
	refused(t, cli.ExitFailure, nil, []string{"forget", "bobby", "--data", data}, "the server of this directory runs")
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	refused(t, cli.ExitUsage, nil, []string{"forget", "--data", data}, "a PLAYER, or --deleted")
	refused(t, cli.ExitFailure, nil, []string{"forget", "carol", "--data", data}, `of a player "carol"`)
	if out, _, _ := run(t, nil, "forget", "--deleted", "--data", data); out != "erased accounts: 0\n" {
		t.Errorf("of deleted accounts: %q", out)
	}
	out, said, status := run(t, nil, "forget", "@bobby", "--data", data)
	if status != cli.ExitOK || out != "erased accounts: 1\n" || said != "" {
		t.Fatalf("it exits with %d: %q%q", status, out, said)
	}
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "bobby") {
			t.Errorf("the name stands in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	exported, _, _ := run(t, nil, "export", "--data", data)
	if !strings.Contains(exported, id) || !strings.Contains(exported, `"name":"player-`) {
		t.Errorf("exported: %q", exported)
	}
	s = start(t, nil, "--listen=127.0.0.1:0", "--data="+data, "--drain=1s")
	if got := newKeyed(t, s, "bob", newSigner(t, 2)).says(t, "show "+id); !strings.Contains(got, "player-") {
		t.Errorf("the match is shown as %q", got)
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
}
