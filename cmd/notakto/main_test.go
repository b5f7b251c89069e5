package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/sshapp/command"
)

// binary is the built program, which TestMain makes before any test runs; these tests run it as a person would.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "notakto")
	if err != nil {
		panic(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // one test runs it as another user
		panic(err)
	}
	binary = filepath.Join(dir, "notakto")
	args := slices.Concat([]string{"build"}, buildFlags(),
		[]string{"-ldflags=-w -X main.release=9.8.7 -X main.revision=0123456789abcdef", "-o", binary, "."})
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// program returns the program with args, in an environment of its own.
func program(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	// so that one that hangs does not hold up the tests for long
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append([]string{
		"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color",
		"GORACE=atexit_sleep_ms=10", // under the race detector a process sleeps for a second before it ends
	}, env...)
	return cmd
}

// run waits for the program to end.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string, status command.ExitCode) {
	t.Helper()
	cmd := program(t, env, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.String(), complaint.String(), command.ExitCode(cmd.ProcessState.ExitCode())
}

// refused expects one line on standard error, with all of words in it, and nothing else.
func refused(t *testing.T, status command.ExitCode, env []string, args []string, words ...string) {
	t.Helper()
	stdout, stderr, got := run(t, env, args...)
	if got != status {
		t.Errorf("notakto %q exits with %d, want %d", args, got, status)
	}
	if stdout != "" {
		t.Errorf("notakto %q prints %q", args, stdout)
	}
	if !strings.HasPrefix(stderr, "notakto: ") || strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n") {
		t.Errorf("notakto %q complains %q, want one line that starts with notakto:", args, stderr)
	}
	plain(t, stderr)
	for _, w := range words {
		if !strings.Contains(stderr, w) {
			t.Errorf("notakto %q complains %q, without %q", args, stderr, w)
		}
	}
}

// plain expects text without control characters other than the ends of lines.
func plain(t *testing.T, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }); i >= 0 {
		t.Errorf("a control character in %q", text[i:min(len(text), i+40)])
	}
}
