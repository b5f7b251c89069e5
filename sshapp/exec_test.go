package sshapp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/rules/classic"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
)

func TestFilesAndForwardingAreRefusedInWords(t *testing.T) {
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	const noFiles = "notakto: there are no files here to send or to fetch; to play, log in without a command\n"
	for _, command := range []string{"scp -t /tmp", "scp"} {
		_, complaint, status := runOn(t, client, command)
		testkit.Equal(t, complaint, noFiles, command)
		testkit.Equal(t, status, 1, command)
	}
	for _, name := range []string{"sftp", "netconf"} {
		session, err := client.NewSession()
		testkit.OK(t, err)
		complaint, err := session.StderrPipe()
		testkit.OK(t, err)
		testkit.OK(t, session.RequestSubsystem(name))
		said, err := io.ReadAll(complaint)
		testkit.OK(t, err)
		testkit.Equal(t, string(said), noFiles, name)
		_ = session.Close()
	}
	if _, err := client.Dial("tcp", "127.0.0.1:22"); err == nil ||
		!strings.Contains(err.Error(), "this server forwards nothing") {
		t.Errorf("a forwarded port is answered with %v", err)
	}
	if _, err := client.Listen("tcp", "127.0.0.1:0"); err == nil {
		t.Error("a port was opened")
	}
	request(t, openChannel(t, client), "auth-agent-req@openssh.com", nil, false)
	out, complaint, status := runOn(t, client, "version") // the connection goes on
	testkit.Equal(t, out, "notakto test\n", complaint, status)
}

// The full screen was once drawn with escape codes that a dumb terminal does not understand.
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

// A client that requests much text and reads no byte of it once held a session as long as its connection.
func TestACommandWhoseOutputIsNotReadIsHungUpOn(t *testing.T) {
	h := startServer(t, func(o *options) { o.Stall = 50 * time.Millisecond })
	channel := openChannel(t, h.dial("alice", newKey(t, 1)))
	request(t, channel, "exec", gossh.Marshal(struct{ Command string }{"classic two"}), true)
	line := bytes.Repeat([]byte("x\n"), 4096) // each line gets a complaint
	var err error
	for err == nil {
		_, err = channel.Write(line)
	}
	eventually(t, "the session to end", func() bool { return h.inside() == 0 })
}

// The tests of package player have the statuses of all commands. Here they and the streams pass through a session.
func TestExitStatusesPassThroughASession(t *testing.T) {
	h := startServer(t)
	friend := match.Player{ID: "friend", Name: "fay"}
	_, code, err := h.manager.OpenPrivate(t.Context(), friend, match.DefaultTerms())
	testkit.OK(t, err)
	id, err := h.manager.PlayComputer(t.Context(), friend, match.DefaultTerms(), strategy.Club, rules.First)
	testkit.OK(t, err)
	seat, err := h.manager.Sit(t.Context(), id, friend.ID) // otherwise the match is soon left to the computer
	testkit.OK(t, err)
	defer seat.Close()
	var classics strings.Builder
	const moves, ping = "A0\nA1\nA2\nB0\nB1\nB2\nC0\nC1\nC2\n", `{"do":"ping"}` + "\n"
	testkit.OK(t, classic.Three.Run(strings.NewReader(moves), &classics, classic.Options{}))
	for _, r := range []struct {
		line, typed string
		status      cli.ExitCode
		out, errs   string // parts
	}{
		{"play --computer random --boards 1", "5\nquit\n", cli.ExitOK, "Goodbye", ""},
		{"play --private", "quit\n", cli.ExitOK, "Goodbye", ""},
		{"join " + string(code), "turn\n", cli.ExitOK, "fay", ""},
		{"join ZZZZ", "", cli.ExitFailure, "", "no"},
		{"watch " + string(id), "boards\n", cli.ExitOK, "fay", ""},
		{"plain", "help\nquit\n", cli.ExitOK, "Goodbye", ""},
		{"bot", ping + strings.Repeat("nonsense\n", 19), cli.ExitOK, "pong", ""},
		{"bot", strings.Repeat("nonsense\n", 20), cli.ExitFailure, "bad", "too many bad lines"},
		{"classic three", moves, cli.ExitOK, classics.String(), ""},
		{"classic three", "A0\n", cli.ExitFailure, "A", "input ended before the game did"},
		{"matches --json", "", cli.ExitOK, `"fay"`, ""},
		{"rules", "", cli.ExitOK, "loses", ""},
		{"analyse --json nonsense", "", cli.ExitUsage, "", "nonsense"},
		{"key --help", "", cli.ExitOK, "Usage:", ""},
		{`join "K7QX`, "", cli.ExitUsage, "", "the quotes in the command do not match"},
	} {
		out, complaint, status := h.run(r.line, r.typed)
		testkit.Equal(t, cli.ExitCode(status), r.status, r.line, out, complaint)
		testkit.Contains(t, out, r.out)
		testkit.Contains(t, complaint, r.errs)
		isOneLine := strings.HasPrefix(complaint, "notakto: ") && strings.Index(complaint, "\n") == len(complaint)-1
		testkit.Equal(t, isOneLine, r.status != cli.ExitOK, r.line, complaint)
		testkit.Equal(t, out == "", r.out == "", r.line, out)
		testkit.Equal(t, strings.ContainsAny(out+complaint, "\x1b\r"), false, r.line)
	}
}

// A player that could not get the requested table, without a terminal, was once left in the lobby, with the status
// of a finished game.
func TestPlayWithoutATableFails(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxMatches = 1 })
	_, complaint, status := h.run("play --computer club")
	testkit.Equal(t, status, 0, complaint)
	for _, want := range []string{
		"you have as many matches as allowed: finish one first", "no new matches begin here now",
	} {
		for _, line := range []string{"play", "play --computer club", "play --private"} {
			out, complaint, status := h.run(line)
			testkit.Equal(t, fmt.Sprintf("%d %s%s", status, out, complaint), "1 notakto: "+want+"\n", line)
		}
		h.manager.Drain()
	}
}
