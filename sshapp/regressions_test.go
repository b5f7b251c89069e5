package sshapp

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"charm.land/log/v2"
	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/internal/wire"
	"notakto/match/limit"
	"notakto/sshapp/terminal"
)

// The tests in this file show hazards of the stock libraries for a public server. A test fails on the stock
// behaviour.

// After a client closed its channel and kept the connection, the program once ran on. The resize loop read a closed
// channel for ever and used a whole core. A closed OpenSSH window with a ControlMaster sends only the end of the input,
// and the program stayed at the table.
func TestAClosedChannelEndsTheSession(t *testing.T) {
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	for _, line := range []string{"classic one", "plain", "bot", "play", ""} {
		session, err := client.NewSession()
		testkit.OK(t, err)
		_, err = session.StdinPipe() // stays open
		testkit.OK(t, err)
		if line == "" {
			testkit.OK(t, session.RequestPty("xterm", 24, 80, nil))
		}
		testkit.OK(t, session.Start(line))
		eventually(t, line+" to begin", func() bool { return h.inside() == 1 })
		_ = session.Close()
		eventually(t, line+" to end", func() bool { return h.inside() == 0 })
	}
	testkit.Equal(t, h.manager.Lobby().Waiting("").Count, 0)
	_, _, err := client.SendRequest("ping", true, nil)
	testkit.OK(t, err) // the connection stays
	p := h.inLobby("alice", 1)
	_ = p.keys.Close()
	testkit.OK(t, p.leaves())
}

// A client that does not read once made the renderer wait in Write with its lock held. The program could not be
// stopped, nor could the server.
func TestAClientThatDoesNotReadIsHungUpOn(t *testing.T) {
	besideOthers(t)
	var tap tap
	h := startServer(t, func(o *options) { o.wrap, o.Stall = tap.wrap, 2*time.Second })
	p, other := h.inLobby("alice", 1), h.inLobby("bob", 2)
	tap.shut.Store(true)
	p.press("?")                                          // is shown on a screen
	_, _, _ = other.client.SendRequest("ping", true, nil) // has an answer
	eventually(t, "both to be hung up on", func() bool {
		return h.inside() == 0 && h.rejections.Counts.Get(limit.TooSlow) == 2
	})
	tap.shut.Store(false)
	h = startServer(t, func(o *options) { o.wrap = tap.wrap })
	h.inLobby("alice", 1)
	tap.shut.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	testkit.ErrorIs(t, h.Stop(ctx), errUnread)
	testkit.OK(t, ctx.Err())
}

// A terminal of 2000x2000 once cost 615 MiB. One of 4294967295 columns ended the server with one packet, as a
// pty-req, a window-change or typed input.
func TestNoSizeCostsMemory(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerKey = 100 }) // sessions that have just ended still count
	sizes := []uint32{0, 1, 2000, math.MaxUint16, math.MaxInt32, math.MaxUint32}
	before := heap()
	for _, columns := range sizes {
		client := h.dial("alice", newKey(t, 1))
		for _, rows := range sizes {
			channel := openTerminal(t, client, columns, rows)
			for _, other := range sizes {
				_, _ = channel.SendRequest("window-change", false, wire.Size(other, rows))
			}
			fmt.Fprintf(channel, "\x1b[8;%d;%dt\x1b[48;%d;%d;9;9t", rows, columns, rows, columns)
			_, _ = channel.SendRequest("window-change", false, wire.Size(80, 24))
			_ = channel.Close()
		}
		_ = client.Close()
	}
	eventually(t, "the sessions to end", func() bool { return h.inside() == 0 })
	if grown := heap() - before; grown > 6<<20 {
		t.Errorf("the heap has grown by %d KB", grown>>10)
	}
}

// With a handler that did not read the sizes, the second window-change and every later request once waited for ever. A
// client that sent its whole environment (SendEnv *) of more than 200 variables was disconnected.
func TestNoRequestWaitsForTheSession(t *testing.T) {
	h := startServer(t)
	channel := openChannel(t, h.dial("alice", newKey(t, 1)))
	request(t, channel, "window-change", wire.Size(80, 24), false) // before pty-req
	request(t, channel, "pty-req", wire.Terminal("xterm", 80, 24), true)
	for range 50 { // before the shell, no goroutine reads the sizes
		request(t, channel, "window-change", wire.Size(100, 30), true)
	}
	request(t, channel, "env", variable("LANG", "C"), true)
	for i := range maxEnvRequests - 1 {
		_, _ = channel.SendRequest("env", false, variable(fmt.Sprint("V", i), strings.Repeat("x", 900)))
	}
	request(t, channel, "shell", nil, true)
	request(t, channel, "shell", nil, false)
	request(t, channel, "window-change", wire.Size(90, 30), true)
}

// A shutdown once waited for the players, then gave up with their sessions alive. A command that waited for its input
// did not notice, and each stop lasted until its deadline.
func TestAStopEndsEverySession(t *testing.T) {
	const stopping = "he server is stopping; please come back in a moment"
	h := startServer(t, func(o *options) { o.MaxSessions, o.MaxWaiting = 6, 2 }) // the commands and a person
	ends := map[*talk]string{}
	for line, shown := range map[string]string{
		"classic two": "", "watch": stopping + ". Goodbye.\n", "play": "You were removed from the queue",
		"play --computer club": stopping + ". Your match is kept as it stands. Goodbye.\n",
		"bot":                  `{"event":"notice","message":"t` + stopping + `"}` + "\n",
	} {
		k := newTalk(t, h.dial("alice", newKey(t, byte(len(ends)+1))), line)
		k.expects()
		ends[k] = shown
	}
	people := []*person{h.sit("player", newKey(t, 20))}
	people[0].sees("Play someone")
	for i := range byte(2) {
		waiting := h.sit("waiting", newKey(t, 21+i))
		waiting.sees("in line")
		people = append(people, waiting)
	}
	openChannel(t, h.operator()) // no session follows
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	testkit.OK(t, h.Stop(ctx))
	for k, shown := range ends {
		var failed *gossh.ExitError
		out := k.rest()
		if !errors.As(k.ended, &failed) || failed.ExitStatus() != 1 {
			t.Errorf("after %q it ends with %v", out, k.ended)
		}
		testkit.Equal(t, k.errs.String(), "notakto: t"+stopping+"\n", out)
		testkit.Contains(t, out, shown)
	}
	for i, p := range people {
		if err := p.leaves(); i == 0 {
			testkit.OK(t, err) // a player in the lobby
		}
		p.sees("the server is stopping")
		p.restored()
	}
	if h.fails(login("late", newKey(t, 99))) == nil {
		t.Error("a client got in after the stop")
	}
}

// A client could once have its screen sent in packets of nine bytes, and with few keys keep a processor busy.
func TestPacketsOfAFewBytesAreRefused(t *testing.T) {
	h := startServer(t)
	client := h.unmannered("alice", newKey(t, 1))
	for size, want := range map[uint32]byte{
		9: wire.MsgOpenRefused, terminal.MaxWrite - 1: wire.MsgOpenRefused, terminal.MaxWrite: wire.MsgConfirm,
	} {
		open := wire.Open("session", 0, 1<<20)
		binary.BigEndian.PutUint32(open[len(open)-4:], size)
		testkit.OK(t, client.Send(open))
		answer, err := client.Await(wire.MsgConfirm, wire.MsgOpenRefused)
		testkit.OK(t, err)
		testkit.Equal(t, answer[0], want, size)
	}
	testkit.Equal(t, h.rejections.Counts.Get(limit.SessionRefused), 2, "it was not counted")
}

func TestAClientThatAnswersKeepAlivesStays(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.KeepAlive = 2 * time.Second })
	conn, channels, requests, err := gossh.NewClientConn(h.connect(), h.address, login("alice", newKey(t, 1)))
	testkit.OK(t, err)
	none := make(chan *gossh.Request)
	close(none)
	client := gossh.NewClient(conn, channels, none)
	defer func() { _ = client.Close() }()
	p := newPerson(t, client, "xterm-256color", 80, 24)
	for range 3 { // the third question comes only after two answers
		testkit.OK(t, (<-requests).Reply(false, nil))
	}
	go gossh.DiscardRequests(requests)
	p.isThere()
}

// A user name or a command with a newline or an escape once forged lines in the log and wrote to the operator's
// terminal. At the debug level, a connection without a login could write 150 KB into the log.
func TestNamesCannotForgeTheLog(t *testing.T) {
	h := startServer(t, func(o *options) {
		o.spoil = func(s *Server) { s.log.Handler().(*log.Logger).SetLevel(log.DebugLevel) }
	})
	client := h.dial("eve\nINFO session began\x1b[2J\u202e"+strings.Repeat("x", 5000), newKey(t, 1))
	_, _, _ = runOn(t, client, "version\n\x1b[2J\n\u202e\n"+strings.Repeat("\n", 200))
	eventually(t, "the second line", func() bool { return strings.Contains(h.log.String(), "session ended") })
	if h.fails(&gossh.ClientConfig{
		HostKeyCallback: gossh.InsecureIgnoreHostKey(), HostKeyAlgorithms: []string{strings.Repeat("x", 20_000)},
	}) == nil {
		t.Fatal("the login succeeded")
	}
	eventually(t, "the failed login", func() bool { return strings.Contains(h.log.String(), "no common algorithm") })
	for line := range strings.Lines(h.log.String()) {
		if strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\x1b\x00\u202e") || len(line) > 1024 ||
			!strings.Contains(line, "event=") {
			t.Errorf("the log has the line %q", line)
		}
	}
	testkit.Equal(t, strings.Count(h.log.String(), "session began"), 1, h.log.String())
}

// offers logs a client in that only offers a key, and cannot sign with it.
func (s *testServer) offers(key byte) *gossh.Client {
	s.t.Helper()
	config := login("mallory", nil)
	config.Auth = append([]gossh.AuthMethod{gossh.PublicKeys(unprovable{newKey(s.t, key)})}, config.Auth...)
	return s.client(s.connect(), config)
}

// A key that was only offered once became the player.
func TestAKeyThatIsOnlyOfferedIsNoPlayer(t *testing.T) {
	h := startServer(t)
	newPerson(t, h.offers(1), "xterm", 80, 24).sees("Play someone")
	if book := h.log.String(); !strings.Contains(book, "guest:") ||
		strings.Contains(book, gossh.FingerprintSHA256(newKey(t, 1).PublicKey())) {
		t.Errorf("the log says\n%s", book)
	}
}

func TestResizesAreFollowedAndFew(t *testing.T) {
	h := startServer(t)
	p := h.inLobby("alice", 1)
	for i := range 80 {
		testkit.OK(t, p.session.WindowChange(24, 40+i))
	}
	testkit.OK(t, p.session.WindowChange(10, 30))
	p.sees("40x16")
	if redraws := strings.Count(p.sent(), "\x1b[2J"); redraws > 20 {
		t.Errorf("80 sizes at once were drawn %d times", redraws)
	}
}

// Sending to an ended program once waited for ever. Keys typed ahead left a goroutine and 391 KB behind with each
// session.
func TestQuittingWithKeysTypedAheadLeavesNothing(t *testing.T) {
	const atOnce, each = limit.MaxChannels / 2, 3
	h := startServer(t, func(o *options) { o.MaxSessionsPerKey = 2 * atOnce })
	client := h.dial("alice", newKey(t, 1))
	slot := func() {
		p := newPerson(t, client, "xterm-256color", 80, 24)
		p.sees("Play someone")
		p.press("\x03\x03" + strings.Repeat("j", 1000))
		_ = p.leaves()
	}
	slot()
	before := runtime.NumGoroutine()
	var players sync.WaitGroup
	for range atOnce { // a session takes a quarter of a second to see the end of the input
		players.Go(func() {
			for range each {
				slot()
			}
		})
	}
	players.Wait()
	eventually(t, "the goroutines to end", func() bool { return runtime.NumGoroutine() <= before+2 })
}

// Every program once asked its terminal for modes at the start, and some terminals print such a question as text.
func TestNothingIsAskedOfATerminal(t *testing.T) {
	asks := regexp.MustCompile(
		`\x1b\[[?>=]?[0-9;]*(\$p|c|n)|\x1b\][0-9;]*;?\?|\x1bP\+q|\x1b\[>[0-9;]*q|\x1b\[\?u|\x1bZ`)
	h := startServer(t)
	for _, term := range []string{"xterm-256color", "tmux-256color", "linux", "dumb", "unheard-of", "xterm\x1b]0;x"} {
		p := newPerson(t, h.dial("alice", newKey(t, 1)), term, 80, 24)
		p.sees("alice")
		p.press("\x03\x03")
		_ = p.leaves()
		testkit.Equal(t, asks.FindString(p.sent()), "", term)
	}
}

// restored checks that the terminal is in its state from before the game.
func (p *person) restored() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal.IsAltScreen() {
		p.t.Error("the terminal was left on the alternate screen")
	}
	sent := p.raw.String()
	for _, mode := range []string{"25", "1000", "1002", "1003", "1006", "2004", "7"} {
		on, off := strings.LastIndex(sent, "\x1b[?"+mode+"h"), strings.LastIndex(sent, "\x1b[?"+mode+"l")
		if wantOn := mode == "25" || mode == "7"; on >= 0 && !wantOn && off < on || off >= 0 && wantOn && on < off {
			p.t.Errorf("mode %s was not put back", mode)
		}
	}
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapInuse)
}

// unprovable offers a key that it cannot sign with.
type unprovable struct{ gossh.Signer }

func (unprovable) Sign(io.Reader, []byte) (*gossh.Signature, error) { return nil, io.ErrUnexpectedEOF }
