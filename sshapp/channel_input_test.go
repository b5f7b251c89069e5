package sshapp

import (
	"context"
	"io"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// reader returns a session from an address that reads some input.
func reader(t *testing.T, all *sources, address, input string) *channel {
	t.Helper()
	from := netip.MustParsePrefix(address)
	return &channel{
		input: strings.NewReader(input), life: t.Context(), link: &connection{input: newAllowance()},
		pay: func(ctx context.Context, price int) { all.pay(ctx, from, price) },
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
	settings := DefaultSettings()
	settings.MaxInputRate = pace
	input := strings.Repeat("x", 2*pace)
	for _, one := range []struct {
		addresses [4]string
		want      time.Duration
	}{
		{[4]string{"192.0.2.1/32", "192.0.2.1/32", "192.0.2.1/32", "192.0.2.1/32"}, 6 * time.Second},
		{[4]string{"192.0.2.1/32", "192.0.2.2/32", "192.0.2.3/32", "192.0.2.4/32"}, 0},
		{[4]string{"2001:db8::/64", "2001:db8::/64", "2001:db8::/64", "2001:db8:0:1::/64"}, 4 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			all := newSources(settings)
			var longest time.Duration
			done := make(chan time.Duration)
			for _, address := range one.addresses {
				go func() { done <- took(reader(t, all, address, input)) }()
			}
			for range one.addresses {
				longest = max(longest, <-done)
			}
			if longest != one.want {
				t.Errorf("%v: it took %v, want %v", one.addresses, longest, one.want)
			}
		})
	}
}

// A session that says little waits for a turn of each of the others at its address, not for all that they say.
func TestAPlayerBesideAFloodIsHeard(t *testing.T) {
	const flooders = 100
	synctest.Test(t, func(t *testing.T) {
		all := newSources(DefaultSettings())
		life, end := context.WithCancel(t.Context())
		defer end()
		for range flooders {
			flood := reader(t, all, "192.0.2.1/32", strings.Repeat("\n", 16<<10))
			flood.life = life
			go took(flood)
		}
		<-time.After(time.Minute)
		key := reader(t, all, "192.0.2.1/32", "x")
		const most = (flooders + 1) * budgetTurn * time.Second / (32 << 10)
		if waited := took(key); waited > most {
			t.Errorf("a key waited for %v, want %v at most", waited, most)
		}
	})
}

func TestTheNextReadPaysForWhatASessionWasSent(t *testing.T) {
	c := &channel{}
	c.said.Store(1600)
	if got := c.price([]byte("a\n")); got != 2+linePrice+100 {
		t.Errorf("the price is %d", got)
	}
	c.said.Store(1 << 40)
	if got := c.price(nil); got != maxOutput/outputShare {
		t.Errorf("the price of much that was sent is %d", got)
	}
}
