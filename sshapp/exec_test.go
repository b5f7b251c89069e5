package sshapp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"regexp"
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
		!strings.Contains(err.Error(), "this server forwards nothing") {
		t.Errorf("a forwarded port is answered with %v", err)
	}
	if _, err := client.Listen("tcp", "127.0.0.1:0"); err == nil {
		t.Error("a port was opened")
	}
	session, err := client.NewSession() // the connection goes on
	testkit.OK(t, err)
	if ok, err := session.SendRequest("auth-agent-req@openssh.com", true, nil); ok || err != nil {
		t.Errorf("an agent is taken: %v, %v", ok, err)
	}
	if out, err := session.Output("version"); string(out) != "notakto test\n" || err != nil {
		t.Errorf("version prints %q, %v", out, err)
	}
}

// askChannel makes one request on a new channel. The results are the text on standard error, and the exit status or
// -1.
func askChannel(t testing.TB, client *gossh.Client, request, what string) (said string, status int) {
	t.Helper()
	channel, requests, err := client.OpenChannel("session", nil)
	testkit.OK(t, err)
	defer func() { _ = channel.Close() }()
	if ok, err := channel.SendRequest(request, true, gossh.Marshal(struct{ What string }{what})); !ok || err != nil {
		t.Fatalf("%s %s: %v, %v", request, what, ok, err)
	}
	text, err := io.ReadAll(channel.Stderr())
	testkit.OK(t, err)
	status = -1
	for r := range requests {
		var exit struct{ Status uint32 }
		if r.Type == "exit-status" && gossh.Unmarshal(r.Payload, &exit) == nil {
			status = int(exit.Status)
		}
	}
	return string(text), status
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
	command := gossh.Marshal(struct{ Command string }{"classic two"})
	if ok, err := channel.SendRequest("exec", true, command); !ok || err != nil {
		t.Fatal(ok, err)
	}
	line := bytes.Repeat([]byte("x\n"), 4096) // each line gets a complaint
	var err error
	for err == nil {
		_, err = channel.Write(line)
	}
	eventually(t, "the session to end", func() bool { return h.inside() == 0 })
}

// The connection and its other sessions stay.
func TestACommandEndsWithItsChannel(t *testing.T) {
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	for _, line := range []string{"classic one", "plain", "bot", "play"} {
		session, err := client.NewSession()
		testkit.OK(t, err)
		if _, err := session.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		testkit.OK(t, session.Start(line))
		eventually(t, line+" to begin", func() bool { return h.inside() == 1 })
		_ = session.Close()
		eventually(t, line+" to end", func() bool { return h.inside() == 0 })
	}
	testkit.Equal(t, h.manager.Lobby().Waiting("").Count, 0)
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
		{"watch", "quit\n", 0},
		{"watch " + archived, "review\nquit\n", 0},
		{"watch nowhere", "", 1},
		{"watch a b", "", 2},
		{"plain", "help\nquit\n", 0},
		{"plain now", "", 2},
		{"bot", `{"do":"ping"}` + "\n" + strings.Repeat(hopeless, 19), 0},
		{"bot", strings.Repeat(hopeless, 20), 1},
		{"bot --json", "", 2},
		{"matches", "", 0},
		{"matches --json", "", 0},
		{"matches --json now", "", 2},
		{"matches --json=perhaps", "", 2},
		{"moves", "", 0},
		{"moves --json", "", 0},
		{"moves now", "", 2},
		{"move " + string(own) + " B5", "", 0},
		{"move --json " + string(own) + " B5", "", 1},
		{"move nowhere B5", "", 1},
		{"move " + string(own), "", 2},
		{"challenge @aaaaaaaaaaaaaaaa --clock 1d", "", 0},
		{"challenge anyone --rated", "", 0},
		{"challenge stranger", "", 1},
		{"challenge --rated", "", 2},
		{"challenges", "", 0},
		{"challenges --json", "", 0},
		{"challenges now", "", 2},
		{"accept", "", 2},
		{"decline", "", 2},
		{"withdraw anyone", "", 0},
		{"withdraw anyone", "", 1},
		{"withdraw", "", 2},
		{"block aaaaaaaaaaaaaaaa", "", 0},
		{"block stranger", "", 1},
		{"block", "", 2},
		{"blocked", "", 0},
		{"blocked now", "", 2},
		{"unblock @aaaaaaaaaaaaaaaa", "", 0},
		{"unblock stranger", "", 1},
		{"unblock", "", 2},
		{"results", "", 0},
		{"results --json --seen", "", 0},
		{"results now", "", 2},
		{"analyse notakto/2: A5 B1", "", 0},
		{"analyse --json XXX....../........X", "", 0},
		{"analyse --match " + archived, "", 0},
		{"analyse --json --match " + archived, "", 0},
		{"analyse --json --match nowhere", "", 1},
		{"analyse --match " + string(id), "", 1},
		{"analyse --match " + archived + " notakto/1:", "", 2},
		{"analyse --json", "", 2},
		{"opening notakto", "", 0},
		{"opening --json notakto", "", 0},
		{"opening", "", 2},
		{"analyse --json nonsense", "", 2},
		{"analyse --json notakto/1: 5 5", "", 2},
		{"card " + archived, "", 0},
		{"card " + string(id), "", 1},
		{"card", "", 2},
		{"cast " + archived, "", 0},
		{"cast nowhere", "", 1},
		{"cast a b", "", 2},
		{"show " + archived, "", 0},
		{"show --json " + archived, "", 0},
		{"show " + string(id), "", 1},
		{"show", "", 2},
		{"history", "", 0},
		{"history --json --limit 5", "", 0},
		{"history no one", "", 2},
		{"history stranger", "", 1},
		{"history --limit 0", "", 2},
		{"profile", "", 0},
		{"profile --json", "", 0},
		{"profile stranger", "", 1},
		{"profile --limit 5", "", 2},
		{"ladder", "", 0},
		{"ladder --json --limit 5 --bots", "", 0},
		{"ladder now", "", 2},
		{"daily", "leave\nquit\n", 0},
		{"daily 1", "quit\n", 0},
		{"daily --json", "", 0},
		{"daily 1 5 A5 A5 --json", "", 0},
		{"daily 999999", "", 1},
		{"daily 5 A9", "", 2},
		{"daily 5 A9 B1", "", 2},
		{"rush", "boards\nleave\nquit\n", 0},
		{"rush now", "", 2},
		{"learn", "quit\n", 0},
		{"learn 2", "leave\nquit\n", 0},
		{"learn 7", "", 2},
		{"slips", "quit\n", 0},
		{"slips now", "", 2},
		{"classic three", moves, 0},
		{"classic three", "A0\n", 1},
		{"classic", "", 2},
		{"me", "", 0},
		{"me --json", "", 0},
		{"me export", "", 0},
		{"me export now", "", 2},
		{"me delete", "", 1},
		{"me undo", "", 1},
		{"me nonsense", "", 2},
		{"name", "", 0},
		{"name alice", "", 0},
		{"name admin", "", 1},
		{"name --json", "", 2},
		{"notify on", "", 0},
		{"notify --json", "", 0},
		{"notify now", "", 2},
		{"key", "", 0},
		{"key list --json", "", 0},
		{"key add", "", 0},
		{"key link CCCCCCCC", "", 1},
		{"key remove nonsense", "", 1},
		{"key remove", "", 2},
		{"rules", "", 0},
		{"rules now", "", 2},
		{"version", "", 0},
		{"version --json", "", 0},
		{"version now", "", 2},
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
		missing[cmd.Name()] = []cli.ExitCode{cli.ExitOK, cli.ExitUsage}
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

// runs is a running command that waits for its input, without a terminal.
type runs struct {
	line    string
	session *gossh.Session
	out     *bytes.Buffer // to be read once copied is closed
	errs    bytes.Buffer
	copied  chan struct{}
}

// starts runs a command until its first output.
func (s *testServer) starts(key byte, line string) *runs {
	s.t.Helper()
	session, err := s.dial("alice", newKey(s.t, key)).NewSession()
	testkit.OK(s.t, err)
	if _, err := session.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	out, err := session.StdoutPipe()
	testkit.OK(s.t, err)
	r := &runs{line: line, session: session, out: new(bytes.Buffer), copied: make(chan struct{})}
	session.Stderr = &r.errs
	testkit.OK(s.t, session.Start(line))
	if _, err := io.CopyN(r.out, out, 1); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		defer close(r.copied)
		_, _ = io.Copy(r.out, out)
	}()
	return r
}

// A command that waited for its input once did not notice that the server stops, and each stop lasted until its
// deadline. Later such a command ended with status 0, after two contradictory sentences.
func TestCommandsEndWhenTheServerStops(t *testing.T) {
	const (
		stopping = "(T|t)he server is stopping; please come back in a moment"
		kept     = `\. Your match is kept as it stands\. Goodbye\.\n$`
		closed   = `You were removed from the queue(: type play again when you are back)?\.`
	)
	h := startServer(t)
	id, err := h.manager.PlayComputer(t.Context(), h.player(50, "zoe"), match.DefaultTerms(), strategy.Club,
		rules.First)
	testkit.OK(t, err)
	ends := map[*runs]string{}
	for i, c := range []struct{ line, shown string }{
		{"classic two", ""},
		{"plain", stopping + `\. Goodbye\.\n$`},
		{"play --computer club", stopping + kept},
		{"play --private", stopping + `\. Your table and its code are kept\. Goodbye\.\n$`},
		{"play", closed},
		{"watch", stopping + `\. Goodbye\.\n$`},
		{"watch " + string(id), stopping + `\. Goodbye\.\n$`},
		{"bot", `\{"event":"notice","message":"` + stopping + `"\}\n$`},
	} {
		ends[h.starts(byte(i+1), c.line)] = c.shown
	}
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	testkit.OK(t, h.Stop(ctx))
	for r, shown := range ends {
		var failed *gossh.ExitError
		<-r.copied
		if err := r.session.Wait(); !errors.As(err, &failed) || failed.ExitStatus() != 1 {
			t.Errorf("%s ends with %v", r.line, err)
		}
		testkit.Equal(t, r.errs.String(), "notakto: the server is stopping; please come back in a moment\n", r.line)
		out := r.out.String()
		if !regexp.MustCompile(shown).MatchString(out) {
			t.Errorf("%s prints %q, without %s", r.line, out, shown)
		}
		_, last, _ := strings.Cut(out, "he server is stopping")
		for _, wrong := range []string{"60 seconds", "no new matches", "end with it"} {
			if strings.Contains(last, wrong) {
				t.Errorf("%s prints %q", r.line, out)
			}
		}
	}
}

// A player that could not get the requested table, without a terminal, was once left in the lobby, with the status
// of a finished game.
func TestPlayWithoutATableFails(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxMatches = 1 })
	lines := []string{"play", "play --computer club", "play --private"}
	expect := func(want string) {
		t.Helper()
		for _, line := range lines {
			if out, stderr, status := h.run(line); out != "" || stderr != "notakto: "+want+"\n" || status != 1 {
				t.Errorf("%s: status %d, %q, %q", line, status, out, stderr)
			}
		}
	}
	if _, _, status := h.run("play --computer club"); status != 0 {
		t.Errorf("the first match ends with status %d", status)
	}
	expect("you have as many matches as allowed: finish one first")
	h.manager.Drain()
	expect("no new matches begin here now")
}
