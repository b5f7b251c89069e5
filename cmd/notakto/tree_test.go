package main

import (
	"encoding/json"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"notakto/match/journal/natsd"
	"notakto/sshapp/command"
)

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
		refused(t, command.ExitUsage, nil, test.args, test.want)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"--help"}, {"-h"}, {"serve", "--help"}, {"help", "serve"}} {
		stdout, stderr, status := run(t, []string{"CLICOLOR_FORCE=1"}, args...)
		if status != command.ExitOK || stderr != "" {
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
	if status != command.ExitOK || strings.Contains(stdout, "--listen") || !strings.Contains(stdout, "notakto version") {
		t.Errorf("notakto help version exits with %d and prints %q", status, stdout)
	}
}

func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		// A bad setting is no concern of a command that does not use it, and NOTAKTO_VERSION is none.
		stdout, stderr, status := run(t, []string{"NOTAKTO_LISTEN=nonsense", "NOTAKTO_VERSION=1"}, args...)
		if status != command.ExitOK || stderr != "" || !strings.HasPrefix(stdout, "notakto 9.8.7 (0123456789ab, ") ||
			strings.Count(stdout, "\n") != 1 {
			t.Errorf("notakto %q exits with %d, prints %q and complains %q", args, status, stdout, stderr)
		}
	}
}

func TestVersionAsJSON(t *testing.T) {
	stdout, stderr, status := run(t, nil, "version", "--json")
	var v command.Version
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || status != command.ExitOK || stderr != "" {
		t.Fatalf("it exits with %d, prints %q and complains %q: %v", status, stdout, stderr, err)
	}
	want := command.Version{Version: "9.8.7", Revision: "0123456789abcdef", Go: runtime.Version(), Data: natsd.Format}
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
		if status != command.ExitOK || stderr != "" || !strings.Contains(stdout, word) {
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
