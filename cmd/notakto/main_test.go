package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
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

// refused expects one line on standard error, with all of words in it, and nothing else.
func refused(t *testing.T, status cli.ExitCode, env []string, args []string, words ...string) {
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

// The tree itself is tested in sshapp/cli/player; here, that the program gives access to it.
func TestCommandsOfThisMachine(t *testing.T) {
	for _, test := range []struct{ line, out string }{
		{"analyse notakto/1: 5 --json",
			`{"variant":"notakto/1","position":"....X....","turn":2,"verdict":"loss","winning_moves":[],`},
		{"analyse x......../........./...x.....",
			"Position X......../........./...X..... of Notakto on 3 boards.\nPlayer 1 is to move and wins"},
		{"opening notakto --json", `{"seed":"notakto","hash":"5d270d4b`},
		{"classic --help", "two|three|one"},
	} {
		stdout, stderr, status := run(t, nil, strings.Fields(test.line)...)
		if status != cli.ExitOK || stderr != "" ||
			!strings.HasPrefix(stdout, test.out) && !strings.Contains(stdout, "notakto "+"classic "+test.out) {
			t.Errorf("notakto %s exits with %d, prints %q and complains %q", test.line, status, stdout, stderr)
		}
		plain(t, stdout)
	}
	for _, asked := range []string{
		"play", "join K7QX", "watch", "plain", "bot", "matches", "matches --json", "card x", "cast x",
	} {
		name, _, _ := strings.Cut(asked, " ")
		refused(t, cli.ExitFailure, nil, strings.Fields(asked), "this command needs a server: ssh HOST "+name)
	}
	refused(t, cli.ExitUsage, nil, []string{"analyse", "XXX...XXX"}, "after it died", "notakto help analyse")
	refused(t, cli.ExitUsage, nil, []string{"classic", "four"}, "two, three or one")
	refused(t, cli.ExitUsage, nil, []string{"play", "--boards", "10"}, "--boards cannot be", "from 1 to 9")
}

func TestAClassicReadsStandardInput(t *testing.T) {
	cmd := program(t, nil, "classic", "three")
	cmd.Stdin = strings.NewReader("A0\nA1\nA2\nB0\nB1\nB2\nC0\nC1\nC2\n")
	out, err := cmd.Output()
	if err != nil || !strings.HasSuffix(string(out), "\nPlayer 1: Player 2 wins game\n") {
		t.Errorf("it prints %q and ends with %v", out, err)
	}
	stdout, stderr, status := run(t, nil, "classic", "two")
	if stdout != "Enter the number of human players [1-2]:\n" ||
		stderr != "notakto: input ended before the game did\n" || status != cli.ExitFailure {
		t.Errorf("without input it exits with %d, prints %q and complains %q", status, stdout, stderr)
	}
}

func TestWrongCommandLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"serv"}, `no command "serv"; did you mean serve?`},
		{[]string{"vesrion"}, `did you mean version?`},
		{[]string{"help", "serev"}, `no command "serev"; did you mean serve?`},
		{[]string{"help", "serve", "more"}, `no command`},
		{[]string{"xyzzyplugh"}, `no command "xyzzyplugh" (`},
		{[]string{"nonsense"}, `no command "nonsense" (`},
		{[]string{"serve", "now", "please"}, `serve takes no argument, and got "now please"`},
		{[]string{"version", "1"}, "takes no argument"},
		{[]string{"--lisen", ":1"}, `no flag "--lisen"; did you mean --listen?`},
		{[]string{"serve", "--max-sesions=3"}, `did you mean --max-sessions?`},
		{[]string{"version", "--listen", ":1"}, `no flag "--listen"`},
		{[]string{"-listen"}, `no flag "-listen"; did you mean --listen?`},
		{[]string{"--listen"}, "needs an argument: --listen"},
		{[]string{"completion"}, "bash, zsh, fish, powershell"},
		{[]string{"completion", "bahs"}, "did you mean bash?"},
		{[]string{"completion", "bash", "zsh"}, "one shell"},
		{[]string{"\x1b[31mred\nand more"}, "no command"},
	} {
		refused(t, cli.ExitUsage, nil, test.args, test.want)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"--help"}, {"-h"}, {"serve", "--help"}, {"help", "serve"}} {
		stdout, stderr, status := run(t, []string{"CLICOLOR_FORCE=1"}, args...)
		if status != cli.ExitOK || stderr != "" {
			t.Errorf("notakto %q exits with %d and complains %q", args, status, stderr)
		}
		plain(t, stdout)
		newRoot().Flags().VisitAll(func(f *pflag.Flag) {
			listed := strings.Contains(stdout, "--"+f.Name+" ") && strings.Contains(stdout, "["+variable(f.Name)+"]")
			if has(f, aboutSetting) && listed != has(f, isCommon) {
				t.Errorf("notakto %q tells of --%s and %s: %v", args, f.Name, variable(f.Name), listed)
			}
		})
	}
	stdout, _, status := run(t, nil, "help", "version")
	if status != cli.ExitOK || strings.Contains(stdout, "--listen") || !strings.Contains(stdout, "notakto version") {
		t.Errorf("notakto help version exits with %d and prints %q", status, stdout)
	}
}

func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		// A bad setting is no concern of a command that does not use it, and NOTAKTO_VERSION is none.
		stdout, stderr, status := run(t, []string{"NOTAKTO_LISTEN=nonsense", "NOTAKTO_VERSION=1"}, args...)
		if status != cli.ExitOK || stderr != "" || !strings.HasPrefix(stdout, "notakto 9.8.7 (0123456789ab, ") ||
			strings.Count(stdout, "\n") != 1 {
			t.Errorf("notakto %q exits with %d, prints %q and complains %q", args, status, stdout, stderr)
		}
	}
}

func TestVersionAsJSON(t *testing.T) {
	stdout, stderr, status := run(t, nil, "version", "--json")
	var v player.Version
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || status != cli.ExitOK || stderr != "" {
		t.Fatalf("it exits with %d, prints %q and complains %q: %v", status, stdout, stderr, err)
	}
	want := player.Version{Version: "9.8.7", Revision: "0123456789abcdef", Go: runtime.Version(), Data: store.Schema}
	if v != want {
		t.Errorf("the version is %+v, want %+v", v, want)
	}
}

func TestCompletionsParse(t *testing.T) {
	for shell, word := range map[string]string{
		"bash": "complete", "zsh": "#compdef notakto", "fish": "complete -c notakto",
		"powershell": "Register-ArgumentCompleter",
	} {
		stdout, stderr, status := run(t, nil, "completion", shell)
		if status != cli.ExitOK || stderr != "" || !strings.Contains(stdout, word) {
			t.Errorf("completion %s exits with %d, complains %q and prints %d bytes", shell, status, stderr, len(stdout))
		}
		if shell != "bash" {
			continue
		}
		check := exec.Command("bash", "-n")
		check.Stdin = strings.NewReader(stdout)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("bash does not understand its completions: %v: %s", err, out)
		}
	}
	stdout, _, _ := run(t, nil, "__complete", "serve", "--log-format", "")
	if !strings.HasPrefix(stdout, "text\njson\nlogfmt\n") {
		t.Errorf("--log-format is completed by %q", stdout)
	}
	stdout, _, _ = run(t, nil, "__complete", "serve", "--keep")
	if !strings.HasPrefix(stdout, "--keep-alive\t") {
		t.Errorf("a setting that the help leaves out is completed by %q", stdout)
	}
	stdout, _, _ = run(t, nil, "__complete", "play", "--clock", "")
	if !strings.HasPrefix(stdout, "none\n3+2\n5+0\n10+5\n1d\n") {
		t.Errorf("--clock is completed by %q", stdout)
	}
}
