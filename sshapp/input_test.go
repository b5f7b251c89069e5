package sshapp

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/limit"
)

// reader returns a session from an address with some input.
func reader(t *testing.T, all *limit.AddressLimits, address, input string) *channel {
	t.Helper()
	from := netip.MustParsePrefix(address)
	c := &channel{
		life: lifetime{ctx: t.Context()}, conn: &connection{budget: newByteBudget()}, slot: new(limit.Slot),
	}
	c.input = newInput(c, strings.NewReader(input))
	c.input.pay = func(ctx context.Context, price int) { _ = all.Pay(ctx, from, &c.input.share, price, maxPayWait) }
	return c
}

// readAhead returns the input of a session in the mode ahead, with a budget.
func readAhead(t *testing.T, library io.Reader, budget *byteBudget) *input {
	t.Helper()
	c := &channel{life: lifetime{ctx: t.Context()}, conn: &connection{budget: budget}, slot: new(limit.Slot)}
	i := newInput(c, library)
	i.pay = func(context.Context, int) {}
	i.setMode(ahead)
	return i
}

// took returns the time that a session takes to read its input.
func took(c *channel) time.Duration {
	began := time.Now()
	_, _ = io.Copy(io.Discard, c.input)
	return time.Since(began).Round(time.Millisecond)
}

// The shares of new sessions do not add to the budget of their address.
func TestSessionsOfAnAddressShareABudget(t *testing.T) {
	const pace = 4 << 10
	settings := limit.DefaultSettings()
	settings.MaxInputRate = pace
	for _, one := range []struct {
		addresses []string
		want      time.Duration
	}{
		{slices.Repeat([]string{"192.0.2.1/32"}, 4), 2 * time.Second},
		{slices.Repeat([]string{"192.0.2.1/32"}, 64), 1600 * time.Millisecond}, // new sessions have a small share
		{[]string{"192.0.2.1/32", "192.0.2.2/32", "192.0.2.3/32", "192.0.2.4/32"}, 0},
		{[]string{"2001:db8::/64", "2001:db8::/64", "2001:db8::/64", "2001:db8:0:1::/64"}, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			all := limit.NewAddressLimits(settings)
			var longest time.Duration
			done := make(chan time.Duration)
			for _, address := range one.addresses {
				go func() {
					done <- took(reader(t, all, address, strings.Repeat("x", 4*pace/len(one.addresses))))
				}()
			}
			for range one.addresses {
				longest = max(longest, <-done)
			}
			// The session that pays first decides about the last few bytes.
			if longest < one.want || longest > one.want+50*time.Millisecond {
				t.Errorf("%v: it took %v, want %v", one.addresses, longest, one.want)
			}
		})
	}
}

// A person's keys need less than a session's share of the input, and pass before the input of busy bots. The server
// ends a bot's session that waits for too long, and the bot begins a new one.
func TestAPlayerBesideAFloodIsServedAtOnce(t *testing.T) {
	const flooders, keys, between = 99, 200, 700 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		all := limit.NewAddressLimits(limit.DefaultSettings())
		life, end := context.WithCancel(t.Context())
		defer end()
		for range flooders {
			flood := reader(t, all, "192.0.2.1/32", strings.Repeat("\n", 1<<20))
			flood.life.ctx = life
			flood.input.pay = func(ctx context.Context, price int) {
				if !all.Pay(ctx, netip.MustParsePrefix("192.0.2.1/32"), &flood.input.share, price, maxPayWait) {
					flood.input.share = limit.NewInputShare()
				}
			}
			go took(flood)
		}
		person, waits := reader(t, all, "192.0.2.1/32", ""), make([]time.Duration, keys)
		<-time.After(10 * time.Second)
		for i := range waits {
			began := time.Now()
			person.input.sent.Store(2 << 10) // the last frame
			person.input.payFor([]byte("x"))
			person.input.pay(t.Context(), keyPrice)
			waits[i] = time.Since(began)
			<-time.After(between)
		}
		slices.Sort(waits)
		if p99 := waits[keys*99/100]; p99 > 100*time.Millisecond {
			t.Errorf("a key waits for %v", p99)
		}
	})
}

// A session that waits for its address's budget does not notice for minutes that its client has gone.
func TestASessionOverItsBudgetIsClosed(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.MaxInputRate = 64 })
	client := h.dial("alice", newKey(t, 1))
	flood := newTalk(t, client, "classic two")
	go func() { _, _ = flood.in.Write(bytes.Repeat([]byte("\n"), 1<<20)) }()
	eventually(t, "the session and its connection to be held up", func() bool {
		all := h.sessions.list()
		source, share := limit.SourceAddress(client.LocalAddr()), limit.NewInputShare()
		if len(all) == 0 || h.addressLimits.Pay(t.Context(), source, &share, 8, 0) {
			return false
		}
		pause, _ := all[0].conn.budget.pause()
		return pause > 0 // the end of the connection is not read
	})
	_ = client.Close()
	eventually(t, "the session to end", func() bool { return h.inside() == 0 })
	h.rejectsOnce(limit.UnreadInput)
}

// Input sent slowly enough was once never held up, and kept for a front end that did not read it. A session kept a
// hundred megabytes in some hours.
func TestUnreadInputIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const packet, carried = 36, 1
		a, library := newByteBudget(), make(libraryBuffer, 1<<20)
		b := readAhead(t, library, a)
		sent := 0
		for a.wait(nil) && sent < 1<<20 {
			a.take(packet)
			library <- make([]byte, carried)
			sent += packet
			<-time.After(packet * time.Second / (inputPace - 1000))
		}
		if waiting := len(library) * packet; waiting > inputAtOnce+packet {
			t.Errorf("%d bytes wait in the library", waiting)
		}
		if sent >= 1<<20 {
			t.Error("the client is not hung up on")
		}
		close(library)
		b.fail(io.EOF)
	})
}

// The buffer is bounded and keeps the order. No goroutine may wait for a front end that has ended. A front end once
// read on after its session's end, and everything of the connection stayed in memory.
func TestAnInputBufferKeepsTheOrder(t *testing.T) {
	const pieces, size = 200, 250
	for _, isRead := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			a, library := newByteBudget(), make(libraryBuffer, pieces)
			b := readAhead(t, library, a)
			for i := range pieces {
				library <- bytes.Repeat([]byte{byte(i)}, size)
			}
			synctest.Wait()
			if kept := (pieces - len(library)) * size; kept < maxInputBuffer || kept > maxInputBuffer+size {
				t.Errorf("%d bytes were taken", kept)
			}
			close(library)
			if !isRead {
				b.fail(io.EOF) // synctest waits for the goroutine's end
				synctest.Wait()
				_, err := b.Read(make([]byte, 1))
				testkit.ErrorIs(t, err, io.EOF)
				return
			}
			all, err := io.ReadAll(b)
			testkit.OK(t, err)
			testkit.Equal(t, len(all), pieces*size)
			testkit.Equal(t, slices.IsSorted(all), true)
			if a.take(2 * inputAtOnce); !a.wait(nil) { // the budget grows again
				t.Error("the client is hung up on")
			}
		})
	}
}

// libraryBuffer keeps input until it is read, in the pieces of its packets, like the SSH library.
type libraryBuffer chan []byte

func (l libraryBuffer) Read(p []byte) (int, error) {
	piece, open := <-l
	if !open {
		return 0, io.EOF
	}
	return copy(p, piece), nil
}

// Bytes that one session read once paid for unread bytes of another session, and for more than they had cost.
func TestUnreadInputIsHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, began, came := newByteBudget(), time.Now(), 0
		for ; a.wait(nil); came += 32 << 10 {
			a.take(32 << 10)
		}
		took := time.Since(began)
		if most := inputAtOnce + int(took.Seconds()*inputPace) + 32<<10; came > most {
			t.Errorf("%d KB came in %v", came>>10, took)
		}
		if took < inputTimeout || took > inputTimeout+5*time.Second {
			t.Errorf("the client was held up for %v", took)
		}
		const packet, limit = 36, 100_000
		two, unread := newByteBudget(), 0
		for two.hold(); two.wait(nil) && unread < limit; unread += packet + 1 {
			two.take(packet + 1000) // for the session that reads
			two.give(1000)
			two.take(packet + 1) // for the other session
		}
		if unread > inputAtOnce {
			t.Errorf("%d bytes were left unread", unread)
		}
	})
}

// Bytes before the login count against the budget too.
func TestGarbageBeforeTheLoginIsHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer func() { _ = far.Close() }()
		c := bareServer(limit.DefaultSettings()).newConnection(near, netip.MustParsePrefix("192.0.2.1/32"), false)
		go func() { _, _ = io.Copy(far, &zeros{left: 1 << 20}) }()
		began := time.Now()
		_, err := io.ReadFull(c, make([]byte, 4*inputAtOnce))
		testkit.OK(t, err)
		if took := time.Since(began).Seconds(); took < 3*inputAtOnce/inputPace-0.5 {
			t.Errorf("they came in %v s", took)
		}
		c.cut()
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("it reads on")
		}
	})
}

// Bytes sent to channels without a session were once kept, two megabytes a channel.
func TestInputThatNoSessionReadsCostsLittle(t *testing.T) {
	h := startServer(t, func(o *options) { o.Start = 4 * time.Second })
	client := h.dial("alice", newKey(t, 1))
	before := heap()
	var channels []gossh.Channel
	for range limit.MaxChannels {
		channels = append(channels, openChannel(t, client))
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
	h.rejectsOnce(limit.NoSession)
}

// Extended data, sent only by servers, was once kept for ever by a session that never reads it.
func TestExtendedDataEndsTheConnection(t *testing.T) {
	h := startServer(t)
	p := h.inLobby("alice", 1)
	channel := openChannel(t, p.client)
	before := heap()
	_, _ = io.Copy(channel.Stderr(), &zeros{left: 1 << 20})
	eventually(t, "the sessions to end", func() bool { return h.inside() == 0 })
	if grown := heap() - before; grown > 1<<19 {
		t.Errorf("the heap has grown by %d KB", grown>>10)
	}
	h.rejectsOnce(limit.UnreadInput)
}

// zeros reads as that many zero bytes.
type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(len(p), z.left)
	if z.left -= n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// The output that a read caused is paid by the next one. A banned player has no slot, so payment once caused a panic.
// Admission protects the session with the latest input of a player, and a player with a key gets no notices then.
func TestInputIsPaidForAndNoted(t *testing.T) {
	i := newInput(&channel{}, nil)
	i.sent.Store(1600)
	testkit.Equal(t, i.priceOf([]byte("a\n")), 2+linePrice+100)
	i.sent.Store(1 << 40)
	testkit.Equal(t, i.priceOf(nil), maxOutput/outputShare)
	for key, want := range map[account.KeyID]match.PlayerID{"": "", "key": "ann", "banned": ""} {
		noted := match.PlayerID("")
		c := reader(t, limit.NewAddressLimits(limit.DefaultSettings()), "192.0.2.1/32", "x\n")
		c.conn.server = &Server{onTyped: func(p match.PlayerID) { noted = p }}
		c.identity.key, c.identity.ID = key, "ann"
		slot := c.slot
		if key == "banned" {
			c.slot = nil
		}
		if took(c) > time.Second {
			t.Error("a short line has cost more than a second")
		}
		testkit.Equal(t, noted, want, key)
		testkit.Equal(t, slot.TypedAt().IsZero(), key == "banned", key)
	}
}
