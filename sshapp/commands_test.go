package sshapp

import (
	"strings"
	"testing"
)

func TestCommandsSayWhatIsWrong(t *testing.T) {
	h := openHouse(t)
	for _, want := range []struct {
		line   string
		status int
		out    string
		err    string
	}{
		{"", 2, "Usage", "the game needs a terminal"},
		{"   ", 2, "Usage", "the game needs a terminal"},
		{"version", 0, "notakto test\n", ""},
		{"--version", 0, "notakto test\n", ""},
		{"help", 0, "ssh HOST [command]", ""},
		{"--help", 0, "analyse", ""},
		{"help play", 0, "ssh HOST play", ""},
		{"help plya", 2, "", "did you mean play?"},
		{"play --help", 0, "--computer", ""},
		{"verson", 2, "", "did you mean version?"},
		{"nonsense", 2, "", "did you mean analyse?"},
		{"serve", 2, "", `no command "serve"`},
		{"completion bash", 2, "", "no command"},
		{"play --boards 12", 2, "", "--boards cannot be"},
		{"play --computer great", 2, "", "perfect"},
		{"play --private --computer club", 2, "", "choose one"},
		{"play now", 2, "", "takes no argument"},
		{"join", 2, "", "the code of a table"},
		{"join A B", 2, "", "2 arguments"},
		{"watch A B", 2, "", "2 arguments"},
		{"watch nosuchmatch", 1, "", "there is no match"},
		{"watch", 1, "", "no match is in progress"},
		{"matches --jsno", 2, "", "did you mean --json?"},
		{"matches", 0, "No match is in progress.\n", ""},
		{"matches --json", 0, "[]\n", ""},
		{"analyse notakto/1: --json", 0, `{"variant":"notakto/1",`, ""},
		{"analyse 'notakto/1: A5'", 0, "Player 2 is to move", ""},
		{"analyse XXX...XXX", 2, "", "after it died"},
		{"classic four", 2, "", "two, three or one"},
		{"classic two", 1, "Enter the number of human players [1-2]:\n", "notakto: input ended before the game did\n"},
		{"plain", 0, "Notakto, line by line. You are alice.", ""},
		{"bot", 0, `{"event":"welcome","protocol":1,`, ""},
		{`join "K7QX`, 2, "", "quotes"},
		{"scp -t .", 1, "", "no files here"},
		{"\x1b[31mred", 2, "", "no command"},
		{"play --computer club", 0, "against the computer, level club", ""},
	} {
		out, stderr, status := h.run(want.line)
		if status != want.status || !strings.Contains(out, want.out) || !strings.Contains(stderr, want.err) || out != "" && want.out == "" {
			t.Errorf("%q: status %d\n%s\n%s", want.line, status, out, stderr)
		}
		if strings.ContainsAny(out+stderr, "\x1b\r") {
			t.Errorf("%q: control characters without a terminal", want.line)
		}
		if (stderr == "") != (want.err == "") || stderr != "" && (strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "notakto: ")) {
			t.Errorf("%q: standard error is %q", want.line, stderr)
		}
	}
}
