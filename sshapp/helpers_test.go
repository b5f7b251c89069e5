package sshapp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"charm.land/log/v2"
	"github.com/charmbracelet/x/vt"
	"go.uber.org/goleak"
	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/logbuffer"
	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/names"
)

// Limits of package limit.
const (
	fewPreauthConns = 4  // connections of one address without a session, too few for a crowd
	linesBurst      = 10 // of the log, about one address
)

// run runs a command without a terminal, or a shell for "", with typed as its input.
func (s *testServer) run(command string, typed ...string) (stdout, stderr string, status int) {
	s.t.Helper()
	return runOn(s.t, s.dial("alice", newKey(s.t, 1)), command, typed...)
}

// as runs a command of a client with a key, or of a guest if key is nil, until the end of its session.
func (s *testServer) as(key gossh.Signer, line string) (stdout, stderr string, status int) {
	s.t.Helper()
	client, before := s.dial("alice", key), s.admission.Sessions()
	defer eventually(s.t, "the end of the session", func() bool { return s.admission.Sessions() <= before })
	defer func() { _ = client.Close() }()
	return runOn(s.t, client, line)
}

// runOn is run on a connection of a client.
func runOn(
	t testing.TB, client *gossh.Client, command string, typed ...string,
) (stdout, stderr string, status int) {
	t.Helper()
	session, err := client.NewSession()
	testkit.OK(t, err)
	var out, errs bytes.Buffer
	session.Stdout, session.Stderr = &out, &errs
	in, err := session.StdinPipe()
	testkit.OK(t, err)
	start := session.Shell
	if command != "" {
		start = func() error { return session.Start(command) }
	}
	testkit.OK(t, start())
	_, _ = io.WriteString(in, strings.Join(typed, "")) // some commands end before they have read their input
	_ = in.Close()
	var exit *gossh.ExitError
	if err := session.Wait(); errors.As(err, &exit) {
		status = exit.ExitStatus()
	} else if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return out.String(), errs.String(), status
}

// testTimeout limits the wait for something that takes no time on an idle machine.
const testTimeout = 20 * time.Second

type testServer struct {
	*Server
	t       testing.TB
	address string
	log     *logbuffer.Text
	sources *limit.SourceTracker
}

type options struct {
	limit.Settings
	manager.Config
	wrap          func(net.Listener) net.Listener
	accounts      *account.Accounts
	history       *store.History
	progress      *store.Progress
	admins        *admin.Keys
	registry      match.Registry // passes administrators' orders
	node          string
	data          *admin.Data
	publicAddress string
	nextHostKey   gossh.Signer
	notifyURL     string
	spoil         func(*Server) // puts a fault into the server before it serves
}

// endSoon ignores goroutines of libraries that end by themselves.
func endSoon() []goleak.Option {
	return []goleak.Option{
		goleak.IgnoreAnyFunction("golang.org/x/crypto/ssh.(*mux).openChannel"),
		// Bubble Tea waits half a second for a reader of the terminal that it does not have.
		goleak.IgnoreAnyFunction("charm.land/bubbletea/v2.(*Program).waitForReadLoop"),
		goleak.IgnoreAnyFunction("charm.land/bubbletea/v2.(*Program).execBatchMsg"),
	}
}

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "12"); err != nil { // parallel tests mostly wait
		panic(err)
	}
	goleak.VerifyTestMain(m, endSoon()...)
}

// testsBeside has the names of tests that run beside others.
var testsBeside sync.Map

// besideOthers makes a test parallel that mostly waits. The leaks of parallel tests are found at the end of all
// tests.
func besideOthers(t *testing.T) {
	testsBeside.Store(t.Name(), true)
	t.Parallel()
}

// topTest returns the name of a test without its subtest.
func topTest(t testing.TB) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}

// startServer starts a server on a free port of the loopback address. When the test ends, the server is closed, and
// no goroutine of it may be left.
func startServer(t testing.TB, change ...func(*options)) *testServer {
	t.Helper()
	before := goleak.IgnoreCurrent()
	o := options{Settings: limit.DefaultSettings(), Config: manager.Config{Seed: 1},
		wrap: func(l net.Listener) net.Listener {
			return l
		}, spoil: func(*Server) {}}
	o.MaxInputRate = 64 << 20 // lets floods reach the code under test
	for _, c := range change {
		c(&o)
	}
	addresses, book := new(limit.SourceTracker), new(logbuffer.Text)
	o.OnLimit, o.OnGuestResumed = addresses.CountRejection, addresses.GuestResumed
	if o.accounts == nil {
		o.accounts = temporaryAccounts(addresses.Networks)
	}
	o.DisambiguateName = names.NewNamer(o.accounts.ClaimedName, o.accounts.ClaimedBy)
	o.Networks, o.MaxSeats = addresses.Networks, limit.SeatsPerSession*o.MaxSessionsPerAddress
	o.FirstMove, o.LaterMove = cmp.Or(o.FirstMove, time.Hour), cmp.Or(o.LaterMove, time.Hour)
	manager := manager.New(o.Config)
	server, err := New(Config{
		Settings: o.Settings, Sources: addresses, HostKey: newKey(t, 0), NextHostKey: o.nextHostKey,
		Manager: manager, Accounts: o.accounts,
		History: o.history, Progress: o.progress, Admins: o.admins, Registry: o.registry, Node: o.node,
		Data: o.data, Log: slog.New(log.New(book)),
		Version: player.Version{Version: "test"}, PublicAddress: o.publicAddress, NotifyURL: o.notifyURL,
	})
	testkit.OK(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	o.spoil(server)
	served := make(chan error, 1)
	go func() { served <- server.Serve(o.wrap(listener)) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
		defer cancel()
		_ = server.Stop(ctx)
		manager.Close()
		testkit.OK(t, <-served)
		if _, isBeside := testsBeside.Load(topTest(t)); !isBeside {
			eventually(t, "the last goroutine to end",
				func() bool { return goleak.Find(append(endSoon(), before)...) == nil })
		}
	})
	return &testServer{Server: server, t: t, address: listener.Addr().String(), log: book, sources: addresses}
}

// in returns the server for a subtest t. Clients fail t, and end with t.
func (s *testServer) in(t *testing.T) *testServer {
	here := *s
	here.t = t
	return &here
}

// player returns the player of a login with a key of newKey.
func (s *testServer) player(key byte, user string) match.Player {
	s.t.Helper()
	return s.identify(newKey(s.t, key).PublicKey(), nil, user).Player
}

// friend seats fay at a private table, and returns the seat and the code of the table.
func (s *testServer) friend() (*manager.Seat, string) {
	s.t.Helper()
	fay := match.Player{ID: "friend", Name: "fay"}
	id, code, err := s.manager.OpenPrivate(s.t.Context(), fay, match.DefaultTerms())
	testkit.OK(s.t, err)
	seat, err := s.manager.Sit(s.t.Context(), id, fay.ID)
	testkit.OK(s.t, err)
	s.t.Cleanup(seat.Close)
	return seat, string(code)
}

// claims claims a name for a key of newKey.
func (s *testServer) claims(key byte, name string) {
	s.t.Helper()
	id := s.accounts.Key(gossh.FingerprintSHA256(newKey(s.t, key).PublicKey()))
	testkit.OK(s.t, s.accounts.Claim(s.t.Context(), account.Caller{Account: s.accounts.Account(id), Key: id}, name))
}

// newKey returns the key of a number, equal in every run.
func newKey(t testing.TB, number byte) gossh.Signer {
	t.Helper()
	seed := bytes.Repeat([]byte{number}, ed25519.SeedSize)
	signer, err := gossh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	testkit.OK(t, err)
	return signer
}

// login returns a client's configuration. A nil key means a guest.
func login(user string, key gossh.Signer) *gossh.ClientConfig {
	noQuestions := func(string, string, []string, []bool) ([]string, error) { return nil, nil }
	config := &gossh.ClientConfig{
		User:            user,
		HostKeyCallback: gossh.InsecureIgnoreHostKey(),
		Auth:            []gossh.AuthMethod{gossh.KeyboardInteractive(noQuestions)},
		Timeout:         testTimeout,
	}
	if key != nil {
		config.Auth = []gossh.AuthMethod{gossh.PublicKeys(key)}
	}
	return config
}

// dial connects a client until the test ends.
func (s *testServer) dial(user string, key gossh.Signer) *gossh.Client {
	s.t.Helper()
	return s.client(s.connect(), login(user, key))
}

// client logs in on a connection until the test ends.
func (s *testServer) client(conn net.Conn, config *gossh.ClientConfig) *gossh.Client {
	s.t.Helper()
	logged, channels, requests, err := gossh.NewClientConn(conn, s.address, config)
	testkit.OK(s.t, err)
	client := gossh.NewClient(logged, channels, requests)
	s.t.Cleanup(func() { _ = client.Close() })
	return client
}

// fails returns the error of a login, or nil.
func (s *testServer) fails(config *gossh.ClientConfig) error {
	client, err := gossh.Dial("tcp", s.address, config)
	if err == nil {
		_ = client.Close()
	}
	return err
}

func (s *testServer) connect() net.Conn {
	s.t.Helper()
	return s.connectBy(&net.Dialer{Timeout: testTimeout})
}

// connectBy opens a connection until the test ends.
func (s *testServer) connectBy(dialer *net.Dialer) net.Conn {
	s.t.Helper()
	conn, err := dialer.Dial("tcp", s.address)
	testkit.OK(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// person is a player at a terminal.
type person struct {
	t       testing.TB
	client  *gossh.Client
	session *gossh.Session
	keys    io.WriteCloser
	ended   chan error // the session's end

	mu       sync.Mutex
	changed  *sync.Cond
	terminal *vt.Emulator
	raw      bytes.Buffer
}

// sit opens the game on a terminal of 80 by 24.
func (s *testServer) sit(user string, key gossh.Signer) *person {
	s.t.Helper()
	return newPerson(s.t, s.dial(user, key), "xterm-256color", 80, 24)
}

// inLobby opens the game for a key of newKey, and waits for the lobby.
func (s *testServer) inLobby(user string, key byte) *person {
	s.t.Helper()
	p := s.sit(user, newKey(s.t, key))
	p.sees("Play someone")
	return p
}

func newPerson(t testing.TB, client *gossh.Client, term string, columns, rows int) *person {
	t.Helper()
	return begin(t, client, term, columns, rows, "")
}

// newPersonAt returns a player at a terminal with a command.
func newPersonAt(t testing.TB, client *gossh.Client, command string) *person {
	t.Helper()
	return begin(t, client, "xterm-256color", 80, 24, command)
}

// begin opens a session with variables of the client's environment, each as a name and a value.
func begin(
	t testing.TB, client *gossh.Client, term string, columns, rows int, command string, env ...[2]string,
) *person {
	t.Helper()
	session, err := client.NewSession()
	testkit.OK(t, err)
	p := &person{
		t: t, client: client, session: session, ended: make(chan error, 1),
		terminal: vt.NewEmulator(min(columns, 300), min(rows, 100)),
	}
	p.changed = sync.NewCond(&p.mu)
	p.keys, err = session.StdinPipe()
	testkit.OK(t, err)
	session.Stdout = p
	for _, variable := range env {
		testkit.OK(t, session.Setenv(variable[0], variable[1]))
	}
	testkit.OK(t, session.RequestPty(term, rows, columns, gossh.TerminalModes{}))
	start := session.Shell
	if command != "" {
		start = func() error { return session.Start(command) }
	}
	testkit.OK(t, start())
	go func() { p.ended <- session.Wait() }()
	return p
}

// Write shows the server's output on the person's terminal.
func (p *person) Write(bytes []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.changed.Broadcast()
	p.raw.Write(bytes)
	return p.terminal.Write(bytes)
}

func (p *person) press(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.keys, keys); err != nil {
		p.t.Fatalf("type %q: %v", keys, err)
	}
}

// isThere opens the help, which shows that the session goes on.
func (p *person) isThere() {
	p.t.Helper()
	p.press("?")
	p.sees("Any key goes back")
}

// sees waits until every text is on the screen.
func (p *person) sees(texts ...string) {
	p.t.Helper()
	p.waits(strings.Join(texts, " and "), func() bool {
		screen := p.terminal.String()
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// places types a move, repeatedly until the screen has it, because new boards ignore moves.
func (p *person) places(move string) {
	p.t.Helper()
	var again time.Time
	eventually(p.t, move+" to be placed", func() bool {
		if screen := p.screen(); strings.Contains(screen, move) || strings.Contains(screen, " killed the last board") {
			return true
		}
		if time.Now().After(again) {
			p.press(move)
			again = time.Now().Add(400 * time.Millisecond)
		}
		return false
	})
}

// waits waits until done is true of the terminal.
func (p *person) waits(what string, done func() bool) {
	p.t.Helper()
	late := time.AfterFunc(testTimeout, p.changed.Broadcast)
	defer late.Stop()
	deadline := time.Now().Add(testTimeout)
	p.mu.Lock()
	defer p.mu.Unlock()
	for !done() {
		if !time.Now().Before(deadline) {
			p.t.Fatalf("waited in vain for %s; the screen is\n%s", what, p.terminal.String())
		}
		p.changed.Wait()
	}
}

// leaves waits for the end of the session and returns its error.
func (p *person) leaves() error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(testTimeout):
		p.t.Fatalf("the session did not end; the screen is\n%s", p.screen())
		return nil
	}
}

func (p *person) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.terminal.String()
}

// lastScreen returns the full screen before the end of the session, even if it was shown only briefly.
func (p *person) lastScreen() string {
	p.t.Helper()
	const cleared = "\x1b[H\x1b[J"
	sent := p.sent()
	end := strings.LastIndex(sent, cleared)
	if end < 0 {
		p.t.Fatalf("no screen was cleared in %q", sent)
	}
	terminal := vt.NewEmulator(80, 24)
	_, _ = terminal.WriteString(sent[:end])
	return terminal.String()
}

// sent returns every byte that the server has sent.
func (p *person) sent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.raw.String()
}

// eventually polls until done is true.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	deadline := time.After(testTimeout)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// inside returns the number of sessions in the server.
func (s *testServer) inside() int {
	return len(s.admission.Players())
}

// variable returns the payload of a request that sets an environment variable.
func variable(name, value string) []byte {
	return gossh.Marshal(struct{ Name, Value string }{name, value})
}
