package sshapp

import (
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"notakto/sshapp/limit"

	gossh "golang.org/x/crypto/ssh"
)

// Who logged in from many addresses and asked for no session was not counted.
func TestConnectionsWithoutASessionPushOutEachOther(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins = limit.FewPreauthConns + 1 })
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
	for range limit.FewPreauthConns + 1 {
		h.dial("mallory", newKey(t, 3))
	}
	if err := left.Wait(); err == nil || h.rejections.Count(limit.CrowdedOut) != 1 {
		t.Errorf("%v, %d had to go", err, h.rejections.Count(limit.CrowdedOut))
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

func (l *exhausted) Accept() (net.Conn, error) {
	if l.failed.Add(1) <= 3 {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// Many were accepted before the first of them had been counted: for a moment there were more than descriptors.
func TestNoConnectionIsAcceptedBeforeThereIsASlot(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins, o.MaxSessions, o.MaxWaiting = limit.FewPreauthConns+1, 1, 1 })
	h.gate.slots.SetLimit(1) // for the next connection
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
	h.gate.slots.SetLimit(9)
	if err := <-second; err != nil {
		t.Error(err)
	}
	// alice's, and the next one's
	eventually(t, "bob's place to be given back", func() bool { return h.gate.slots.Used() <= 2 })
}
