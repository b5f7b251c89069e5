//go:build e2e

package sshapp

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"notakto/internal/testkit"
)

// The bot of docs/bot.md plays its match over OpenSSH's client, as a guest without a key.
func TestTheBotOfThePageOverOpenSSH(t *testing.T) {
	for _, program := range []string{"python3", "ssh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("../docs/bot.md")
	testkit.OK(t, err)
	found := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatal("the page shows no bot")
	}
	if lines := bytes.Count(found[1], []byte("\n")); lines > 30 {
		t.Errorf("the bot of thirty lines has %d", lines)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "bot.py")
	testkit.OK(t, os.WriteFile(script, found[1], 0o600))
	h := startServer(t)
	host, port, err := net.SplitHostPort(h.address)
	testkit.OK(t, err)
	cmd := exec.CommandContext(t.Context(), "python3", script, "-F", "none", "-p", port, "-l", "robot",
		"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile="+filepath.Join(dir, "known"), "-o",
		"LogLevel=ERROR",
		"-o", "IdentityFile=none", "-o", "IdentityAgent=none", host)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || !regexp.MustCompile(`^(won|lost) by boards\n$`).Match(out) {
		t.Errorf("the bot says %q, and ends with %v\n%s\n%s", out, err, errs.String(), h.log)
	}
}
