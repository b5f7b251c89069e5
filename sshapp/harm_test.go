package sshapp

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/internal/wire"
	"notakto/match/limit"
)

// One client alone makes each of these attacks. Two other players have a match all the while.
// Afterwards the players can go on, the attackers' sessions, connections and goroutines have ended, the server has
// kept no memory of them, and its log has no errors and no signs that a terminal would obey.
func TestNoClientDoesHarm(t *testing.T) {
	h := startServer(t, func(o *options) {
		o.Login, o.Start, o.Stall, o.Grace = 8*time.Second, 8*time.Second, 4*time.Second, time.Hour
		o.MaxSessionsPerAddress, o.MaxSessionsPerKey, o.MaxLoginRate, o.MaxMatchRate = 1000, 1000, 1<<20, 1<<20
	})
	first, second, id := h.pair()
	before := heap()
	t.Run("at once", func(t *testing.T) {
		for name, attack := range map[string]func(*testServer){
			"requests in every order":             (*testServer).asksInEveryOrder,
			"wrong packets":                       (*testServer).sendsWrongPackets,
			"packets behind the last":             (*testServer).sendsBehindTheLast,
			"thousands of channels":               (*testServer).opensChannels,
			"thousands of global requests":        (*testServer).asksTheConnection,
			"thousands of variables and sizes":    (*testServer).floodsAChannel,
			"other protocols and broken packets":  (*testServer).speaksOtherwise,
			"a packet within strict key exchange": (*testServer).exchangesBadly,
			"thousands of keys":                   (*testServer).offersKeys,
			"cuts at every step":                  (*testServer).cutsAtEveryStep,
			"names":                               (*testServer).namesItself,
			"lines of a bot":                      (*testServer).sendsBadLines,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				attack(h.in(t))
			})
		}
	})
	first.says(moveOf(id, "A1"), "move")
	second.gets("move")
	eventually(t, "the attackers to be gone", func() bool { return h.inside() == 2 && h.handshaking() == 0 })
	eventually(t, "the heap to grow by at most 8 MB", func() bool { return heap()-before <= 8<<20 })
	for line := range strings.Lines(h.log.String()) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 1024 || !isClean(line) || strings.Contains(line, "ERRO") {
			t.Errorf("the log has the line %.300q", line)
		}
	}
}

// isClean reports whether text has no sign that controls a terminal or cannot be seen.
func isClean(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Cf)
	})
}

// attacker logs in a client of the attack. Player n has a key of that number, above those of other players and below
// those of namesItself.
func (s *testServer) attacker(n int) *gossh.Client {
	return s.dial("mallory", newKey(s.t, byte(100+n%80)))
}

// asksInEveryOrder makes two requests in every order, or three of the usual eight. Every request is answered, or its
// channel closed.
func (s *testServer) asksInEveryOrder() {
	text := func(text string) string { return string(gossh.Marshal(struct{ Text string }{text})) }
	kinds := [][2]string{
		{"pty-req", string(wire.Terminal("", 80, 24))}, {"shell", ""}, {"exec", text("version")},
		{"window-change", string(wire.Size(90, 30))}, {"env", text("LANG") + text("C")}, {"subsystem", text("sftp")},
		{"auth-agent-req@openssh.com", ""}, {"signal", text("KILL")},
		{"x11-req", "\x00" + text("MIT") + text("00") + "\x00\x00\x00\x00"}, {"eow@openssh.com", ""},
		{"xon-xoff", "\x01"}, {"break", "\x00\x00\x00\xff"}, {"exit-status", "\x00\x00\x00\x00"},
		{"exec", "\xff\xff\xff\xff"}, {"pty-req", "\x00"},
		{"window-change", "\x01\x02\x03"}, {strings.Repeat("x", 1<<10), ""}, {"", ""},
	}
	var orders [][]int
	for a := range kinds {
		for b := range kinds {
			orders = append(orders, []int{a, b})
			for c := 0; c < 8 && max(a, b) < 8; c++ {
				orders = append(orders, []int{a, b, c})
			}
		}
	}
	var client *gossh.Client
	for i, order := range orders {
		if i%limit.MaxChannels == 0 { // the server may not know yet that channels are closed
			if client != nil {
				_ = client.Close()
			}
			client = s.attacker(i / limit.MaxChannels)
		}
		channel := openChannel(s.t, client)
		go func() { _, _ = io.Copy(io.Discard, channel) }()
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			for _, k := range order {
				if _, err := channel.SendRequest(kinds[k][0], true, []byte(kinds[k][1])); err != nil {
					return
				}
			}
		}()
		select {
		case <-answered:
		case <-time.After(testTimeout):
			s.t.Errorf("a request of %v is not answered", order)
		}
		_ = channel.Close()
	}
	_ = client.Close()
}

// settles sends a request that the server answers, and waits for the answer or the end of the connection. The server
// has then read all that was sent before.
func (s *testServer) settles(client *wire.Conn) {
	_ = client.SetDeadline(time.Now().Add(testTimeout))
	_ = client.Send(gossh.Marshal(struct {
		Name   string `sshtype:"80"`
		Answer bool
	}{"settled", true}))
	if _, err := client.Await(wire.MsgGlobalFailed); errors.Is(err, os.ErrDeadlineExceeded) {
		s.t.Error("the server neither answers nor closes the connection")
	}
	_ = client.Close()
}

func (s *testServer) sendsWrongPackets() {
	huge := []byte{0xff, 0xff, 0xff, 0xff}
	nine := binary.BigEndian.AppendUint32(nil, 9)
	for isPlaying, begin := range []func(*wire.Conn) (uint32, error){
		func(c *wire.Conn) (uint32, error) { return c.Session(0, 1<<20) },
		func(c *wire.Conn) (uint32, error) { return c.Play(0, 1<<20) },
	} {
		for kind := range 20 {
			client := s.unmannered("mallory", newKey(s.t, byte(100+20*isPlaying+kind)))
			channel, err := begin(client)
			testkit.OK(s.t, err)
			for _, packet := range [20][][]byte{
				{{81}, {82}, {81, 1, 2, 3}},
				{wire.About(wire.MsgDone, channel), wire.About(wire.MsgFailed, channel)},
				{wire.About(wire.MsgDone, 77), wire.Data(88, []byte("x")), wire.About(wire.MsgClose, 99)},
				{wire.Open("session", 0, 1<<20), wire.Data(channel+1, []byte("x"))},
				{wire.About(wire.MsgEOF, channel), wire.About(wire.MsgEOF, channel), wire.Data(channel, []byte("x"))},
				{wire.About(wire.MsgClose, channel), wire.About(wire.MsgClose, channel)},
				{wire.About(wire.MsgData, channel, append(huge, 'x')...)},
				{{wire.MsgData, 0}, {}},
				{wire.About(wire.MsgAdjust, channel, huge...), wire.About(wire.MsgAdjust, channel, huge...)},
				{wire.About(91, channel, make([]byte, 12)...), wire.About(92, channel, make([]byte, 12)...)},
				{wire.About(98, channel, 0, 0, 0, 50)},
				{wire.Data(channel, make([]byte, 100<<10)), wire.Data(channel, make([]byte, 200<<10))},
				{wire.About(95, channel, append(nine, nine...)...)},
				{{50}, {52}, {60}, {61}, {5}, {6}, {7}},
				{{20, 1, 2}}, {{21}}, {{30, 0, 0, 0, 1, 4}}, {{255}, {0}, {127}}, {{1}}, {{2}, {3}, {4}},
			}[kind] {
				_ = client.Send(packet)
			}
			s.settles(client)
		}
	}
}

// sendsBehindTheLast sends a packet that ends the connection, and then others. The SSH library used to read them, and
// to block for ever when it passed them on.
func (s *testServer) sendsBehindTheLast() {
	for range 5 {
		for _, kind := range []struct {
			client     *wire.Conn
			last, more []byte
		}{
			{s.unmannered("mallory", newKey(s.t, 100)), []byte{199}, wire.Data(77, make([]byte, 64))},
			{s.keyed(), wire.Service("ssh-connection"), []byte{199}},
			{s.keyed(), []byte{199}, make([]byte, 64)},
		} {
			_ = kind.client.Send(kind.last)
			for range 500 {
				_ = kind.client.Send(kind.more)
			}
			s.closes(kind.client, "a connection that should have ended")
		}
	}
}

// closes waits until the server closes a connection.
func (s *testServer) closes(conn net.Conn, what string) {
	s.t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(testTimeout))
	if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
		s.t.Errorf("%s is kept", what)
	}
	_ = conn.Close()
}

func (s *testServer) opensChannels() {
	for k, kinds := range [][]string{
		{"session"}, {"direct-tcpip", "x11", "auth-agent@openssh.com"}, {"session", "forwarded-tcpip", "x11"},
	} {
		client := s.unmannered("mallory", newKey(s.t, byte(100+k)))
		opened := make(chan int)
		go func() {
			n := 0
			for packet, err := client.Next(); err == nil; packet, err = client.Next() {
				if packet[0] == wire.MsgConfirm {
					n++
				}
			}
			opened <- n
		}()
		var err error
		for i := uint32(0); i < 10_000 && err == nil; i++ {
			err = client.Send(wire.Open(kinds[int(i)%len(kinds)], i, 1<<20))
		}
		if n := <-opened; n > limit.MaxChannels || n > 0 && !slices.Contains(kinds, "session") {
			s.t.Errorf("%v: %d channels are open at once", kinds, n)
		}
	}
}

// asksTheConnection makes requests, and sends other messages that the server answers outside a channel. The server may
// answer them all or close the connection.
func (s *testServer) asksTheConnection() {
	request := func(name string, answer bool) []byte {
		return gossh.Marshal(struct {
			Name   string `sshtype:"80"`
			Answer bool
		}{name, answer})
	}
	for k, packet := range [][]byte{
		request("tcpip-forward", true), request("keepalive@openssh.com", false),
		request(strings.Repeat("x", 200<<10), false),
		gossh.Marshal(struct {
			Text string `sshtype:"192"` // ping@openssh.com
		}{strings.Repeat("x", 1000)}),
		{199}, wire.Query("alice", gossh.KeyAlgoED25519, newKey(s.t, 1).PublicKey().Marshal()),
	} {
		client := s.unmannered("mallory", newKey(s.t, byte(100+k)))
		read := make(chan struct{})
		go func() {
			defer close(read)
			_, _ = io.Copy(io.Discard, client)
		}()
		_ = client.SetWriteDeadline(time.Now().Add(time.Second)) // the server may slow the client down for much longer
		var err error
		for i := 0; i < 2_000 && err == nil; i++ {
			err = client.Send(packet)
		}
		_ = client.Close()
		<-read
	}
}

// floodsAChannel makes one kind of request without a pause: before, in and at the end of a game. The server disconnects
// the client, unless the game ends first.
func (s *testServer) floodsAChannel() {
	variables := func(size int) func(int) []byte {
		return func(i int) []byte {
			return variable([]string{"LANG", "LC_ALL", fmt.Sprint("X", i)}[i%3], strings.Repeat("x", size))
		}
	}
	sizes := func(i int) []byte { return wire.Size(uint32(i)*1000, 30) }
	for k, flood := range []struct {
		hasTerminal, isPlaying bool
		kind, typed            string
		payload                func(int) []byte
	}{
		{false, false, "env", "", variables(200 << 10)}, {true, true, "env", "", variables(16)},
		{true, false, "window-change", "", sizes}, {true, true, "window-change", "\x03\x03qq", sizes},
	} {
		client := s.attacker(k)
		channel := openChannel(s.t, client)
		go func() { _, _ = io.Copy(io.Discard, channel) }()
		if flood.hasTerminal {
			_, _ = channel.SendRequest("pty-req", true, wire.Terminal("xterm", math.MaxUint32, 0))
		}
		if flood.isPlaying {
			_, _ = channel.SendRequest("shell", true, nil)
		}
		_, _ = io.WriteString(channel, flood.typed)
		var err error
		for i := 0; i < 10_000 && err == nil; i++ {
			_, err = channel.SendRequest(flood.kind, false, flood.payload(i))
		}
		if flood.typed == "" {
			_ = client.Wait()
		}
		_ = client.Close()
	}
}

func (s *testServer) speaksOtherwise() {
	const ssh = "SSH-2.0-x\r\n"
	var clients sync.WaitGroup
	for name, first := range map[string]string{
		"TLS": "", "HTTP": "GET / HTTP/1.1\r\nHost: notakto\r\n\r\n", "SSH 1": "SSH-1.5-old\r\n",
		"zeros": strings.Repeat("\x00", 64<<10), "endless": strings.Repeat("S", 1<<20),
		"lines": strings.Repeat("hello\r\n", 10_000), "a huge packet": ssh + "\xff\xff\xff\xff\x04",
		"no packet": ssh + "\x00\x00\x00\x00\x00", "the largest packet": ssh + "\x00\x03\xff\xf0\x04",
		"junk": ssh + strings.Repeat("\x00\x00\x00\x0c\x0a\x14junkjunk12", 2000),
	} {
		conn := s.connect()
		_ = conn.SetDeadline(time.Now().Add(testTimeout))
		clients.Go(func() { // some wait for the end of the time for a login
			if name == "TLS" {
				_ = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(s.t.Context())
			} else {
				_, _ = io.WriteString(conn, first)
			}
			s.closes(conn, name)
		})
	}
	clients.Wait()
}

func (s *testServer) exchangesBadly() {
	client, err := wire.Dial(s.t.Context(), nil, s.address, 0)
	testkit.OK(s.t, err)
	_ = client.SetDeadline(time.Now().Add(testTimeout))
	testkit.OK(s.t, errors.Join(client.Greet(), client.Propose(wire.Usual())))
	theirs, err := client.Await(20) // KEXINIT
	testkit.OK(s.t, err)
	_ = client.Send([]byte{2, 0, 0, 0, 0})
	if client.Agree(theirs) == nil && client.Service() == nil {
		s.t.Error("a packet in between is accepted")
	}
	_ = client.Close()
}

// offersKeys offers keys that would cost much, one a connection, and then thousands of small ones on one connection.
func (s *testServer) offersKeys() {
	costly := wire.CostlyKeys()
	costly[gossh.KeyAlgoECDSA256] = gossh.Marshal(struct{ Name, Curve, Point string }{
		gossh.KeyAlgoECDSA256, "nistp256", "x",
	})
	for algorithm, blob := range costly {
		client := s.keyed()
		_ = client.SetDeadline(time.Now().Add(testTimeout))
		testkit.OK(s.t, client.Service())
		const keyOK = 60
		if client.Send(wire.Query("mallory", algorithm, blob)) == nil {
			if packet, err := client.Await(keyOK, 51); err == nil && packet[0] == keyOK {
				s.t.Errorf("a bad key for %s is accepted", algorithm)
			}
		}
		_ = client.Close()
	}
	client := s.keyed()
	testkit.OK(s.t, client.Service())
	asked := 0
	for offer := func() error {
		return client.Probe("mallory", gossh.KeyAlgoED25519, newKey(s.t, byte(asked)).PublicKey().Marshal())
	}; asked <= 128 && offer() == nil; asked++ {
	}
	if asked > 128 {
		s.t.Errorf("%d keys can be offered on one connection", asked)
	}
	_ = client.Close()
}

// cutsAtEveryStep closes a connection after each step from the first byte into a game, with and without a TCP reset.
func (s *testServer) cutsAtEveryStep() {
	var client *wire.Conn
	var channel uint32
	write := func(text string) func() error {
		return func() error { _, err := io.WriteString(client, text); return err }
	}
	ask := func(kind string, payload []byte) func() error {
		return func() error { return client.Send(wire.Request(channel, kind, true, payload)) }
	}
	key := newKey(s.t, 100)
	begin := []func() error{write("SSH-2.0-"), write("x\r\n"), write("\x00\x00\x01")}
	further := []func() error{
		func() error { return client.Greet() }, func() error { return client.Exchange() },
		func() error { return client.Service() },
		func() error {
			return client.Send(wire.Query("mallory", gossh.KeyAlgoED25519, key.PublicKey().Marshal()))
		},
	}
	into := []func() error{
		func() error { return errors.Join(client.Greet(), client.Exchange(), client.Login("mallory", key)) },
		func() (err error) { channel, err = client.Session(0, 1<<20); return err },
		ask("pty-req", wire.Terminal("xterm", 80, 24)), ask("shell", nil),
		func() error { _, err := client.Await(wire.MsgData); return err },
	}
	for _, keys := range []string{"\r", "2\r", "5379", "\x1b[200~abc", "?q"} {
		into = append(into, func() error { return client.Send(wire.Data(channel, []byte(keys))) })
	}
	for _, way := range [][]func() error{begin, further, into} {
		for n := range 2 * (len(way) + 1) {
			var err error
			client, err = wire.Dial(s.t.Context(), nil, s.address, 0)
			testkit.OK(s.t, err)
			for _, step := range way[:n/2] {
				testkit.OK(s.t, step())
			}
			if n%2 == 0 {
				_ = client.Conn.(*net.TCPConn).SetLinger(0)
			}
			_ = client.Close()
		}
	}
}

// hostileParts returns parts of names that no other player's screen and no log may have: control sequences, such as for
// the title and the clipboard, invisible signs, another direction of text, and a false line of the log.
func hostileParts() []string {
	return []string{"\x1b]0;owned", "\x1b]52;c;", "\x1b[6n", "\u202e", "\u200b", "\x00", "\u009b", "owned\nlevel"}
}

// namesItself logs in under names that a terminal would obey, that cannot be seen, or that read like words of the
// server; sshapp/names has more of them. A bot and a person at the table see at most 16 clean signs of another name.
func (s *testServer) namesItself() {
	names := append(hostileParts(), "", strings.Repeat("a", 20<<10), strings.Repeat("\U0001f600", 50), "\xff\xfe\xc3",
		"\r\n\r\n", strings.Repeat("e\u0301", 500), "\ufeff\ufeff", "your turn", "level=error msg=panic", "K7QX",
		"admin1")
	guest := s.bot("guest", 99)
	for i, name := range names {
		client := s.dial(name, newKey(s.t, byte(180+i)))
		host := verbs{newTalk(s.t, client, "bot")}
		host.gets("welcome")
		code := host.says(`{"do":"create","variant":"notakto/2"}`, "table").Code
		begun := guest.says(fmt.Sprintf(`{"do":"join","code":%q}`, code), "match")
		shown := begun.Players[2-begun.Seat].Name
		if shown == "" || !isClean(shown) || utf8.RuneCountInString(shown) > 16 || shown == name {
			s.t.Errorf("the name %.40q is shown as %q", name, shown)
		}
		host.gets("match")
		code = host.says(`{"do":"create","variant":"notakto/2"}`, "table").Code
		watcher := s.dial("mallory", newKey(s.t, byte(210+i)))
		p := newPersonAt(s.t, watcher, "join "+code)
		p.sees("(you)")
		for _, part := range hostileParts() {
			if strings.Contains(p.sent(), part) {
				s.t.Errorf("%q is sent to the opponent of %.40q", part, name)
			}
		}
		guest.says(fmt.Sprintf(`{"do":"resign","match":%q}`, begun.Match), "end")
		_, _ = client.Close(), watcher.Close()
	}
	_ = guest.in.(io.Closer).Close()
}

// sendsBadLines sends what is no line of the bot protocol, or too much of it.
func (s *testServer) sendsBadLines() {
	var bots sync.WaitGroup
	for i, text := range []string{
		strings.Repeat("x", 1<<20), strings.Repeat(strings.Repeat("[", 4000)+"\n", 50),
		strings.Repeat(strings.Repeat(`{"do":`, 600)+"\n", 50), strings.Repeat("\n", 10_000),
		strings.Repeat(`{"do":"seek","variant":"notakto/`+strings.Repeat("9", 3000)+`"}`+"\n", 100),
		strings.Repeat(`{"do":"move","match":"../../\u001b[2J","move":"A1"}`+"\n", 1000),
	} {
		client := s.attacker(i)
		session, err := client.NewSession()
		testkit.OK(s.t, err)
		session.Stdin = strings.NewReader(text)
		bots.Go(func() {
			_, _ = session.Output("bot")
			_ = client.Close()
		})
	}
	bots.Wait()
}
