package sshapp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/limit"
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
	_, err := client.Dial("tcp", "127.0.0.1:22")
	testkit.Contains(t, fmt.Sprint(err), "this server forwards nothing")
	channel := openChannel(t, client)
	for _, name := range []string{ // SSH's own answers refuse these, without words
		"tcpip-forward", "streamlocal-forward@openssh.com", "auth-agent-req@openssh.com", "x11-req",
		"keepalive@openssh.com",
	} {
		ok, _, err := client.SendRequest(name, true, nil)
		testkit.OK(t, err)
		testkit.Equal(t, ok, false, name)
		request(t, channel, name, nil, false)
	}
	testkit.Equal(t, h.rejections.Counts.Get(limit.ChannelRefused), 9, h.log.String())
	out, complaint, status := runOn(t, client, "version") // the connection goes on
	testkit.Equal(t, out, "notakto test\n", complaint, status)
}

// A dumb terminal was once sent the full screen, with escape codes that it does not understand. A command that is
// played line by line sends none to any terminal.
func TestLinesOnATerminal(t *testing.T) {
	h := startServer(t)
	for _, one := range []struct {
		term, line        string
		typed, sees, echo string
		status            int
	}{
		{"dumb", "", "quit\r", "Goodbye", "quit\r\n", 0},
		{"dumb", "play --computer club", "quit\r", "Goodbye", "quit\r\n", 0},
		{"xterm-256color", "classic two", "3\x7f2\r1\r5\r\x03", "Player 2's turn", "3\b \b2\r\n", 1},
	} {
		p := begin(t, h.dial("alice", newKey(t, 1)), one.term, 80, 24, one.line)
		p.press(one.typed)
		p.sees(one.sees)
		err, status := p.leaves(), 0
		if exit := (*gossh.ExitError)(nil); errors.As(err, &exit) {
			status = exit.ExitStatus()
		} else {
			testkit.OK(t, err)
		}
		testkit.Equal(t, status, one.status, one.line)
		if sent := p.sent(); strings.Contains(sent, "\x1b") || !strings.Contains(sent, one.echo) {
			t.Errorf("%q sends %q", one.line, sent)
		}
	}
}

// A client that requests much text and reads no byte of it once held a session as long as its connection.
func TestACommandWhoseOutputIsNotReadIsHungUpOn(t *testing.T) {
	h := startServer(t, func(o *options) { o.Stall = time.Second })
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
	_, code := h.friend()
	fay := match.Player{ID: "friend", Name: "fay"}
	id, err := h.manager.PlayComputer(t.Context(), fay, match.DefaultTerms(), strategy.Club, rules.First)
	testkit.OK(t, err)
	seat, err := h.manager.Sit(t.Context(), id, fay.ID) // otherwise the match is soon left to the computer
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
		{"join " + code, "turn\n", cli.ExitOK, "fay", ""},
		{"join ZZZZ", "", cli.ExitFailure, "", "no"},
		{"watch " + string(id), "boards\n", cli.ExitOK, "fay", ""},
		{"plain", "help\nquit\n", cli.ExitOK, "Goodbye", ""},
		{"bot", ping + strings.Repeat("nonsense\n", 19), cli.ExitOK, "pong", ""},
		{"bot", strings.Repeat("nonsense\n", 20), cli.ExitFailure, "bad", "too many bad lines"},
		{"classic three", moves, cli.ExitOK, classics.String(), ""},
		{"classic three", "A0\n", cli.ExitFailure, "A", "input ended before the game did"},
		{"matches --json", "", cli.ExitOK, `"fay"`, ""},
		{"rules", "", cli.ExitOK, "loses", ""},
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

// A hidden command for shell completion once complained on the standard error of the process, and thus in the log.
func TestACommandForShellsWritesNothingToTheLog(t *testing.T) {
	h := startServer(t)
	received, theirs, err := os.Pipe()
	testkit.OK(t, err)
	before := os.Stderr
	os.Stderr = theirs
	defer func() { os.Stderr = before }()
	for _, command := range []string{
		"__complete 'x\x1b[2J\nINFO session began' y", "__completeNoDesc play '--zz' x", "help __complete '--zz' x",
	} {
		if _, shown, status := h.run(command); status != 2 || strings.Contains(shown, "\x1b") {
			t.Errorf("%q: %d, %q", command, status, shown)
		}
	}
	_ = theirs.Close()
	if got, _ := io.ReadAll(received); len(got) > 0 {
		t.Errorf("the server's standard error has %q", got)
	}
}
