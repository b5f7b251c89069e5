package sshapp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match/limit"
)

// A flood of refusals once filled the disk with log lines. The oldest connection has to go, and reads the reason.
// Clients that had logged in and asked for no session were not counted.
func TestAFloodIsCountedAndNotLogged(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins = fewPreauthConns + 1 })
	player := h.inLobby("alice", 1)
	oldest := bufio.NewReader(h.connect())
	if banner, err := oldest.ReadString('\n'); !strings.HasPrefix(banner, "SSH-2.0-") {
		t.Fatal(banner, err)
	}
	const flood = 300
	for range flood {
		h.connect()
	}
	said, _ := io.ReadAll(oldest)
	testkit.Contains(t, string(said), errCrowded.Error())
	const turnedAway = 1 + flood - (fewPreauthConns + 1)
	wait := func(n int64) {
		t.Helper()
		eventually(t, "the others to go", func() bool { return h.rejections.Counts.Get(limit.CrowdedOut) == n })
	}
	wait(turnedAway)
	if lines := strings.Count(h.log.String(), "turned away"); lines < 1 || lines > linesBurst+1 {
		t.Errorf("the log has %d lines about it", lines)
	}
	h.rejections.Report()
	h.rejections.Report() // without a new refusal
	testkit.Equal(t, strings.Count(h.log.String(), fmt.Sprintf("crowded-out=%d", turnedAway)), 1, h.log.String())

	left := h.dial("bob", newKey(t, 2)) // takes the place of a silent connection
	channel := openChannel(t, left)
	testkit.Equal(t, h.handshaking(), fewPreauthConns)
	_ = channel.Close()
	eventually(t, "the session to end", func() bool { return h.handshaking() == fewPreauthConns+1 })
	for range fewPreauthConns + 1 {
		h.dial("mallory", newKey(t, 3))
	}
	wait(turnedAway + 1 + fewPreauthConns + 1)
	testkit.Equal(t, left.Wait() != nil, true, "a connection whose session has ended stays")
	player.isThere()
}

// A server that could not accept connections once logged no error.
func TestAServerThatCannotAcceptSaysSo(t *testing.T) {
	h := startServer(t, func(o *options) {
		o.wrap = func(l net.Listener) net.Listener { return &exhausted{Listener: l} }
	})
	h.dial("alice", newKey(t, 1))
	testkit.Equal(t, strings.Count(h.log.String(), "cannot accept connections"), 1, h.log.String())
}

// exhausted fails three times with an error for too many open files.
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

// Many connections were once accepted before the first one was counted, and for a moment used more than all
// descriptors.
func TestNoConnectionIsAcceptedBeforeThereIsASlot(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins, o.MaxSessions, o.MaxWaiting = fewPreauthConns+1, 1, 1 })
	h.slots.SetLimit(1) // for the next connection
	h.dial("alice", newKey(t, 1))
	second := make(chan error, 1)
	go func() { second <- h.fails(login("bob", newKey(t, 2))) }()
	select {
	case err := <-second:
		t.Fatalf("there was no place, and yet %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	h.slots.SetLimit(9)
	testkit.OK(t, <-second)
	testkit.ErrorIs(t, h.SetLimits(limit.Settings{}), limit.ErrSetting)
	testkit.Equal(t, h.settings.Load().MaxWaiting, 1)
	// alice's, and that of the next connection
	eventually(t, "bob's place to be given back", func() bool { return h.slots.Used() <= 2 })
}

// crowd keeps number silent connections open, from addresses loopback addresses. It replaces those that the server
// closes, until stop is called.
func (s *testServer) crowd(number, addresses int) (stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	var busy sync.WaitGroup
	var opened atomic.Int64
	for i := range number {
		from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i%addresses))}}
		busy.Go(func() {
			for ctx.Err() == nil {
				conn, err := from.DialContext(ctx, "tcp", s.address)
				if err != nil { // no port or descriptor is free
					runtime.Gosched()
					continue
				}
				opened.Add(1)
				disarm := context.AfterFunc(ctx, func() { _ = conn.Close() })
				_, _ = io.Copy(io.Discard, conn) // until one side closes it
				disarm()
				_ = conn.Close()
			}
		})
	}
	eventually(s.t, "the crowd", func() bool { return opened.Load() >= int64(number) })
	return func() {
		cancel()
		busy.Wait()
	}
}

// The race detector finds what two listeners would change at once. The library's Serve sets a missing handler.
func TestListenersAreServedAtOnce(t *testing.T) {
	h := startServer(t)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	testkit.OK(t, closed.Close())
	var serving sync.WaitGroup
	for range 100 {
		serving.Go(func() {
			if h.ServeOperator(closed) == nil {
				t.Error("a closed listener was served")
			}
		})
	}
	serving.Wait()
}

// Before the login nothing was limited at first, and then a plain cap locked every player out. Under a flood of
// silent connections, 40 of 40 honest logins failed.
func TestHalfOpenConnectionsLockNoPlayerOut(t *testing.T) {
	for _, addresses := range []int{1, 50} {
		t.Run(fmt.Sprint(addresses), func(t *testing.T) {
			h := startServer(t)
			stop := h.crowd(600, addresses) // the server closes hundreds, which come back during the logins
			defer stop()
			eventually(t, "an eviction", func() bool { return h.rejections.Counts.Get(limit.CrowdedOut) > 0 })
			for i := range byte(5) {
				testkit.OK(t, h.fails(login("alice", newKey(t, i))))
			}
			if limit := limit.DefaultSettings().MaxLogins; h.handshaking() > limit {
				t.Errorf("%d connections that have not logged in are kept, the limit is %d", h.handshaking(), limit)
			}
		})
	}
}

func (s *testServer) handshaking() int {
	return len(s.preauthConns.Conns())
}

// An address with login after login costs no more than its rate. A client there waits at most maxLoginWait, and an
// ordinary client reads the reason. With a setting Login of five seconds or less, a client that waited for its turn was
// once cut off first, without a reason.
func TestAnAddressWithTooManyLoginsWaitsAndGetsTheReason(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress, o.MaxLoginRate = 3, 10 })
	began := time.Now()
	for range 8 {
		h.dial("alice", newKey(t, 1))
	}
	if took := time.Since(began); took < 400*time.Millisecond {
		t.Errorf("8 logins took %v", took)
	}
	h.reserveLogins(3 + int((maxLoginWait+testTimeout)/time.Second)*10) // however late the next login comes
	testkit.Contains(t, fmt.Sprint(h.fails(login("alice", newKey(t, 1)))), errLoginsFull.Error())
	testkit.Equal(t, h.rejections.Counts.Get(limit.TooManyLogins), 1)
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}} // another address has its own limits
	h.client(h.connectBy(from), login("bob", newKey(t, 2)))

	short := startServer(t, func(o *options) {
		o.MaxSessionsPerAddress, o.MaxLoginRate, o.Login = 1, 1, 4*time.Second
	})
	short.reserveLogins(5) // the next turn comes within maxLoginWait, but after Login
	testkit.Contains(t, fmt.Sprint(short.fails(login("alice", newKey(t, 1)))), errLoginsFull.Error())
}

// reserveLogins takes n logins from the budget of the tests' address.
func (s *testServer) reserveLogins(n int) {
	for range n {
		s.addressLimits.ReserveLogin(limit.SourceAddress(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}), time.Hour)
	}
}

// A client that waited for its turn to exchange keys was once evicted in favour of clients that had been refused. A
// connection that sent one byte once took a login of its address. At 300 such connections a second, no login of 33
// succeeded there.
func TestWhoWaitsForTheTurnOutlastsTalkers(t *testing.T) {
	besideOthers(t)
	const places, talkers = 2 * fewPreauthConns, 50
	h := startServer(t, func(o *options) {
		o.MaxLogins, o.MaxSessionsPerAddress, o.MaxLoginRate = places, 1, 1
	})
	talk := func() {
		for i := range talkers {
			_, _ = io.WriteString(h.connect(), []string{"", "S", "SSH-2.0-talker\r\n"}[i%3])
		}
	}
	talk()
	eventually(t, "all of them to have come", func() bool {
		return h.rejections.Counts.Get(limit.CrowdedOut) >= talkers-places
	})
	h.dial("alice", newKey(t, 1))
	h.reserveLogins(2) // the next turn does not come at once, however long that login took
	in := make(chan error, 1)
	go func() { in <- h.fails(login("bob", newKey(t, 2))) }()
	eventually(t, "the second to wait", func() bool {
		waiting := 0
		for _, c := range h.preauthConns.Conns() {
			if c.Step() == limit.Exchanging {
				waiting++
			}
		}
		return waiting == 2
	})
	talk()
	testkit.OK(t, <-in)
}

// A connection that began and ended sessions in a loop once wrote two log lines for each.
func TestSessionStartsAreLimitedByAddress(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxSessionsPerAddress, o.MaxLoginRate = 5, 1 })
	client := h.dial("alice", newKey(t, 1))
	begun := 0
	for ; begun < 100; begun++ {
		channel, requests, err := client.OpenChannel("session", nil)
		if err != nil {
			testkit.Contains(t, err.Error(), errAddressBusy.Error())
			break
		}
		go gossh.DiscardRequests(requests)
		_ = channel.Close()
		eventually(t, "it to end", func() bool { return h.inside() == 0 })
	}
	if begun < 5 || begun == 100 {
		t.Errorf("%d sessions began", begun)
	}
	openChannel(t, h.dial("bob", newKey(t, 2))) // the login has paid for the first session
}

// In the library's own choice, ssh-audit found four failures (NIST curves, SHA-1). A strict key exchange prevents the
// Terrapin attack, which cuts out the first packets of a connection.
func TestOldAlgorithmsAreRefused(t *testing.T) {
	h := startServer(t)
	conn := h.connect()
	_, err := io.WriteString(conn, "SSH-2.0-Test\r\n")
	testkit.OK(t, err)
	var offer []byte
	for piece := make([]byte, 4096); !bytes.Contains(offer, []byte("kex-strict-s-v00@openssh.com")); {
		n, err := conn.Read(piece)
		if err != nil {
			t.Fatalf("%v after %q", err, offer)
		}
		offer = append(offer, piece[:n]...)
	}
	for _, old := range []string{
		"sha1", "nistp", "cbc", "group", "ssh-rsa", "ssh-dss", "password", "-ctr", "arcfour", "hmac-sha2-256,",
	} {
		testkit.Equal(t, bytes.Contains(offer, []byte(old)), false, old, string(offer))
	}
	config := login("alice", newKey(t, 1))
	config.KeyExchanges = gossh.InsecureAlgorithms().KeyExchanges
	if _, err := gossh.Dial("tcp", h.address, config); err == nil ||
		!strings.Contains(err.Error(), "no common algorithm") {
		t.Errorf("a client that knows only old ones: %v", err)
	}
	known := gossh.SupportedAlgorithms()
	config.KeyExchanges, config.Ciphers, config.MACs = known.KeyExchanges, known.Ciphers, known.MACs
	h.client(h.connect(), config)
}

// A client with the public half of a player's key is not that player, and gets one try a connection.
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

// impostor offers one key, and signs with another.
type impostor struct {
	gossh.Signer
	hand gossh.Signer
}

func (i impostor) Sign(chance io.Reader, data []byte) (*gossh.Signature, error) {
	return i.hand.Sign(chance, data)
}

// throughProxy connects from a loopback address and sends a proxy's header.
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
	o.Login = 3 * time.Second
}

const throughFrom = "PROXY TCP4 %s 203.0.113.1 4711 22\r\n"

// Clients behind a proxy once shared its address. One of them could use up the limits of all. A ban of an address holds
// behind the proxy, too.
func TestATrustedProxyGivesTheAddress(t *testing.T) {
	besideOthers(t)
	h := startServer(t, withAdmins(t), behindProxy, func(o *options) { o.MaxSessionsPerAddress = 1 })
	trusted, other := net.IPv4(127, 0, 0, 2), net.IPv4(127, 0, 0, 3)
	from := func(proxy net.IP, address string) *gossh.Client {
		t.Helper()
		return h.client(h.throughProxy(proxy, fmt.Sprintf(throughFrom, address)), login("alice", newKey(t, 1)))
	}
	h.succeeds("admin ban add 198.51.100.9 --for 1h")
	for _, address := range []string{"198.51.100.7", "198.51.100.8"} {
		newPerson(t, from(trusted, address), "xterm", 80, 24).sees("Play someone")
		testkit.Contains(t, h.log.String(), "address="+address+":4711")
	}
	_, complaint, status := runOn(t, from(trusted, "198.51.100.9"), "version")
	testkit.Equal(t, status, 1, complaint)
	// The client skips lines before the first one of the protocol.
	newPerson(t, from(other, "203.0.113.7"), "xterm", 80, 24).sees("Play someone")
	testkit.Contains(t, h.log.String(), "address=127.0.0.3:")
	testkit.Equal(t, strings.Contains(h.log.String(), "203.0.113.7"), false, "a stranger chose an address")
	for _, header := range []string{"", "SSH-2.0-Go\r\n", "PROXY TCP4 nonsense\r\n"} {
		conn := h.throughProxy(trusted, header)
		_ = conn.SetReadDeadline(time.Now().Add(testTimeout))
		if sent, err := io.ReadAll(conn); len(sent) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after %q it was sent %q, %v", header, sent, err)
		}
	}
	eventually(t, "all to be counted and logged", func() bool {
		return h.rejections.Counts.Get(limit.NoProxyHeader) == 3 &&
			strings.Count(h.log.String(), "reason=proxy from=127.0.0.2/32") == 3
	})
}

// Sixteen silent connections from a proxy's address once blocked accepting for as long as a login may take.
func TestAProxyThatSaysNothingKeepsNoClientOut(t *testing.T) {
	besideOthers(t)
	h := startServer(t, behindProxy, func(o *options) { o.Login, o.MaxLogins = time.Hour, 2*limit.AcceptBurst })
	opened := time.Now()
	silent := h.throughProxy(net.IPv4(127, 0, 0, 2), "") // the oldest connection is evicted first
	eventually(t, "the oldest to be counted", func() bool {
		return len(h.proxied.Conns()) == 1
	})
	for range 3 * limit.AcceptBurst {
		h.throughProxy(net.IPv4(127, 0, 0, 2), "")
	}
	_ = silent.SetReadDeadline(opened.Add(proxyHeaderTimeout)) // then its own time is over
	if _, err := silent.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the oldest was kept")
	}
	begun := time.Now()
	h.dial("alice", newKey(t, 1))
	h.client(h.throughProxy(net.IPv4(127, 0, 0, 2), fmt.Sprintf(throughFrom, "198.51.100.7")),
		login("bob", newKey(t, 2)))
	if took := time.Since(begun); took >= 2*proxyHeaderTimeout {
		t.Errorf("two logins took %v", took)
	}
	eventually(t, "none of them to be left", func() bool {
		return len(h.proxied.Conns()) == 0 && h.slots.Used() == 3 // those two, and that of the next connection
	})
}
