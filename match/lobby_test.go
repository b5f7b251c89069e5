package match

import (
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notakto/rules"
)

func (b *bed) seek(p Player, v rules.Variant) *Seek {
	b.Helper()
	s, err := b.Lobby().Seek(p, v)
	b.must(err)
	return s
}

// status is the newest status of a seek once everything has come to rest, and whether the mailbox is still open after it.
func (b *bed) status(s *Seek) (status SeekStatus, open bool) {
	b.Helper()
	synctest.Wait()
	select {
	case next, ok := <-s.Status():
		if !ok {
			return status, false
		}
		status = next
	default:
		return status, true
	}
	select {
	case _, ok := <-s.Status():
		return status, ok
	default:
		return status, true
	}
}

func person(i int) Player {
	return Player{ID: PlayerID("SHA256:" + strconv.Itoa(i)), Name: strconv.Itoa(i)}
}

// Everybody who comes at the same time is paired exactly once, with somebody else, and both are told the same match.
func TestEverybodyIsPairedOnce(t *testing.T) {
	const players = 200
	m := NewManager(Config{Seed: 1})
	defer m.Close()
	var mu sync.Mutex
	partners := make(map[ID][]PlayerID)
	var sessions sync.WaitGroup
	for i := range players {
		sessions.Go(func() {
			seek, err := m.Lobby().Seek(person(i), rules.DefaultVariant())
			if err != nil {
				t.Error(err)
				return
			}
			var last SeekStatus
			for last = range seek.Status() {
				if last.Match == "" && last.Waiting < 1 {
					t.Errorf("%d wait with me", last.Waiting)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			partners[last.Match] = append(partners[last.Match], person(i).ID)
		})
	}
	sessions.Wait()
	if len(partners) != players/2 {
		t.Errorf("%d matches for %d players", len(partners), players)
	}
	for id, pair := range partners {
		s := replay(t, m.cfg.Journal, id)
		if len(pair) != 2 || pair[0] == pair[1] || s.Side(pair[0]) == s.Side(pair[1]) || s.Side(pair[0]).Other() != s.Side(pair[1]) {
			t.Errorf("match %q has %v", id, pair)
		}
	}
}

// The longest waiting are paired first, and each variant has its queue.
func TestOldestFirst(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *bed) {
		resume := j.stop() // while tables are being laid, the queue grows
		seeks := make([]*Seek, 7)
		for i := range seeks {
			seeks[i] = b.seek(person(i), rules.DefaultVariant())
		}
		odd := b.seek(cleo(), rules.TicTacToe())
		resume()
		for i := range 6 {
			status, open := b.status(seeks[i])
			s := replay(b.T, j, status.Match)
			if open || s.Side(person(i).ID).Other() != s.Side(person(i^1).ID) {
				b.Errorf("player %d got %+v", i, status)
			}
		}
		for _, alone := range []*Seek{seeks[6], odd} {
			if status, open := b.status(alone); !open || status.Match != "" || status.Waiting != 1 {
				b.Errorf("who is left over has %+v (open %v)", status, open)
			}
		}
		if n := b.Lobby().Waiting(rules.TicTacToe()); n != 1 {
			b.Errorf("%d wait for tic-tac-toe", n)
		}
	})
}

// One identity has one place over all queues, and is never paired with itself.
func TestOnePlaceForAnIdentity(t *testing.T) {
	inBubble(t, Config{}, func(b *bed) {
		seek := b.seek(ann(), rules.DefaultVariant())
		for _, v := range []rules.Variant{rules.DefaultVariant(), rules.TicTacToe()} {
			if _, err := b.Lobby().Seek(ann(), v); !isErr(err, ErrAlreadySeeking) {
				b.Errorf("a second place: %v", err)
			}
		}
		if status, open := b.status(seek); !open || status.Match != "" || status.Waiting != 1 || !status.Since.Equal(time.Now()) {
			b.Errorf("ann has %+v", status)
		}
		seek.Cancel()
		seek.Cancel()
		if _, open := b.status(seek); open {
			b.Error("a cancelled seek is still told something")
		}
		again := b.seek(ann(), rules.TicTacToe())
		seek.Cancel() // the old handle does not touch the new place
		other := b.seek(bob(), rules.TicTacToe())
		if status, _ := b.status(again); status.Match == "" {
			b.Error("ann was not paired")
		}
		b.status(other)
		b.seek(ann(), rules.TicTacToe())
	})
}

// A table that cannot be laid costs nobody their place: they come before who came later.
func TestPlacesAreKeptWhenATableFails(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *bed) {
		j.fail(Opened, 1)
		resume := j.stop()
		one, other := b.seek(ann(), rules.DefaultVariant()), b.seek(bob(), rules.DefaultVariant())
		late := b.seek(cleo(), rules.DefaultVariant())
		resume()
		for _, s := range []*Seek{one, other, late} {
			if status, open := b.status(s); !open || status.Match != "" || status.Waiting != 3 {
				b.Errorf("after the failure: %+v (open %v)", status, open)
			}
		}
		if _, err := b.Lobby().Seek(ann(), rules.TicTacToe()); !isErr(err, ErrAlreadySeeking) {
			b.Errorf("ann takes a second place: %v", err)
		}
		pass(backOff)
		first, _ := b.status(one)
		second, _ := b.status(other)
		if first.Match == "" || first.Match != second.Match {
			b.Errorf("ann got %+v, bob %+v", first, second)
		}
		if status, open := b.status(late); !open || status.Match != "" || status.Waiting != 1 {
			b.Errorf("cleo has %+v", status)
		}
	})
}

// Those who wait are told when somebody gives up.
func TestWaitingIsCounted(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *bed) {
		j.fail(Opened, 1)
		one, other := b.seek(ann(), rules.DefaultVariant()), b.seek(bob(), rules.DefaultVariant())
		if status, _ := b.status(one); status.Waiting != 2 {
			b.Errorf("with bob: %+v", status)
		}
		other.Cancel()
		if status, open := b.status(one); !open || status.Waiting != 1 {
			b.Errorf("without bob: %+v (open %v)", status, open)
		}
	})
}

// A Cancel while the table is being laid comes too late if it is laid, and counts if it is not.
func TestCancelWhilePairing(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *bed) {
		resume := j.stop()
		one, other := b.seek(ann(), rules.DefaultVariant()), b.seek(bob(), rules.DefaultVariant())
		one.Cancel()
		resume()
		if status, open := b.status(one); open || status.Match == "" {
			b.Errorf("ann got %+v", status)
		}
		b.status(other)
		j.fail(Opened, 1)
		resume = j.stop()
		one, other = b.seek(ann(), rules.DefaultVariant()), b.seek(bob(), rules.DefaultVariant())
		one.Cancel()
		resume()
		pass(2 * backOff)
		if status, open := b.status(one); open || status.Match != "" {
			b.Errorf("ann got %+v", status)
		}
		if status, open := b.status(other); !open || status.Match != "" || status.Waiting != 1 {
			b.Errorf("bob got %+v (open %v)", status, open)
		}
	})
}
