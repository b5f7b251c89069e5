package sshapp

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/rules/classic"
)

func TestCommandsSayWhatIsWrong(t *testing.T) {
	h := startServer(t)
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
		{"help", 0, `Use "ssh HOST help COMMAND"`, ""},
		{"--help", 0, "analyse", ""},
		{"help play", 0, "ssh HOST play", ""},
		{"help plya", 2, "", "did you mean play?"},
		{"play --help", 0, "--computer", ""},
		{"verson", 2, "", "did you mean version?"},
		{"nonsense", 2, "", `no command "nonsense" (ssh HOST help says more)`},
		{"serve", 2, "", `no command "serve"`},
		{"completion bash", 2, "", "no command"},
		{"play --boards 12", 2, "", "(ssh HOST help play says more)"},
		{"play --computer great", 2, "", "perfect"},
		{"play --private --computer club", 2, "", "choose one"},
		{"play now", 2, "", "takes no argument"},
		{"join", 2, "", "the code of a table"},
		{"join A B", 2, "", "2 arguments"},
		{"watch A B", 2, "", "2 arguments"},
		{"watch nosuchmatch", 1, "", "there is no match"},
		{"watch", 1, "", "no open match is in progress"},
		{"matches --jsno", 2, "", "did you mean --json?"},
		{"matches", 0, "No open match is in progress.\n", ""},
		{"matches --json", 0, "[]\n", ""},
		{"analyse notakto/1: --json", 0, `{"variant":"notakto/1",`, ""},
		{"analyse 'notakto/1: A5'", 0, "Player 2 is to move", ""},
		{"analyse XXX...XXX", 2, "", "after it died"},
		{"opening notakto --json", 0, `{"seed":"notakto","hash":"5d270d4b`, ""},
		{"opening ' '", 2, "", "not a seed: it is empty"},
		{"opening a\tb", 2, "", "2 arguments"},
		{"opening 'a\tb'", 2, "", "control character"},
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
		if status != want.status || !strings.Contains(out, want.out) || !strings.Contains(stderr, want.err) ||
			out != "" && want.out == "" {
			t.Errorf("%q: status %d\n%s\n%s", want.line, status, out, stderr)
		}
		if strings.ContainsAny(out+stderr, "\x1b\r") {
			t.Errorf("%q: control characters without a terminal", want.line)
		}
		if (stderr == "") != (want.err == "") || stderr != "" && (strings.Count(stderr, "\n") != 1 ||
			!strings.HasPrefix(stderr, "notakto: ")) {
			t.Errorf("%q: standard error is %q", want.line, stderr)
		}
	}
}

// speak runs a command with something typed, and returns its standard output.
func (h *testServer) speak(command, typed string) (stdout, stderr string, status int) {
	h.t.Helper()
	session, err := h.dial("alice", newKey(h.t, 1)).NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	session.Stdin, session.Stdout, session.Stderr = strings.NewReader(typed), &out, &errs
	var exit *gossh.ExitError
	if err := session.Run(command); errors.As(err, &exit) {
		status = exit.ExitStatus()
	} else if err != nil {
		h.t.Fatal(err)
	}
	return out.String(), errs.String(), status
}

func TestTheClassicsAreTheSameOverSSH(t *testing.T) {
	h := startServer(t)
	for _, test := range []struct {
		program classic.Program
		flags   string
		typed   string
	}{
		{classic.Two, "", "2\n1\n5\n2\n5\n1\n"},
		{classic.Two, "", "one\n1\r\n1\n1\n1\n2\n"},
		{classic.Three, "", "A0\nA1\nA2\nB0\nB1\nB2\nC0\nC1\nC2\n"},
		{classic.One, "--computer strong --seed 5", "1\n1\n2\n2\n3\n4\n6\n7\n8\n9\n0\n"},
	} {
		var want bytes.Buffer
		err := test.program.Run(strings.NewReader(test.typed), &want, classic.Options{Computer: classic.Strong})
		out, stderr, status := h.speak("classic "+test.program.String()+" "+test.flags, test.typed)
		if out != want.String() {
			t.Errorf("%v prints\n%q, want\n%q", test.program, out, want.String())
		}
		complaint := ""
		if err != nil {
			complaint = "notakto: input ended before the game did\n"
		}
		if stderr != complaint || (status == 0) != (err == nil) || status > 1 {
			t.Errorf("%v ends with status %d and %q", test.program, status, stderr)
		}
	}
}

func TestFilesAndForwardingAreRefusedInWords(t *testing.T) {
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	for _, kind := range []struct{ request, what string }{
		{"subsystem", "sftp"}, {"subsystem", "netconf"}, {"exec", "scp -t /tmp"}, {"exec", "scp"},
	} {
		said, status := askChannel(t, client, kind.request, kind.what)
		if said != "notakto: there are no files here to send or to fetch; to play, log in without a command\n" ||
			status != 1 {
			t.Errorf("%s %s is told %q, status %d", kind.request, kind.what, said, status)
		}
	}
	if _, err := client.Dial("tcp", "127.0.0.1:22"); err == nil ||
		!strings.Contains(err.Error(), "nothing is forwarded here") {
		t.Errorf("a forwarded port is answered with %v", err)
	}
	if _, err := client.Listen("tcp", "127.0.0.1:0"); err == nil {
		t.Error("a port was opened")
	}
	session, err := client.NewSession() // and the connection goes on
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := session.SendRequest("auth-agent-req@openssh.com", true, nil); ok || err != nil {
		t.Errorf("an agent is taken: %v, %v", ok, err)
	}
	if out, err := session.Output("version"); string(out) != "notakto test\n" || err != nil {
		t.Errorf("version prints %q, %v", out, err)
	}
}

// askChannel makes one request of a new channel, and returns what it is told on standard error and the exit status, -1
// if there is none.
func askChannel(t testing.TB, client *gossh.Client, request, what string) (said string, status int) {
	t.Helper()
	channel, requests, err := client.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = channel.Close() }()
	if ok, err := channel.SendRequest(request, true, gossh.Marshal(struct{ What string }{what})); !ok || err != nil {
		t.Fatalf("%s %s: %v, %v", request, what, ok, err)
	}
	text, err := io.ReadAll(channel.Stderr())
	if err != nil {
		t.Fatal(err)
	}
	status = -1
	for r := range requests {
		var exit struct{ Status uint32 }
		if r.Type == "exit-status" && gossh.Unmarshal(r.Payload, &exit) == nil {
			status = int(exit.Status)
		}
	}
	return string(text), status
}

// With a terminal that can do nothing, the full screen was drawn with the escape codes that it does not understand.
func TestADumbTerminalIsPlayedOnLineByLine(t *testing.T) {
	h := startServer(t)
	for _, line := range []string{"", "plain", "play --computer club"} {
		p := begin(t, h.dial("alice", newKey(t, 1)), "dumb", 80, 24, line)
		p.sees("Notakto, line by line")
		p.press("quit\r")
		p.sees("Goodbye")
		if err := p.leaves(); err != nil {
			t.Errorf("%q ends with %v", line, err)
		}
		if sent := p.sent(); strings.Contains(sent, "\x1b") || !strings.Contains(sent, "quit\r\n") {
			t.Errorf("%q sends %q", line, sent)
		}
	}
}

func TestAClassicOnATerminal(t *testing.T) {
	p := newPersonAt(t, startServer(t).dial("alice", newKey(t, 1)), "classic two")
	p.press("3\x7f2\r")
	p.sees("Player 1's turn")
	p.press("1\r5\r")
	p.sees("Player 2's turn")
	p.press("\x03")
	var exit *gossh.ExitError
	if err := p.leaves(); !errors.As(err, &exit) || exit.ExitStatus() != 1 {
		t.Errorf("it ends with %v", err)
	}
	if strings.Contains(p.sent(), "\x1b") || !strings.Contains(p.sent(), "3\b \b2\r\n") {
		t.Errorf("it sends %q", p.sent())
	}
}

// Someone who asks for a lot of text and reads none of it held a session for as long as the connection stayed.
func TestACommandWhoseOutputIsNotReadIsHungUpOn(t *testing.T) {
	h := startServer(t, func(o *options) { o.Stall = 50 * time.Millisecond })
	channel := openChannel(t, h.dial("alice", newKey(t, 1)))
	command := gossh.Marshal(struct{ Command string }{"classic two"})
	if ok, err := channel.SendRequest("exec", true, command); !ok || err != nil {
		t.Fatal(ok, err)
	}
	line := bytes.Repeat([]byte("x\n"), 4096) // each is answered with a complaint
	var err error
	for err == nil {
		_, err = channel.Write(line)
	}
	eventually(t, "the session to end", func() bool { return h.inside() == 0 })
}

// A client that goes away ends its command, while the connection and its other sessions stay.
func TestACommandEndsWithItsChannel(t *testing.T) {
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	for _, line := range []string{"classic one", "plain", "bot", "play"} {
		session, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := session.Start(line); err != nil {
			t.Fatal(err)
		}
		eventually(t, line+" to begin", func() bool { return h.inside() == 1 })
		_ = session.Close()
		eventually(t, line+" to end", func() bool { return h.inside() == 0 })
	}
	if waiting := h.manager.Lobby().Waiting("").Count; waiting != 0 {
		t.Errorf("%d still wait", waiting)
	}
}
