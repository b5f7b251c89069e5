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

	"github.com/spf13/pflag"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

// binary is the path of the built program. TestMain builds it before any test runs.
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

// With text/template, which calls methods by their names, the linker keeps all methods of all types. The program was a
// tenth larger for two lines of text.
func TestTheProgramHasNoTemplates(t *testing.T) {
	text, err := os.ReadFile(binary)
	testkit.OK(t, err)
	if bytes.Contains(text, []byte("text/template.(*state).evalField")) {
		t.Error("text/template is in the program: go build -ldflags=-dumpdep tells who calls it")
	}
}

// program returns the program with args, in an environment of its own.
func program(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	// A program that hangs must not delay the tests for long.
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append([]string{
		"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color",
		"GORACE=atexit_sleep_ms=10", // under the race detector a process sleeps for a second before it ends
	}, env...)
	return cmd
}

func run(t *testing.T, env []string, args ...string) (stdout, stderr string, status cli.ExitCode) {
	t.Helper()
	cmd := program(t, env, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.String(), complaint.String(), cli.ExitCode(cmd.ProcessState.ExitCode())
}

// refused expects the program to end with status and one line on standard error that has all of words.
func refused(t *testing.T, status cli.ExitCode, env []string, args []string, words ...string) {
	t.Helper()
	stdout, stderr, got := run(t, env, args...)
	testkit.Equal(t, got, status, args)
	testkit.Equal(t, stdout, "", args)
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

// plain expects text without control characters other than line ends.
func plain(t *testing.T, text string) {
	t.Helper()
	if i := strings.IndexFunc(text,
		func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }); i >= 0 {
		t.Errorf("a control character in %q", text[i:min(len(text), i+40)])
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"serve", "--help"}} {
		stdout, stderr, status := run(t, []string{"CLICOLOR_FORCE=1"}, args...)
		if status != cli.ExitOK || stderr != "" {
			t.Errorf("notakto %q exits with %d and complains %q", args, status, stderr)
		}
		plain(t, stdout)
		newRoot().Flags().VisitAll(func(f *pflag.Flag) {
			listed := strings.Contains(stdout, "--"+f.Name+" ") && strings.Contains(stdout, "["+variable(f.Name)+"]")
			if hasAnnotation(f, settingKey) && listed != hasAnnotation(f, commonKey) {
				t.Errorf("notakto %q tells of --%s and %s: %v", args, f.Name, variable(f.Name), listed)
			}
		})
	}
	stdout, _, status := run(t, nil, "help", "version")
	if status != cli.ExitOK || strings.Contains(stdout, "--listen") || !strings.Contains(stdout, "notakto version") {
		t.Errorf("notakto help version exits with %d and prints %q", status, stdout)
	}
}
