package sshapp

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/match/limit"
)

// Who logged in from many addresses and asked for no session was not counted.
func TestConnectionsWithoutASessionPushOutEachOther(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins = fewPreauthConns + 1 })
	player := h.sit("alice", newKey(t, 1)) // the oldest
	player.sees("Play someone")
	left := h.dial("bob", newKey(t, 2))
	channel, requests, err := left.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	go gossh.DiscardRequests(requests)
	if h.handshaking() != 0 {
		t.Errorf("%d are counted who have a session", h.handshaking())
	}
	_ = channel.Close()
	eventually(t, "the session to end", func() bool { return h.handshaking() == 1 })
	for range fewPreauthConns + 1 {
		h.dial("mallory", newKey(t, 3))
	}
	if err := left.Wait(); err == nil || h.rejections.Counts.Get(limit.CrowdedOut) != 1 {
		t.Errorf("%v, %d had to go", err, h.rejections.Counts.Get(limit.CrowdedOut))
	}
	player.press("?")
	player.sees("Any key goes back")
}

// A server that could accept no connection said nothing of it.
func TestAServerThatCannotAcceptSaysSo(t *testing.T) {
	h := startServer(t, func(o *options) {
		o.wrap = func(l net.Listener) net.Listener { return &exhausted{Listener: l} }
	})
	h.dial("alice", newKey(t, 1))
	if n := strings.Count(h.log.String(), "cannot accept connections"); n != 1 {
		t.Errorf("it is said %d times in\n%s", n, h.log.String())
	}
}

// exhausted fails three times as if there were no descriptors left.
type exhausted struct {
	net.Listener
	failed atomic.Int32
}

func (e *exhausted) Accept() (net.Conn, error) {
	if e.failed.Add(1) <= 3 {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept", syscall.EMFILE)}
	}
	return e.Listener.Accept()
}

// Many were accepted before the first of them had been counted: for a moment there were more than descriptors.
func TestNoConnectionIsAcceptedBeforeThereIsASlot(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins, o.MaxSessions, o.MaxWaiting = fewPreauthConns+1, 1, 1 })
	h.slots.SetLimit(1) // for the next connection
	h.dial("alice", newKey(t, 1))
	second := make(chan error, 1)
	go func() {
		client, err := gossh.Dial("tcp", h.address, login("bob", newKey(t, 2)))
		if err == nil {
			_ = client.Close()
		}
		second <- err
	}()
	select {
	case err := <-second:
		t.Fatalf("there was no place, and yet %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	h.slots.SetLimit(9)
	if err := <-second; err != nil {
		t.Error(err)
	}
	// alice's, and the next one's
	eventually(t, "bob's place to be given back", func() bool { return h.slots.Used() <= 2 })
}

// crowd opens silent connections from addresses of the loopback network, and goes on opening them until stop is called.
func (s *testServer) crowd(number, addresses int) (stop func()) {
	s.t.Helper()
	done, busy := make(chan struct{}), new(sync.WaitGroup)
	var mu sync.Mutex
	var open []net.Conn
	first := make(chan struct{}, number)
	for worker := range 8 {
		busy.Go(func() {
			for i := worker; ; i += 8 {
				select {
				case <-done:
					return
				default:
				}
				from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i%addresses))}}
				conn, err := from.Dial("tcp", s.address)
				if err == nil {
					mu.Lock()
					if open = append(open, conn); len(open) > 2*number { // or descriptors run out
						_ = open[0].Close()
						open = open[1:]
					}
					mu.Unlock()
				}
				select {
				case first <- struct{}{}:
				default:
				}
			}
		})
	}
	for range number {
		<-first
	}
	return func() {
		close(done)
		busy.Wait()
		for _, conn := range open {
			_ = conn.Close()
		}
	}
}

// Nothing before the login was bounded, and a plain cap locked every player out: 40 of 40 honest logins failed under a
// flood of silent connections.
func TestHalfOpenConnectionsLockNoPlayerOut(t *testing.T) {
	besideOthers(t)
	for _, addresses := range []int{1, 50} {
		t.Run(fmt.Sprint(addresses), func(t *testing.T) {
			h := startServer(t)
			stop := h.crowd(600, addresses) // and more during the logins: a cap would have been full long before
			defer stop()
			for i := range 8 {
				client, err := gossh.Dial("tcp", h.address, login("alice", newKey(t, byte(i))))
				if err != nil {
					t.Fatalf("login %d: %v", i, err)
				}
				_ = client.Close()
			}
			if limit := limit.DefaultSettings().MaxLogins; h.handshaking() > limit {
				t.Errorf("%d connections that have not logged in are kept, the limit is %d", h.handshaking(), limit)
			}
			if h.rejections.Counts.Get(limit.CrowdedOut) == 0 {
				t.Error("no connection was evicted")
			}
		})
	}
}

func (s *testServer) handshaking() int {
	return len(s.preauth.Conns())
}

// A flood of refusals filled the disk with lines about it.
func TestAFloodIsCountedAndNotLogged(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins = 4 })
	const flood = 300
	for range flood {
		h.connect()
	}
	eventually(t, "the others to go", func() bool { return h.rejections.Counts.Get(limit.CrowdedOut) == flood-4 })
	if lines := strings.Count(h.log.String(), "turned away"); lines < 1 || lines > linesBurst+1 {
		t.Errorf("the log has %d lines about it", lines)
	}
	h.rejections.Report()
	h.rejections.Report() // nothing new
	if got := strings.Count(h.log.String(), fmt.Sprintf("crowded-out=%d", flood-4)); got != 1 {
		t.Errorf("the sum is told %d times in\n%s", got, h.log.String())
	}
}

func TestAnEvictedClientGetsTheReason(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins = fewPreauthConns + 1 })
	var received *bufio.Reader
	for range fewPreauthConns + 1 {
		each := bufio.NewReader(h.connect())
		if banner, err := each.ReadString('\n'); !strings.HasPrefix(banner, "SSH-2.0-") {
			t.Fatal(banner, err)
		}
		received = cmp.Or(received, each) // the oldest
	}
	h.dial("alice", newKey(t, 1))
	if rest, _ := io.ReadAll(received); !strings.Contains(string(rest), errCrowded.Error()) {
		t.Errorf("it was told %q", rest)
	}
}

// An address that asks for login after login costs no more than its rate; no client there is kept out for longer than
// the wait, and an ordinary client reads why.
func TestAnAddressWithTooManyLoginsWaitsAndGetsTheReason(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress, o.MaxLoginRate = 3, 10 })
	began := time.Now()
	for range 8 {
		h.dial("alice", newKey(t, 1))
	}
	if took := time.Since(began); took < 400*time.Millisecond {
		t.Errorf("8 logins took %v", took)
	}
	h.reserveLogins(3 + int((maxLoginWait+testTimeout)/time.Second)*10) // however long the next one takes to come
	_, err := gossh.Dial("tcp", h.address, login("alice", newKey(t, 1)))
	if err == nil || !strings.Contains(err.Error(), errLoginsFull.Error()) {
		t.Errorf("got %v", err)
	}
	if h.rejections.Counts.Get(limit.TooManyLogins) != 1 {
		t.Errorf("%d were counted", h.rejections.Counts.Get(limit.TooManyLogins))
	}
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}} // another address has limits of its own
	h.client(h.connectBy(from), login("bob", newKey(t, 2)))
}

// With five seconds for a login or less, each client that waited for the turn was hung up on before it came, without
// a reason.
func TestTheWaitForTheTurnLeavesTimeToLogIn(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress, o.MaxLoginRate, o.Login = 1, 1, 3*time.Second })
	h.reserveLogins(2)
	_, err := gossh.Dial("tcp", h.address, login("alice", newKey(t, 1))) // its turn is in two seconds
	if err == nil || !strings.Contains(err.Error(), errLoginsFull.Error()) {
		t.Errorf("got %v", err)
	}
}

// reserveLogins takes turns to log in from the address of the tests.
func (s *testServer) reserveLogins(n int) {
	for range n {
		s.addressLimits.ReserveLogin(limit.AddressOf(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}), time.Hour)
	}
}

// One who only connects has asked for nothing yet.
func TestSilentConnectionsCostTheirAddressNoLogins(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress, o.MaxLoginRate = 3, 1 })
	for range 50 {
		h.connect()
	}
	for range 3 {
		h.dial("alice", newKey(t, 1))
	}
	if n := h.rejections.Counts.Get(limit.TooManyLogins); n != 0 {
		t.Errorf("%d were turned away", n)
	}
}

// Each connection that sent a byte took a turn from everybody at its address: at 300 of them a second none of 33 logins
// there succeeded.
func TestTalkersAtTheirAddressLockNoPlayerOut(t *testing.T) {
	const logins, each = 40, 20
	for _, said := range []string{"S", "SSH-2.0-talker\r\n"} {
		t.Run(fmt.Sprintf("%q", said), func(t *testing.T) {
			h := startServer(t)
			for i := range logins {
				for range each {
					if _, err := io.WriteString(h.connect(), said); err != nil {
						t.Fatal(err)
					}
				}
				client, err := gossh.Dial("tcp", h.address, login("alice", newKey(t, byte(i))))
				if err != nil {
					t.Fatalf("login %d: %v", i, err)
				}
				_ = client.Close()
			}
			if n := h.rejections.Counts.Get(limit.TooManyLogins); n > 0 {
				t.Errorf("%d were turned away", n)
			}
		})
	}
}

// A client that exchanges keys, and waits for its turn to, was pushed out by those that were told that there are too
// many.
func TestWhoWaitsForTheTurnOutlastsTalkers(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) {
		o.MaxLogins, o.MaxSessionsPerAddress, o.MaxLoginRate = 2*fewPreauthConns, 1, 1
	})
	h.dial("alice", newKey(t, 1)) // there is no second turn at once
	in := make(chan error, 1)
	go func() {
		client, err := gossh.Dial("tcp", h.address, login("bob", newKey(t, 2)))
		if err == nil {
			err = client.Close()
		}
		in <- err
	}()
	eventually(t, "the second to wait", func() bool { return h.exchanging() == 2 })
	for range 50 {
		_, _ = io.WriteString(h.connect(), "S")
	}
	if err := <-in; err != nil {
		t.Error(err)
	}
}

// exchanging is how many without a session have come as far as the exchange of keys.
func (s *testServer) exchanging() (n int) {
	for _, c := range s.preauth.Conns() {
		if c.Step() == limit.Exchanging {
			n++
		}
	}
	return n
}

// Garbage, HTTP and TLS on the port end at once, and one that says nothing or something every second ends with the time
// of a login.
func TestWhatIsNoSSHIsHungUpOn(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.Login = 300 * time.Millisecond })
	for name, first := range map[string]string{
		"HTTP":    "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
		"TLS":     "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"garbage": strings.Repeat("\xff", 100_000),
		"silence": "",
		"a start": "SSH-2.0-",
	} {
		conn := h.connect()
		_, _ = io.WriteString(conn, first)
		_ = conn.SetReadDeadline(time.Now().Add(testTimeout))
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s was kept", name)
		}
		_ = conn.Close()
	}
	eventually(t, "all to be counted", func() bool { return h.rejections.Counts.Get(limit.LoginFailed) == 5 })
}

// One connection on which session after session was begun and ended wrote two lines each to the log, as fast as it
// could ask.
func TestSessionStartsAreLimitedByAddress(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress, o.MaxLoginRate = 5, 1 })
	client := h.dial("alice", newKey(t, 1))
	for i := range 8 {
		channel, requests, err := client.OpenChannel("session", nil)
		if i >= 7 && (err == nil || !strings.Contains(err.Error(), errAddressBusy.Error())) {
			t.Fatalf("session %d: %v", i, err)
		}
		if err == nil {
			go gossh.DiscardRequests(requests)
			_ = channel.Close()
			eventually(t, "it to end", func() bool { return h.inside() == 0 })
		}
	}
	second := h.dial("bob", newKey(t, 2)) // whose first session has been paid for by the login
	if _, _, err := second.OpenChannel("session", nil); err != nil {
		t.Error(err)
	}
}

// ssh-audit found four failures in the library's own choice (NIST curves, SHA-1): a client that knows nothing newer
// than those is refused.
func TestOldAlgorithmsAreRefused(t *testing.T) {
	h := startServer(t)
	supported, insecure := gossh.SupportedAlgorithms(), gossh.InsecureAlgorithms()
	for name, limit := range map[string]func(*gossh.ClientConfig){
		"NIST curves": func(c *gossh.ClientConfig) {
			c.KeyExchanges = []string{gossh.KeyExchangeECDHP256, gossh.KeyExchangeECDHP521}
		},
		"group 14":     func(c *gossh.ClientConfig) { c.KeyExchanges = []string{gossh.KeyExchangeDH14SHA256} },
		"SHA-1":        func(c *gossh.ClientConfig) { c.KeyExchanges = insecure.KeyExchanges },
		"CBC and RC4":  func(c *gossh.ClientConfig) { c.Ciphers = insecure.Ciphers },
		"counter mode": func(c *gossh.ClientConfig) { c.Ciphers = []string{gossh.CipherAES128CTR} },
		"RSA and DSA": func(c *gossh.ClientConfig) {
			c.HostKeyAlgorithms = append([]string{gossh.KeyAlgoRSA}, insecure.HostKeys...)
		},
		"NIST host keys": func(c *gossh.ClientConfig) { c.HostKeyAlgorithms = []string{gossh.KeyAlgoECDSA256} },
	} {
		config := login("alice", newKey(t, 1))
		limit(config)
		if _, err := gossh.Dial("tcp", h.address, config); err == nil ||
			!strings.Contains(err.Error(), "no common algorithm") {
			t.Errorf("%s: %v", name, err)
		}
	}
	config := login("alice", newKey(t, 1))
	config.KeyExchanges, config.Ciphers, config.MACs = supported.KeyExchanges, supported.Ciphers, supported.MACs
	h.client(h.connect(), config)
}

// A connection whose first packets could be cut out unnoticed would be open to Terrapin: the server asks for strict key
// exchange.
func TestStrictKeyExchangeIsOffered(t *testing.T) {
	h := startServer(t)
	conn := h.connect()
	if _, err := conn.Write([]byte("SSH-2.0-Test\r\n")); err != nil {
		t.Fatal(err)
	}
	var offer []byte
	for piece := make([]byte, 4096); !bytes.Contains(offer, []byte("kex-strict-s-v00@openssh.com")); {
		n, err := conn.Read(piece)
		if err != nil {
			t.Fatalf("%v after %q", err, offer)
		}
		offer = append(offer, piece[:n]...)
	}
	for _, old := range []string{"sha1", "nistp", "cbc", "group", "ssh-rsa", "ssh-dss", "password"} {
		if bytes.Contains(offer, []byte(old)) {
			t.Errorf("%s is offered: %q", old, offer)
		}
	}
}

// A client that has the public half of a player's key is not that player, and gets one try a connection.
func TestAWrongSignatureEndsTheLogin(t *testing.T) {
	h := startServer(t)
	asked := 0
	config := login("alice", nil)
	config.Auth = []gossh.AuthMethod{gossh.RetryableAuthMethod(gossh.PublicKeysCallback(func() ([]gossh.Signer, error) {
		asked++
		return []gossh.Signer{impostor{newKey(t, 1), newKey(t, 2)}}, nil
	}), 90)}
	if _, err := gossh.Dial("tcp", h.address, config); err == nil || asked != 1 {
		t.Errorf("after %d tries: %v", asked, err)
	}
	eventually(t, "it to be counted", func() bool { return h.rejections.Counts.Get(limit.LoginFailed) == 1 })
}

// impostor says that it has a key, and signs with another.
type impostor struct {
	gossh.Signer
	hand gossh.Signer
}

func (i impostor) Sign(chance io.Reader, data []byte) (*gossh.Signature, error) {
	return i.hand.Sign(chance, data)
}

// throughProxy connects from one of the loopback addresses and says what a proxy would say of its client.
func (s *testServer) throughProxy(from net.IP, header string) net.Conn {
	s.t.Helper()
	conn := s.connectBy(&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}})
	if _, err := io.WriteString(conn, header); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

func behindProxy(o *options) {
	o.ProxyFrom = []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}
	o.Login = 500 * time.Millisecond
}

const throughFrom = "PROXY TCP4 %s 203.0.113.1 4711 22\r\n"

// Behind a proxy everybody had its address: one of them could use up what all of them may have.
func TestATrustedProxyGivesTheAddress(t *testing.T) {
	h := startServer(t, behindProxy, func(o *options) { o.MaxSessionsPerAddress = 1 })
	for i, address := range []string{"198.51.100.7", "198.51.100.8"} {
		conn := h.throughProxy(net.IPv4(127, 0, 0, 2), fmt.Sprintf(throughFrom, address))
		newPerson(t, h.client(conn, login("alice", newKey(t, byte(i+1)))), "xterm", 80, 24).sees("Play someone")
		if !strings.Contains(h.log.String(), "address="+address+":4711") {
			t.Errorf("the log does not know %s:\n%s", address, h.log.String())
		}
	}
}

func TestOnlyAProxyGivesAnAddress(t *testing.T) {
	h := startServer(t, behindProxy)
	conn := h.throughProxy(net.IPv4(127, 0, 0, 3), fmt.Sprintf(throughFrom, "198.51.100.7"))
	client := h.client(conn, login("alice", newKey(t, 1))) // lines before the protocol's first are skipped
	newPerson(t, client, "xterm", 80, 24).sees("Play someone")
	if book := h.log.String(); strings.Contains(book, "198.51.100.7") || !strings.Contains(book, "address=127.0.0.3:") {
		t.Errorf("a stranger chose an address:\n%s", book)
	}
}

func TestAProxyHasToSayWhoComes(t *testing.T) {
	besideOthers(t)
	h := startServer(t, behindProxy)
	for _, header := range []string{"", "SSH-2.0-Go\r\n", "PROXY TCP4 nonsense\r\n"} {
		conn := h.throughProxy(net.IPv4(127, 0, 0, 2), header)
		_ = conn.SetReadDeadline(time.Now().Add(testTimeout))
		if sent, err := io.ReadAll(conn); len(sent) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after %q it was sent %q, %v", header, sent, err)
		}
	}
	eventually(t, "all to be counted", func() bool { return h.rejections.Counts.Get(limit.NoProxyHeader) == 3 })
	if lines := strings.Count(h.log.String(), "reason=proxy from=127.0.0.2/32"); lines != 3 {
		t.Errorf("the log has %d lines about it:\n%s", lines, h.log.String())
	}
}

// Sixteen silent connections from a proxy's address kept everybody from being accepted for as long as a login may take.
func TestAProxyThatSaysNothingKeepsNoClientOut(t *testing.T) {
	besideOthers(t)
	h := startServer(t, behindProxy, func(o *options) { o.Login, o.MaxLogins = time.Hour, 2*limit.AcceptBurst })
	silent := h.throughProxy(net.IPv4(127, 0, 0, 2), "") // the oldest, which has to go for the others
	eventually(t, "the oldest to be counted", func() bool {
		return len(h.proxied.Conns()) == 1
	})
	for range 3 * limit.AcceptBurst {
		h.throughProxy(net.IPv4(127, 0, 0, 2), "")
	}
	begun := time.Now()
	h.dial("alice", newKey(t, 1))
	h.client(h.throughProxy(net.IPv4(127, 0, 0, 2), fmt.Sprintf(throughFrom, "198.51.100.7")), login("bob", newKey(t, 2)))
	if took := time.Since(begun); took >= proxyHeaderTimeout {
		t.Errorf("two logins took %v", took)
	}
	_ = silent.SetReadDeadline(begun.Add(proxyHeaderTimeout))
	if _, err := silent.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the oldest was kept")
	}
	eventually(t, "none of them to be left", func() bool {
		return len(h.proxied.Conns()) == 0 && h.slots.Used() == 3 // of those two, and of who is to be accepted next
	})
}
