package sshapp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/classic"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

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
		out, stderr, status := h.run("classic "+test.program.String()+" "+test.flags, test.typed)
		testkit.Equal(t, out, want.String(), test.program)
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

// asked is a command line with its input and the expected exit status.
type asked struct {
	line, typed string
	status      cli.ExitCode
}

// archived is the ID of a finished match.
const archived = "c6zl3rq7s7"

func everyStatus(id, own match.ID, code match.Code) []asked {
	const hopeless, moves = "nonsense\n", "A0\nA1\nA2\nB0\nB1\nB2\nC0\nC1\nC2\n"
	return []asked{
		{"play --computer random --boards 1", "5\nquit\n", 0},
		{"play --private", "quit\n", 0},
		{"play", "quit\n", 0},
		{"play --boards 0", "", 2},
		{"join " + string(code), "turn\n", 0},
		{"join ZZZZ", "", 1},
		{"join", "", 2},
		{"watch " + string(id), "boards\n", 0},
		{"watch nowhere", "", 1},
		{"watch a b", "", 2},
		{"plain", "help\nquit\n", 0},
		{"plain now", "", 2},
		{"bot", `{"do":"ping"}` + "\n" + strings.Repeat(hopeless, 19), 0},
		{"bot", strings.Repeat(hopeless, 20), 1},
		{"bot --json", "", 2},
		{"matches", "", 0},
		{"matches --json", "", 0},
		{"matches --json=perhaps", "", 2},
		{"moves", "", 0},
		{"moves --json", "", 0},
		{"move " + string(own) + " B5", "", 0},
		{"move --json " + string(own) + " B5", "", 1},
		{"move nowhere B5", "", 1},
		{"challenge @aaaaaaaaaaaaaaaa --clock 1d", "", 0},
		{"challenge anyone --rated", "", 0},
		{"challenge stranger", "", 1},
		{"challenge --rated", "", 2},
		{"challenges", "", 0},
		{"challenges --json", "", 0},
		{"withdraw anyone", "", 0},
		{"withdraw anyone", "", 1},
		{"block aaaaaaaaaaaaaaaa", "", 0},
		{"block stranger", "", 1},
		{"blocked", "", 0},
		{"unblock @aaaaaaaaaaaaaaaa", "", 0},
		{"unblock stranger", "", 1},
		{"results", "", 0},
		{"results --json --seen", "", 0},
		{"analyse notakto/2: A5 B1", "", 0},
		{"analyse --json XXX....../........X", "", 0},
		{"analyse --json --match nowhere", "", 1},
		{"analyse --match " + string(id), "", 1},
		{"analyse --match " + archived + " notakto/1:", "", 2},
		{"opening notakto", "", 0},
		{"opening --json notakto", "", 0},
		{"analyse --json nonsense", "", 2},
		{"analyse --json notakto/1: 5 5", "", 2},
		{"card " + archived, "", 0},
		{"card " + string(id), "", 1},
		{"cast " + archived, "", 0},
		{"cast nowhere", "", 1},
		{"show " + archived, "", 0},
		{"show --json " + archived, "", 0},
		{"show " + string(id), "", 1},
		{"history", "", 0},
		{"history --json --limit 5", "", 0},
		{"history stranger", "", 1},
		{"history --limit 0", "", 2},
		{"profile", "", 0},
		{"profile --json", "", 0},
		{"profile stranger", "", 1},
		{"ladder", "", 0},
		{"ladder --json --limit 5 --bots", "", 0},
		{"daily", "leave\nquit\n", 0},
		{"daily 1", "quit\n", 0},
		{"daily --json", "", 0},
		{"daily 1 5 A5 A5 --json", "", 0},
		{"daily 999999", "", 1},
		{"daily 5 A9", "", 2},
		{"rush", "boards\nleave\nquit\n", 0},
		{"learn", "quit\n", 0},
		{"slips", "quit\n", 0},
		{"classic three", moves, 0},
		{"classic three", "A0\n", 1},
		{"me", "", 0},
		{"me --json", "", 0},
		{"me export", "", 0},
		{"me delete", "", 1},
		{"me undo", "", 1},
		{"me nonsense", "", 2},
		{"name", "", 0},
		{"name admin", "", 1},
		{"name --json", "", 2},
		{"notify on", "", 0},
		{"notify --json", "", 0},
		{"key", "", 0},
		{"key list --json", "", 0},
		{"key link CCCCCCCC", "", 1},
		{"rules", "", 0},
		{"version", "", 0},
		{"version --json", "", 0},
		{"help matches", "", 0},
		{"help nonsense", "", 2},
	}
}

// The test brings about every exit status of every command. Commands that cannot fail in another way fail when they
// cannot write, or when the server stops. A failure is one line on standard error. With --json, a command prints one
// value or nothing.
func TestEveryExitStatusOfEveryCommand(t *testing.T) {
	games := map[match.ID]string{archived: "notakto/3: A5"}
	journal := journaltest.Archive(t, match.NewMemory(), games)
	record := journaltest.Archive(t, testkit.Store(t), games).History()
	h := startServer(t, func(o *options) {
		o.Journal, o.history, o.notifyURL = journal, record, "http://127.0.0.1:9"
	})
	friend := match.Player{ID: "friend", Name: "fay"}
	_, code, err := h.manager.OpenPrivate(t.Context(), friend, match.DefaultTerms())
	testkit.OK(t, err)
	id, err := h.manager.PlayComputer(t.Context(), friend, match.DefaultTerms(), strategy.Club, rules.First)
	testkit.OK(t, err)
	seat, err := h.manager.Sit(t.Context(), id, friend.ID) // otherwise the match is soon left to the computer
	testkit.OK(t, err)
	defer seat.Close()
	missing := make(map[string][]cli.ExitCode)
	root := cli.New(cli.Env{Name: "ssh HOST"}, player.Root(player.Env{Name: "ssh HOST"}))
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		missing[cmd.Name()] = []cli.ExitCode{cli.ExitOK}
		h.ask(asked{cmd.Name() + " --help", "", cli.ExitOK})
		h.ask(asked{cmd.Name() + " --nonsense", "", cli.ExitUsage})
	}
	for _, name := range []string{
		"join", "watch", "bot", "classic", "analyse", "card", "cast", "show", "history", "profile", "daily", "me",
		"name",
		"key", "move", "challenge", "accept", "decline", "withdraw", "block", "unblock",
	} {
		missing[name] = append(missing[name], cli.ExitFailure)
	}
	var alice match.Player
	out, _, _ := h.run("me --json")
	testkit.OK(t, json.Unmarshal([]byte(out), &alice))
	own, err := h.manager.PlayComputer(t.Context(), alice, match.DefaultTerms(), strategy.Club, rules.First)
	testkit.OK(t, err)
	tried := everyStatus(id, own, code)
	for i, answer := range [...]string{"accept", "decline"} {
		days, err := match.Correspondence(i + 1) // a live one is accepted only while its maker is here
		testkit.OK(t, err)
		terms := match.DefaultTerms()
		terms.Clock = days
		challenged, err := h.manager.Challenge(t.Context(), friend, manager.Challenge{Terms: terms, Opponent: alice})
		testkit.OK(t, err)
		tried = append(tried, asked{answer + " " + string(challenged), "", 0}, asked{answer + " stranger", "", 1})
	}
	for _, a := range tried {
		h.ask(a)
		name, _, _ := strings.Cut(a.line, " ")
		missing[name] = slices.DeleteFunc(missing[name], func(s cli.ExitCode) bool { return s == a.status })
	}
	maps.DeleteFunc(missing, func(_ string, left []cli.ExitCode) bool { return len(left) == 0 })
	if len(missing) > 0 {
		t.Errorf("these are not tried: %v", missing)
	}
}

func (s *testServer) ask(a asked) {
	s.t.Helper()
	out, stderr, got := s.run(a.line, a.typed)
	testkit.Equal(s.t, cli.ExitCode(got), a.status, a.line, out, stderr)
	oneLine := strings.HasPrefix(stderr, "notakto: ") && strings.Index(stderr, "\n") == len(stderr)-1
	if a.status == cli.ExitOK && stderr != "" || a.status != cli.ExitOK && !oneLine {
		s.t.Errorf("%q: standard error is %q", a.line, stderr)
	}
	if a.status == cli.ExitOK && out == "" || a.status == cli.ExitUsage && out != "" {
		s.t.Errorf("%q: standard output is %q", a.line, out)
	}
	if strings.Contains(a.line, "--json") && a.status == cli.ExitOK && (!json.Valid([]byte(out)) ||
		strings.Index(out, "\n") != len(out)-1) {
		s.t.Errorf("%q prints %q", a.line, out)
	}
	if strings.ContainsAny(out+stderr, "\x1b\r") {
		s.t.Errorf("%q: control characters without a terminal", a.line)
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
