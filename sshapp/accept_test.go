package sshapp

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"notakto/sshapp/limit"

	gossh "golang.org/x/crypto/ssh"
)

// crowd opens silent connections from addresses of the loopback network, and goes on opening them until stop is called.
func (h *testServer) crowd(number, addresses int) (stop func()) {
	h.t.Helper()
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
				conn, err := from.Dial("tcp", h.address)
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
			if h.rejections.Count(limit.CrowdedOut) == 0 {
				t.Error("no connection was evicted")
			}
		})
	}
}

func (h *testServer) handshaking() int {
	return len(h.gate.preauth.Conns())
}

// A flood of refusals filled the disk with lines about it.
func TestAFloodIsCountedAndNotLogged(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins = 4 })
	const flood = 300
	for range flood {
		h.connect()
	}
	eventually(t, "the others to go", func() bool { return h.rejections.Count(limit.CrowdedOut) == flood-4 })
	if lines := strings.Count(h.log.String(), "turned away"); lines < 1 || lines > limit.LinesBurst+1 {
		t.Errorf("the log has %d lines about it", lines)
	}
	h.rejections.Report()
	h.rejections.Report() // nothing new
	if got := strings.Count(h.log.String(), fmt.Sprintf("crowded-out=%d", flood-4)); got != 1 {
		t.Errorf("the sum is told %d times in\n%s", got, h.log.String())
	}
}

func TestAnEvictedClientGetsTheReason(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins = limit.FewPreauthConns + 1 })
	var received *bufio.Reader
	for range limit.FewPreauthConns + 1 {
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
	h.reserveLogins(3 + int(maxLoginWait/time.Second)*10)
	_, err := gossh.Dial("tcp", h.address, login("alice", newKey(t, 1)))
	if err == nil || !strings.Contains(err.Error(), errLoginsFull.Error()) {
		t.Errorf("got %v", err)
	}
	if h.rejections.Count(limit.TooManyLogins) != 1 {
		t.Errorf("%d were counted", h.rejections.Count(limit.TooManyLogins))
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
func (h *testServer) reserveLogins(n int) {
	for range n {
		h.addressLimits.ReserveLogin(limit.AddressOf(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}), time.Hour)
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
	if n := h.rejections.Count(limit.TooManyLogins); n != 0 {
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
			if n := h.rejections.Count(limit.TooManyLogins); n > 0 {
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
		o.MaxLogins, o.MaxSessionsPerAddress, o.MaxLoginRate = 2*limit.FewPreauthConns, 1, 1
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
func (h *testServer) exchanging() (n int) {
	for _, c := range h.gate.preauth.Conns() {
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
	eventually(t, "all to be counted", func() bool { return h.rejections.Count(limit.LoginFailed) == 5 })
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
