package main

import (
	"strings"
	"testing"

	"notakto/sshapp/command"
)

// The tree itself is tested in sshapp/command; here, that the program is a door to it.
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
		if status != command.ExitOK || stderr != "" ||
			!strings.HasPrefix(stdout, test.out) && !strings.Contains(stdout, "notakto "+"classic "+test.out) {
			t.Errorf("notakto %s exits with %d, prints %q and complains %q", test.line, status, stdout, stderr)
		}
		plain(t, stdout)
	}
	for _, asked := range []string{
		"play", "join K7QX", "watch", "plain", "bot", "matches", "matches --json", "card x", "cast x",
	} {
		name, _, _ := strings.Cut(asked, " ")
		refused(t, command.ExitFailure, nil, strings.Fields(asked), "this command needs a server: ssh HOST "+name)
	}
	refused(t, command.ExitUsage, nil, []string{"cluster", "status"}, "--cluster-listen is needed")
	refused(t, command.ExitUsage, nil, []string{"cluster", "remove"}, "takes the name of a server")
	refused(t, command.ExitUsage, nil, []string{"analyse", "XXX...XXX"}, "after it died", "notakto help analyse")
	refused(t, command.ExitUsage, nil, []string{"classic", "four"}, "two, three or one")
	refused(t, command.ExitUsage, nil, []string{"play", "--boards", "10"}, "--boards cannot be", "from 1 to 9")
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
		stderr != "notakto: input ended before the game did\n" || status != command.ExitFailure {
		t.Errorf("without input it exits with %d, prints %q and complains %q", status, stdout, stderr)
	}
}
