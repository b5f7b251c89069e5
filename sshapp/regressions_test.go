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
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/limit"
	"notakto/sshapp/terminal"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/wire"
)

// The tests in this file show hazards of the stock libraries for a public server. A test fails on the stock
// behaviour.

// After a client closed its channel and kept the connection, the program once ran on. The resize loop read a closed
// channel for ever and used a whole core.
func TestAClosedChannelEndsTheSession(t *testing.T) {
	h := startServer(t)
	p := h.sit("alice", newKey(t, 1))
	p.sees("Play someone")
	_ = p.session.Close()
	eventually(t, "the session to end", func() bool { return h.inside() == 0 })
	if _, _, err := p.client.SendRequest("ping", true, nil); err != nil {
		t.Errorf("the connection did not stay: %v", err)
	}
}

// A closed OpenSSH window with a ControlMaster sends only the end of the input. The program once stayed at the
// table.
func TestTheEndOfInputEndsTheSession(t *testing.T) {
	h := startServer(t)
	p := h.sit("alice", newKey(t, 1))
	p.sees("Play someone")
	_ = p.keys.Close()
	if err := p.leaves(); err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// A client that does not read once made the renderer wait in Write with its lock held. The program could not be
// stopped.
func TestAClientThatDoesNotReadIsHungUpOn(t *testing.T) {
	var tap tap
	h := startServer(t, func(o *options) {
		o.Stall = 200 * time.Millisecond
		o.wrap = tap.wrap
	})
	p := h.sit("alice", newKey(t, 1))
	p.sees("Play someone")
	tap.shut.Store(true)
	p.press("?")
	eventually(t, "the client to be hung up on", func() bool { return h.inside() == 0 })
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.TooSlow) == 1 })
}

// A terminal of 2000x2000 once cost 615 MiB. One of 4294967295 columns ended the server with one packet, as a
// pty-req, a window-change or typed input.
func TestNoSizeCostsMemory(t *testing.T) {
	h := startServer(t)
	sizes := []uint32{0, 1, 2000, math.MaxUint16, math.MaxInt32, math.MaxUint32}
	before := heap()
	for _, columns := range sizes {
		client := h.dial("alice", newKey(t, 1))
		for _, rows := range sizes {
			p := openTerminal(t, client, columns, rows)
			p.sends("Notakto")
			for _, other := range sizes {
				_, _ = p.channel.SendRequest("window-change", false, wire.Size(other, rows))
			}
			fmt.Fprintf(p.channel, "\x1b[8;%d;%dt\x1b[48;%d;%d;9;9t", rows, columns, rows, columns)
			_, _ = p.channel.SendRequest("window-change", false, wire.Size(80, 24))
			_ = p.channel.Close()
		}
		_ = client.Close()
	}
	eventually(t, "the sessions to end", func() bool { return h.inside() == 0 })
	if grown := heap() - before; grown > 6<<20 {
		t.Errorf("the heap has grown by %d KB", grown>>10)
	}
}

// The server once accepted 500 session channels on one connection.
func TestChannelsOfAConnectionAreLimited(t *testing.T) {
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	opened := 0
	var refusal *gossh.OpenChannelError
	for range 50 {
		channel, requests, err := client.OpenChannel("session", nil)
		if err != nil {
			if !errors.As(err, &refusal) {
				t.Fatal(err)
			}
			continue
		}
		go gossh.DiscardRequests(requests)
		defer func() { _ = channel.Close() }()
		opened++
	}
	if limit := limit.MaxChannels; opened != limit {
		t.Errorf("%d channels were opened, the limit is %d", opened, limit)
	}
	if refusal == nil || !strings.Contains(refusal.Message, "close one") {
		t.Errorf("the refusal is %v", refusal)
	}
}

func TestSessionsOfAPlayerAreLimited(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerKey = 3 })
	for range 3 {
		h.sit("alice", newKey(t, 1)).sees("Both play X")
	}
	if _, _, err := h.dial("alice", newKey(t, 1)).OpenChannel("session", nil); err == nil ||
		!strings.Contains(err.Error(), limit.ErrPlayerFull.Error()) {
		t.Errorf("got %v", err)
	}
	h.sit("bob", newKey(t, 2)).sees("Play someone")
}

// With a handler that did not read the sizes, the second window-change and every later request once waited for ever.
func TestNoRequestWaitsForTheSession(t *testing.T) {
	h := startServer(t)
	channel := openChannel(t, h.dial("alice", newKey(t, 1)))
	ask := func(kind string, payload []byte, want bool) {
		t.Helper()
		if ok, err := channel.SendRequest(kind, true, payload); err != nil || ok != want {
			t.Fatalf("%s: %v, %v", kind, ok, err)
		}
	}
	ask("window-change", wire.Size(80, 24), false) // before pty-req
	ask("pty-req", wire.Terminal("xterm", 80, 24), true)
	for range 50 { // before the shell, no goroutine reads the sizes
		ask("window-change", wire.Size(100, 30), true)
	}
	ask("env", variable("LANG", "C"), true)
	ask("auth-agent-req@openssh.com", nil, false)
	ask("shell", nil, true)
	ask("shell", nil, false)
	ask("window-change", wire.Size(90, 30), true)
}

// The server once accepted 65,000 window-changes a second.
func TestAFloodOfRequestsEndsTheConnection(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	p := h.sit("alice", newKey(t, 1))
	p.sees("Play someone")
	for range 20 * maxRequests {
		if p.session.WindowChange(24, 80) != nil {
			break
		}
	}
	_ = p.leaves()
	eventually(t, "the session to end", func() bool { return h.inside() == 0 })
	_ = p.client.Wait() // the connection ends too
}

// A client that sent its whole environment (SendEnv *) of more than 200 variables was once disconnected.
func TestALargeEnvironmentIsNoFlood(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	for _, one := range []struct {
		variables, size int
		isIn            bool
	}{{maxEnvRequests, 900, true}, {3 * maxEnvRequests, 100, false}} {
		client := h.dial("alice", newKey(t, 1))
		channel := openChannel(t, client)
		for i := range one.variables {
			_, _ = channel.SendRequest("env", false, variable("V"+strconv.Itoa(i), strings.Repeat("x", one.size)))
		}
		_, err := channel.SendRequest("shell", true, nil)
		testkit.Equal(t, err == nil, one.isIn, one.variables, one.size, err)
		_ = client.Close()
	}
}

func TestResizesAreFollowedAndFew(t *testing.T) {
	h := startServer(t)
	p := h.sit("alice", newKey(t, 1))
	p.sees("Play someone")
	for i := range 80 {
		testkit.OK(t, p.session.WindowChange(24, 40+i))
	}
	testkit.OK(t, p.session.WindowChange(10, 30))
	p.sees("40x16")
	if redraws := strings.Count(p.sent(), "\x1b[2J"); redraws > 20 {
		t.Errorf("80 sizes at once were drawn %d times", redraws)
	}
}

// The server's own writes once reset the idle timeout, and a ticking screen kept a dead client for ever. The
// library's timer also cut the connection without restoring the terminal.
func TestAnIdlePlayerIsSentHomeFromATickingScreen(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.Idle = 1500 * time.Millisecond })
	p := h.sit("alice", newKey(t, 1))
	p.sees("Play someone")
	p.press("1") // the waiting screen has a clock
	if err := p.leaves(); err != nil {
		t.Errorf("the session ended with %v", err)
	}
	testkit.Contains(t, p.lastScreen(), "0:01")
	p.sees("You were away for a while")
	p.restored()
}

// A frozen peer answers no question, and TCP alone never notices.
func TestAClientThatAnswersNoKeepAliveIsHungUpOn(t *testing.T) {
	h := startServer(t, func(o *options) {
		o.KeepAlive = 50 * time.Millisecond
		o.Stall = time.Minute
	})
	h.mute("alice", newKey(t, 1))
	eventually(t, "the session to begin and end", func() bool {
		return strings.Contains(h.log.String(), "session ended") && h.inside() == 0
	})
	testkit.Equal(t, h.rejections.Counts.Get(limit.NoAnswer), 1, "it was not counted")
}

func TestAClientThatAnswersKeepAlivesStays(t *testing.T) {
	h := startServer(t, func(o *options) { o.KeepAlive = 500 * time.Millisecond })
	conn, channels, requests, err := gossh.NewClientConn(h.connect(), h.address, login("alice", newKey(t, 1)))
	testkit.OK(t, err)
	asked := make(chan struct{}, 100)
	answered := make(chan *gossh.Request)
	go func() {
		defer close(answered)
		for request := range requests {
			answered <- request
			asked <- struct{}{}
		}
	}()
	client := gossh.NewClient(conn, channels, answered)
	defer func() { _ = client.Close() }()
	p := newPerson(t, client, "xterm-256color", 80, 24)
	for range 3 { // the third question comes only after two answers
		<-asked
	}
	p.press("?")
	p.sees("Any key goes back")
}

// A client with -N, or a connection kept without a session, once stayed for ever.
func TestAConnectionWithoutASessionIsClosed(t *testing.T) {
	h := startServer(t, func(o *options) { o.Login, o.Start = 100*time.Millisecond, 100*time.Millisecond })
	client := h.dial("alice", newKey(t, 1))
	gone := make(chan error, 1)
	go func() { gone <- client.Wait() }()
	select {
	case <-gone:
	case <-time.After(testTimeout):
		t.Error("the connection was kept")
	}
}

// A client could once have its screen sent in packets of nine bytes, and with few keys keep a processor busy.
func TestPacketsOfAFewBytesAreRefused(t *testing.T) {
	h := startServer(t)
	client := h.unmannered("alice", newKey(t, 1))
	for _, test := range []struct {
		limit uint32
		want  byte
	}{{9, wire.MsgOpenRefused}, {terminal.MaxWrite - 1, wire.MsgOpenRefused}, {terminal.MaxWrite, wire.MsgConfirm}} {
		open := wire.Open("session", 0, 1<<20)
		binary.BigEndian.PutUint32(open[len(open)-4:], test.limit)
		testkit.OK(t, client.Send(open))
		if answer, err := client.Await(wire.MsgConfirm, wire.MsgOpenRefused); err != nil || answer[0] != test.want {
			t.Errorf("with packets of %d bytes the answer is %q, %v", test.limit, answer, err)
		}
	}
	testkit.Equal(t, h.rejections.Counts.Get(limit.SessionRefused), 2, "it was not counted")
}

func TestDrainDoesNotWaitForAChannelWithoutASession(t *testing.T) {
	h := startServer(t)
	openChannel(t, h.dial("alice", newKey(t, 1)))
	ctx, cancel := context.WithTimeout(t.Context(), limit.DefaultSettings().Start/2)
	defer cancel()
	testkit.OK(t, h.Stop(ctx))
}

// Typed input was once read at a person's pace before the server noticed the end of the session. The opponent was
// told half an hour later.
func TestAPlayerWhoGoesWithMuchTypedIsMissedAtOnce(t *testing.T) {
	h := startServer(t)
	alice, bob := h.sit("alice", newKey(t, 1)), h.sit("bob", newKey(t, 2))
	meet(alice, bob)
	alice.press(strings.Repeat("x", 100<<10))
	_ = alice.client.Close()
	bob.sees("alice is away")
}

func TestAFloodOfRequestsToTheConnectionEndsIt(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	p := newPerson(t, client, "xterm", 80, 24)
	p.sees("Play someone")
	for range 20 * maxRequests {
		if _, _, err := client.SendRequest("nonsense", true, nil); err != nil {
			break
		}
	}
	_ = client.Wait()
	p.sees("The session has ended: the client sent far too many requests.")
	testkit.Equal(t, h.rejections.Counts.Get(limit.TooManyRequests), 1, "it was not counted")
}

// A shutdown once waited for the players, then gave up with their sessions alive.
func TestDrainNotifiesEveryoneAndRestoresTheirTerminals(t *testing.T) {
	h := startServer(t)
	var people []*person
	for i := range byte(20) {
		p := h.sit(fmt.Sprint("player", i), newKey(t, i+1))
		p.sees("Play someone")
		people = append(people, p)
	}
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	testkit.OK(t, h.Stop(ctx))
	for _, p := range people {
		if err := p.leaves(); err != nil {
			t.Errorf("the session ended with %v", err)
		}
		p.sees("the server is stopping")
		p.restored()
	}
	if _, err := gossh.Dial("tcp", h.address, login("late", newKey(t, 99))); err == nil {
		t.Error("a client got in after the drain")
	}
}

func TestDrainCutsWhoDoesNotRead(t *testing.T) {
	besideOthers(t)
	var tap tap
	h := startServer(t, func(o *options) { o.wrap = tap.wrap })
	h.sit("alice", newKey(t, 1)).sees("Play someone")
	tap.shut.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := h.Stop(ctx); !errors.Is(err, errUnread) || ctx.Err() != nil {
		t.Errorf("got %v", err)
	}
}

// Sending to an ended program once waited for ever. Keys typed ahead left a goroutine and 391 KB behind with each
// session.
func TestQuittingWithKeysTypedAheadLeavesNothing(t *testing.T) {
	const atOnce, each = limit.MaxChannels / 2, 7
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
	for _, term := range []string{"xterm-256color", "tmux-256color", "linux", "vt100", "dumb", "unheard-of"} {
		p := newPerson(t, h.dial("alice", newKey(t, 1)), term, 80, 24)
		p.sees("alice")
		p.press("\x03\x03")
		_ = p.leaves()
		testkit.Equal(t, asks.FindString(p.sent()), "", term)
	}
}

// A key that was only offered once became the player.
func TestAKeyThatIsOnlyOfferedIsNoPlayer(t *testing.T) {
	h := startServer(t)
	config := login("mallory", nil)
	config.Auth = append([]gossh.AuthMethod{gossh.PublicKeys(unprovable{newKey(t, 1)})}, config.Auth...)
	client := h.client(h.connect(), config)
	newPerson(t, client, "xterm", 80, 24).sees("Play someone")
	if book := h.log.String(); !strings.Contains(book, "guest:") ||
		strings.Contains(book, gossh.FingerprintSHA256(newKey(t, 1).PublicKey())) {
		t.Errorf("the log says\n%s", book)
	}
}

// The client goes on with its plain key.
func TestACertificateIsRefused(t *testing.T) {
	h := startServer(t)
	certificate := &gossh.Certificate{
		Key: newKey(t, 1).PublicKey(), CertType: gossh.UserCert, ValidPrincipals: []string{"alice"},
		ValidBefore: gossh.CertTimeInfinity,
	}
	testkit.OK(t, certificate.SignCert(constant{}, newKey(t, 2)))
	signer, err := gossh.NewCertSigner(certificate, newKey(t, 1))
	testkit.OK(t, err)
	if _, err := gossh.Dial("tcp", h.address, login("alice", signer)); err == nil {
		t.Error("a certificate was accepted")
	}
}

// A user name with a newline or an escape once forged lines in the log and wrote to the operator's terminal.
func TestNamesCannotForgeTheLog(t *testing.T) {
	h := startServer(t)
	p := h.sit("eve\nINFO session began\x1b[2J\u202e"+strings.Repeat("x", 5000), newKey(t, 1))
	p.sees("Play someone")
	for line := range strings.Lines(h.log.String()) {
		if strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\x1b\x00\u202e") || len(line) > 1024 {
			t.Errorf("the log has the line %q", line)
		}
	}
	testkit.Equal(t, strings.Count(h.log.String(), "session began"), 1, h.log.String())
}

// A command with newlines once made log entries of eighty lines.
func TestACommandIsOneLineOfTheLog(t *testing.T) {
	h := startServer(t)
	_, _, _ = h.run("version\n\x1b[2J\n\u202e\n" + strings.Repeat("\n", 200))
	eventually(t, "the second line", func() bool { return strings.Contains(h.log.String(), "session ended") })
	if text := h.log.String(); strings.Count(text, "\n") != 2 || strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("the log says\n%s", text)
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

type constant struct{}

func (constant) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// unprovable offers a key that it cannot sign with.
type unprovable struct{ gossh.Signer }

var errNoKey = errors.New("the key is not here")

func (unprovable) Sign(io.Reader, []byte) (*gossh.Signature, error) { return nil, errNoKey }

func TestAConnectionThatGoesOnAskingIsClosed(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	client := h.dial("alice", newKey(t, 1))
	gone, asked := make(chan error, 1), make(chan struct{})
	go func() { gone <- client.Wait() }()
	go func() { // the library's client waits for ever if it asks just when the connection ends
		for range 10 * maxRefusedChannels {
			_, requests, err := client.OpenChannel("session", nil)
			var refusal *gossh.OpenChannelError
			if err != nil && !errors.As(err, &refusal) {
				return // the connection is closed
			}
			if err == nil {
				go gossh.DiscardRequests(requests)
			}
		}
		close(asked)
	}()
	select {
	case <-gone:
	case <-asked:
		t.Error("the connection was kept")
	}
}
