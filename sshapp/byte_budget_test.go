package sshapp

import (
	"io"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"notakto/sshapp/limit"

	gossh "golang.org/x/crypto/ssh"
)

func TestUnreadInputIsHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, began, came := newByteBudget(), time.Now(), 0
		for a.wait(nil) {
			a.take(32 << 10)
			came += 32 << 10
		}
		took := time.Since(began)
		if most := inputAtOnce + int(took.Seconds()*inputPace) + 32<<10; came > most {
			t.Errorf("%d KB came in %v", came>>10, took)
		}
		if took < inputTimeout || took > inputTimeout+5*time.Second {
			t.Errorf("the client was held up for %v", took)
		}
	})
}

func TestWhatASessionReadsIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, began := newByteBudget(), time.Now()
		const packet, packets = 64, 1000 // around each
		for range packets {
			if !a.wait(nil) {
				t.Fatal("the client was hung up on")
			}
			a.take(packet + 1000)
			a.give(1000)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("a client was held up for %v", took)
		}
		a.take(2 * inputAtOnce)
		go a.give(2 * inputAtOnce)
		if a.wait(nil); time.Since(began) != 0 {
			t.Error("what a session reads lets nothing more in")
		}
	})
}

// What one session read paid for what another one left unread, and for more than it had cost.
func TestOneSessionDoesNotPayForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const packet, limit = 36, 100_000
		a, rounds := newByteBudget(), 0
		for a.hold(); a.wait(nil) && rounds < limit; rounds++ {
			a.take(packet + 1000) // for the one that reads
			a.give(1000)
			a.take(packet + 1) // for the other
		}
		if unread := rounds * (packet + 1); unread > inputAtOnce {
			t.Errorf("%d bytes were left unread", unread)
		}
	})
}

func TestAHeldUpClientCanBeCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, gone, began := newByteBudget(), make(chan struct{}), time.Now()
		a.take(2 * inputAtOnce)
		go close(gone)
		if a.wait(gone); time.Since(began) != 0 {
			t.Errorf("it took %v", time.Since(began))
		}
	})
}

// What was sent into channels without a session was kept, two megabytes a channel.
func TestInputThatNoSessionReadsCostsLittle(t *testing.T) {
	h := startServer(t, func(o *options) { o.Start = time.Second })
	client := h.dial("alice", newKey(t, 1))
	before := heap()
	var channels []gossh.Channel
	for range limit.DefaultSettings().MaxChannels {
		channel := openChannel(t, client)
		channels = append(channels, channel)
	}
	for _, channel := range channels {
		go func() { _, _ = io.Copy(channel, &zeros{left: 2 << 20}) }()
	}
	var most int64
	eventually(t, "the channels to be closed", func() bool {
		most = max(most, heap()-before)
		return h.inside() == 0
	})
	if most > 1<<20 {
		t.Errorf("the heap has grown by %d KB", most>>10)
	}
	eventually(t, "the reason", func() bool { return h.rejections.Count(limit.NoSession) == 1 })
}

// Data that only servers send (extended data, beside the input) was kept for ever by a session that never looks there.
func TestExtendedDataEndsTheConnection(t *testing.T) {
	h := startServer(t)
	p := h.sit("alice", newKey(t, 1))
	p.sees("Play someone")
	channel := openChannel(t, p.client)
	before := heap()
	_, _ = io.Copy(channel.Stderr(), &zeros{left: 1 << 20})
	eventually(t, "the sessions to end", func() bool { return h.inside() == 0 })
	if grown := heap() - before; grown > 1<<19 {
		t.Errorf("the heap has grown by %d KB", grown>>10)
	}
	if h.rejections.Count(limit.UnreadInput) != 1 {
		t.Error("the reason was not counted")
	}
}

// A client that had the keys exchanged without end kept the server signing.
func TestARekeyStormEndsTheConnection(t *testing.T) {
	h := startServer(t)
	client := h.unmannered("alice", newKey(t, 1))
	exchanges := 1 // before the login
	for ; client.Exchange() == nil; exchanges++ {
		if exchanges > rekeyBurst {
			t.Fatal("the connection was kept")
		}
	}
	if exchanges != rekeyBurst {
		t.Errorf("it was closed after %d", exchanges)
	}
	eventually(t, "the reason", func() bool { return h.rejections.Count(limit.TooManyRekeys) == 1 })
}

// Some exchanges are in order: OpenSSH's RekeyLimit, a long session.
func TestAFewRekeysAreInOrder(t *testing.T) {
	h := startServer(t)
	config := login("alice", newKey(t, 1))
	config.RekeyThreshold = 4096
	client := h.client(h.connect(), config)
	for range 6 {
		if _, _, err := client.SendRequest("nonsense", true, make([]byte, 2048)); err != nil {
			t.Fatal(err)
		}
	}
	newPerson(t, client, "xterm", 80, 24).sees("Play someone")
}

// zeros is so many bytes of nothing.
type zeros struct{ left int }

func (e *zeros) Read(p []byte) (int, error) {
	n := min(len(p), e.left)
	if e.left -= n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// All of what a client sends before its login counts too.
func TestGarbageBeforeTheLoginIsHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		s := bareServer(limit.DefaultSettings())
		c := s.newConnection(near, netip.MustParsePrefix("192.0.2.1/32"), false)
		go func() { _, _ = io.Copy(far, &zeros{left: 1 << 20}) }()
		began, came, read := time.Now(), 0, make([]byte, 4096)
		for came < 4*inputAtOnce {
			n, err := c.Read(read)
			if err != nil {
				t.Fatal(err)
			}
			came += n
		}
		if took := time.Since(began).Seconds(); took < 3*inputAtOnce/inputPace-0.5 {
			t.Errorf("%d bytes came in %v s", came, took)
		}
		c.cut()
		if _, err := c.Read(read); err == nil {
			t.Error("it reads on")
		}
		_ = far.Close()
	})
}
