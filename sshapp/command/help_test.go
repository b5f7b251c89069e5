package command_test

import (
	"strings"
	"testing"

	"notakto/sshapp/command"
)

// OpenSSH's client takes options behind the host for its own, so that `ssh HOST --help` never comes here.
func TestEveryHelpThatIsPointedToIsThere(t *testing.T) {
	env := command.Env{Server: testServer(t)}
	for line, way := range map[string]string{
		"nonsense": "help", "--nonsense": "help", "play --nonsense": "help play", "join": "help join",
		"help nonsense": "help", "help -x": "help",
	} {
		ask(env, "", strings.Fields(line)...).expect(t, line, command.ExitUsage, "", "(notakto "+way+" says more)")
		ask(env, "", strings.Fields(way)...).expect(t, way, command.ExitOK, "Usage:", "")
	}
	ask(env, "", "help").expect(t, "help", command.ExitOK, `Use "notakto help COMMAND" for more`, "")
	ask(env, "", "help", "key").expect(t, "help key", command.ExitOK, `Use "notakto help key COMMAND" for more`, "")
}

func TestHelpOverSSHOmitsFlagsThatArgumentsReplace(t *testing.T) {
	for _, line := range []string{"help", "help play", "help help", "help version", "play --help", ""} {
		if got := ask(command.Env{Server: testServer(t)}, "", strings.Fields(line)...).out; strings.Contains(got,
			"--help") || strings.Contains(got, "--version") {
			t.Errorf("%q prints\n%s", line, got)
		}
	}
	locally("--help").expect(t, "--help", command.ExitOK, "--version", "")
}
