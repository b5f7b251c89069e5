package sshapp

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/sshapp/limit"
)

// reader returns a session from an address that reads some input.
func reader(t *testing.T, all *limit.AddressLimits, address, input string) *channel {
	t.Helper()
	from := netip.MustParsePrefix(address)
	return &channel{
		input: strings.NewReader(input), life: cancelContext{ctx: t.Context()},
		conn: &connection{budgets: connBudgets{bytes: newByteBudget()}}, slot: new(limit.Slot),
		cost: cost{pay: func(ctx context.Context, price int) { _ = all.Pay(ctx, from, price, maxOwed) }},
	}
}

// took returns how long a session reads.
func took(c *channel) time.Duration {
	began := time.Now()
	_, _ = io.Copy(io.Discard, c)
	return time.Since(began).Round(time.Millisecond)
}

func TestSessionsOfAnAddressShareABudget(t *testing.T) {
	const pace = 4 << 10
	settings := limit.DefaultSettings()
	settings.MaxInputRate = pace
	input := strings.Repeat("x", pace)
	for _, one := range []struct {
		addresses [4]string
		want      time.Duration
	}{
		{[4]string{"192.0.2.1/32", "192.0.2.1/32", "192.0.2.1/32", "192.0.2.1/32"}, 2 * time.Second},
		{[4]string{"192.0.2.1/32", "192.0.2.2/32", "192.0.2.3/32", "192.0.2.4/32"}, 0},
		{[4]string{"2001:db8::/64", "2001:db8::/64", "2001:db8::/64", "2001:db8:0:1::/64"}, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			all := limit.NewAddressLimits(settings)
			var longest time.Duration
			done := make(chan time.Duration)
			for _, address := range one.addresses {
				go func() { done <- took(reader(t, all, address, input)) }()
			}
			for range one.addresses {
				longest = max(longest, <-done)
			}
			// Which session pays first decides about the last few bytes.
			if longest < one.want || longest > one.want+50*time.Millisecond {
				t.Errorf("%v: it took %v, want %v", one.addresses, longest, one.want)
			}
		})
	}
}

// A session that says little waits for a turn of each of the others at its address, not for all that they say.
func TestAPlayerBesideAFloodIsServed(t *testing.T) {
	const flooders = 100
	synctest.Test(t, func(t *testing.T) {
		all := limit.NewAddressLimits(limit.DefaultSettings())
		life, end := context.WithCancel(t.Context())
		defer end()
		for range flooders {
			flood := reader(t, all, "192.0.2.1/32", strings.Repeat("\n", 16<<10))
			flood.life.ctx = life
			go took(flood)
		}
		<-time.After(time.Minute)
		key := reader(t, all, "192.0.2.1/32", "x")
		const most = (flooders + 1) * limit.BudgetTurn * time.Second / (32 << 10)
		if waited := took(key); waited > most {
			t.Errorf("a key waited for %v, want %v at most", waited, most)
		}
	})
}

func TestTheNextReadPaysForWhatASessionWasSent(t *testing.T) {
	c := &channel{}
	c.cost.said.Store(1600)
	if got := c.priceOf([]byte("a\n")); got != 2+linePrice+100 {
		t.Errorf("the price is %d", got)
	}
	c.cost.said.Store(1 << 40)
	if got := c.priceOf(nil); got != maxOutput/outputShare {
		t.Errorf("the price of much that was sent is %d", got)
	}
}

// A session that waits for the budget of its address does not notice for minutes that its client has gone.
func TestASessionOverItsBudgetIsClosed(t *testing.T) {
	besideOthers(t)
	h := startServer(t, func(o *options) { o.MaxInputRate = 64 })
	client := h.dial("alice", newKey(t, 1))
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	in, err := session.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Start("classic two"); err != nil {
		t.Fatal(err)
	}
	flooded := make(chan struct{})
	go func() {
		defer close(flooded)
		_, _ = in.Write(bytes.Repeat([]byte("\n"), 1<<20))
	}()
	eventually(t, "the session to be held up", func() bool {
		return !h.addressLimits.Pay(t.Context(), limit.AddressOf(client.LocalAddr()), 1, 0)
	})
	_ = client.Close()
	<-flooded
	eventually(t, "the session to end", func() bool { return h.inside() == 0 })
	eventually(t, "the reason to be counted", func() bool { return h.rejections.Count(limit.UnreadInput) == 1 })
}

// The session that a player types at is the one that is protected.
func TestASessionThatTypesIsNoted(t *testing.T) {
	c := reader(t, limit.NewAddressLimits(limit.DefaultSettings()), "192.0.2.1/32", "x")
	if took(c); !c.slot.HasTyped() {
		t.Error("it is not known that the player typed something")
	}
}
