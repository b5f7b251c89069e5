package journal

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// When a clock was set by an hour while a player was briefly away, the player lost at once, or the opponent waited for
// that hour. The stamps are of the server's clock, or of another server's, so that every change of the leader may be
// such a jump.
func TestStampsThatLeapMakeNoDifference(t *testing.T) {
	for name, by := range map[string]time.Duration{"ahead": time.Hour, "behind": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newClock()
				gone := c.read(time.Now(), true)
				<-time.After(10 * time.Second)
				before := time.Now()
				<-time.After(2 * time.Millisecond)
				for _, stamp := range []time.Time{before, time.Now().Add(by)} {
					if age := c.now().Sub(c.read(stamp, true)); age < 0 || age > 2*time.Millisecond {
						t.Errorf("a message of now that is stamped %v seems to be %v old", stamp, age)
					}
				}
				<-time.After(10*time.Second - 2*time.Millisecond)
				if since := c.now().Sub(gone); since != 20*time.Second {
					t.Errorf("a player who went 20 s ago seems to have been away for %v", since)
				}
			})
		})
	}
}

// Messages read at the start have their stamps as times, but none in the future.
func TestOldStampsAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		if early := time.Now().Add(-time.Hour); !c.read(early, false).Equal(early) {
			t.Errorf("a stamp of %v is read as %v", early, c.read(early, false))
		}
		if at := c.read(time.Now().Add(time.Hour), false); !at.Equal(c.now()) {
			t.Errorf("a stamp of in an hour is read as %v, now is %v", at, c.now())
		}
	})
}

// shifted returns a store whose clock is ahead of, or behind, that of the server, which stamps the messages.
func shifted(t *testing.T, url string, by time.Duration) *Store {
	t.Helper()
	c := newClock()
	c.start = c.start.Add(by)
	s := newStore(natsd.Config{Outside: natsd.Outside{URL: url}}, c)
	if err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// When a leader with a clock an hour behind took over from one that was ahead, new entries had expired already: no
// players were paired.
func TestLeaderWithAnotherClockTakesOver(t *testing.T) {
	c := newClock()
	b := newRegistry(nil, c)
	f := &follower{clock: c, next: 1, deliverTo: b.deliver, caught: make(chan struct{})}
	close(f.caught)
	for i, by := range []time.Duration{time.Hour, 0, -time.Hour} {
		msg := nats.NewMsg(natsd.RegistrySubject + "seek.1")
		msg.Sub, msg.Data = &nats.Subscription{}, []byte("x")
		msg.Reply = fmt.Sprintf("$JS.ACK.BOARD.name.1.%d.%d.%d.1", i+1, i+1, time.Now().Add(by).UnixNano())
		if _, err := f.take(msg, uint64(i)); err != nil {
			t.Fatal(err)
		}
		if n := b.entry("seek.1"); n.Revision != uint64(i+1) || !b.isLive(n) {
			t.Errorf("stamped by a clock %v ahead, the note is %v old at birth", by, c.now().Sub(n.At))
		}
	}
}

// Entries and events have the current time, whatever the clock of the server that stamps them.
func TestEntriesAreNewWhateverTheLeadersClock(t *testing.T) {
	t.Parallel()
	url := outside(t)
	for name, by := range map[string]time.Duration{"ahead": time.Hour, "behind": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			s := shifted(t, url, by)
			for revision := range uint64(3) {
				n, err := s.Put(t.Context(), match.Entry{
					Key: "seek." + name, Text: []byte("x"), Revision: s.registry.entry("seek." + name).Revision,
				})
				if err != nil {
					t.Fatal(revision, err)
				}
				if age := s.Now().Sub(n.At); age < 0 || age > maxDelay {
					t.Errorf("the note is born %v old", age)
				}
			}
			e, err := s.Append(t.Context(), left(match.ID(name), 1))
			if err != nil {
				t.Fatal(err)
			}
			if age := s.Now().Sub(e.At); age < 0 || age > maxDelay {
				t.Errorf("the event is born %v old", age)
			}
		})
	}
}

// When the server's clock jumps ahead it drops all entries at once. Nodes could neither renew their entries nor put
// others.
func TestAnEntryThatTheServerDroppedTooEarlyIsRenewed(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	stored, err := s.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("first")})
	if err != nil {
		t.Fatal(err)
	}
	board, err := s.node.JetStream.Stream(t.Context(), natsd.RegistryStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := board.Purge(t.Context(), jetstream.WithPurgeSubject(natsd.RegistrySubject+"seek.1")); err != nil {
		t.Fatal(err)
	}
	stored.Text = []byte("renewed")
	if stored, err = s.Put(t.Context(), stored); err != nil || string(s.registry.entry("seek.1").Text) != "renewed" {
		t.Fatalf("renewed: %v, the note says %q", err, s.registry.entry("seek.1").Text)
	}
	if err := s.Delete(t.Context(), stored); err != nil {
		t.Error(err)
	}
}

// When the server's clock jumps back it keeps entries that have expired. Their keys could not be used until the clock
// had caught up.
func TestAKeyThatTheServerKeptTooLongCanBeUsed(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	stored, err := s.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("first")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	s.registry.mu.Lock()
	delete(s.registry.entries, "seek.1") // too old
	s.registry.mu.Unlock()
	if _, err := s.Put(t.Context(), match.Entry{Key: "seek.1", Text: []byte("second")}); err != nil {
		t.Errorf("pinned again: %v", err)
	}
}
