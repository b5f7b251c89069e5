package sshapp

import (
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// With 512 descriptors 600 players used up all of them: newcomers heard nothing, not even that the server was full,
// until somebody left.
func TestAllWhoAreLetInFitTheDescriptors(t *testing.T) {
	s := DefaultSettings()
	for _, descriptors := range []int{1, 10, 64, 100, 512, 1024, 4096, 7000, 65536} {
		c := s.capacity(descriptors)
		if most := max(descriptors-reservedDescriptors, descriptors/2); descriptors > 10 && c.returning+c.sessions+c.waiting > most {
			t.Errorf("%+v need more than %d descriptors", c, most)
		}
		if min(c.logins, c.returning, c.sessions, c.waiting) < 1 || c.logins > c.returning {
			t.Errorf("%d descriptors leave %+v", descriptors, c)
		}
	}
	if got, want := s.capacity(512), (capacity{112, 112, 308, 28}); got != want {
		t.Errorf("512 descriptors leave %+v", got)
	}
	s.MaxSessions = 10 // an operator who asks for less than there is room for gets it
	if got, want := s.capacity(512), (capacity{112, 112, 10, 28}); got != want {
		t.Errorf("512 descriptors leave %+v", got)
	}
}

func TestTooFewDescriptorsAreLogged(t *testing.T) {
	var shown string
	warn := func(msg string, fields ...any) { shown = fmt.Sprint(msg, fields) }
	if s, returning := DefaultSettings().clampToFDs(65536, warn); shown != "" || returning != 2048 || s.MaxSessions != 5000 {
		t.Errorf("%q: %d, %+v", shown, returning, s)
	}
	if s, _ := DefaultSettings().clampToFDs(512, warn); s.MaxSessions != 308 || !strings.Contains(shown, "open-files 512 max-sessions 308") {
		t.Errorf("%q: %+v", shown, s)
	}
}

// Who logged in from many addresses and asked for no session was counted by nobody.
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
	if err := left.Wait(); err == nil || h.rejections.count(crowdedOut) != 1 {
		t.Errorf("%v, %d had to go", err, h.rejections.count(crowdedOut))
	}
	player.press("?")
	player.sees("Any key goes back")
}

// A server that could accept nobody said nothing of it.
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
func TestNobodyIsAcceptedBeforeThereIsASlot(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxLogins, o.MaxSessions, o.MaxWaiting = fewPreauthConns+1, 1, 1 })
	for range cap(h.connSlots) - 1 { // but for the one that is kept for whoever comes next
		h.connSlots <- struct{}{}
	}
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
	for range cap(h.connSlots) - 1 {
		<-h.connSlots
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	eventually(t, "bob's place to be given back", func() bool { return len(h.connSlots) <= 2 }) // alice's, and the next one's
}
