package manager

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
)

func (h *harness) seek(p match.Player, v rules.Variant) *lobby.Seek {
	h.Helper()
	s, err := h.Lobby().Seek(h.Context(), p, match.Terms{Variant: v})
	h.must(err)
	return s
}

// meet seats two players in a match of the queue, in the order of their sides.
func (h *harness) meet(one, other match.Player, terms match.Terms) (first, second *Seat) {
	h.Helper()
	mine, err := h.Lobby().Seek(h.Context(), one, terms)
	h.must(err)
	theirs, err := h.Lobby().Seek(h.Context(), other, terms)
	h.must(err)
	status, _ := h.status(mine)
	if again, _ := h.status(theirs); status.Match == "" || again.Match != status.Match {
		h.Fatalf("%s got %+v, %s %+v", one.Name, status, other.Name, again)
	}
	first, second = h.sit(status.Match, one), h.sit(status.Match, other)
	if first.Side() == rules.Second {
		first, second = second, first
	}
	return first, second
}

// status returns the newest status of a seek once all goroutines are idle, and whether its channel is still open.
func (h *harness) status(s *lobby.Seek) (status lobby.SeekStatus, open bool) {
	h.Helper()
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

func person(i int) match.Player {
	return match.Player{ID: match.PlayerID("SHA256:" + strconv.Itoa(i)), Name: strconv.Itoa(i)}
}

// Players who seek at one moment are paired exactly once, with another player, and both are sent one match.
func TestEverybodyIsPairedOnce(t *testing.T) {
	const players = 200
	m := New(Config{Seed: 1})
	defer m.Close()
	var mu sync.Mutex
	partners := make(map[match.ID][]match.PlayerID)
	var sessions sync.WaitGroup
	for i := range players {
		sessions.Go(func() {
			seek, err := m.Lobby().Seek(t.Context(), person(i), match.DefaultTerms())
			if err != nil {
				t.Error(err)
				return
			}
			var last lobby.SeekStatus
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
		if len(pair) != 2 || pair[0] == pair[1] || s.Side(pair[0]) == s.Side(pair[1]) ||
			s.Side(pair[0]).Other() != s.Side(pair[1]) {
			t.Errorf("match %q has %v", id, pair)
		}
	}
}

// The players who wait longest are paired first, if their terms agree.
func TestOldestFirst(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		resume := j.stop() // let the queue grow while tables are being opened
		seeks := make([]*lobby.Seek, 7)
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
		for _, alone := range []*lobby.Seek{seeks[6], odd} {
			if status, open := b.status(alone); !open || status.Match != "" || status.Waiting != 2 ||
				len(status.Others) != 1 {
				b.Errorf("who is left over has %+v (open %v)", status, open)
			}
		}
		if w := b.Lobby().Waiting(cleo().ID); w.Count != 1 || len(w.First) != 1 || w.First[0].Name != person(6).Name {
			b.Errorf("besides cleo wait %+v", w)
		}
	})
}

// Two players who accept several terms meet on the terms that both prefer. A player with one choice meets the next
// player who accepts it. Players without common terms continue to wait.
func TestOnePool(t *testing.T) {
	five, nine := match.Terms{}, match.Terms{}
	inBubble(t, Config{}, func(b *harness) {
		five.Variant, nine.Variant = boards(b.T, 5), boards(b.T, 9)
		take := func(p match.Player, accepts ...match.Terms) *lobby.Seek {
			s, err := b.Lobby().Seek(b.Context(), p, accepts...)
			b.must(err)
			return s
		}
		insists, oldest := take(ann(), five), take(person(1), nine)
		anyone := take(bob(), match.DefaultAccepted()...)
		mine, _ := b.status(insists)
		his, _ := b.status(anyone)
		if s := replay(b.T, b.cfg.Journal, mine.Match); mine.Match != his.Match || s.Terms != five {
			b.Errorf("they play %+v", s.Terms)
		}
		alone := take(person(2), match.DefaultAccepted()...)
		latest := take(person(3), append(match.DefaultAccepted(), nine)...)
		mine, _ = b.status(latest)
		his, _ = b.status(oldest)
		if s := replay(b.T, b.cfg.Journal, mine.Match); mine.Match != his.Match || s.Terms != nine {
			b.Errorf("who has waited longest got %+v, the latest %+v on %+v", his, mine, s.Terms)
		}
		if s, open := b.status(alone); !open || s.Match != "" {
			b.Errorf("who is left over has %+v (open %v)", s, open)
		}
	})
}

// An identity has one ticket over all queues, and is never paired with itself.
func TestOneTicketForAnIdentity(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		seek := b.seek(ann(), rules.DefaultVariant())
		for _, v := range []rules.Variant{rules.DefaultVariant(), rules.TicTacToe()} {
			b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), match.Terms{Variant: v})), match.ErrAlreadySeeking)
		}
		if status, open := b.status(seek); !open || status.Match != "" || status.Waiting != 1 ||
			!status.Since.Equal(time.Now()) {
			b.Errorf("ann has %+v", status)
		}
		seek.Cancel()
		seek.Cancel()
		if _, open := b.status(seek); open {
			b.Error("a cancelled seek is still told something")
		}
		again := b.seek(ann(), rules.TicTacToe())
		seek.Cancel() // the old handle does not affect the new ticket
		other := b.seek(bob(), rules.TicTacToe())
		if status, _ := b.status(again); status.Match == "" {
			b.Error("ann was not paired")
		}
		b.status(other)
		b.seek(ann(), rules.TicTacToe())
	})
}

// A table that cannot be opened is opened a little later for both players. Later players keep waiting.
func TestPairsAreKeptWhenATableFails(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		j.fail(match.Opened, 1)
		one, other := b.seek(ann(), rules.DefaultVariant()), b.seek(bob(), rules.DefaultVariant())
		late := b.seek(cleo(), rules.DefaultVariant())
		for _, s := range []*lobby.Seek{one, other, late} {
			if status, open := b.status(s); !open || status.Match != "" {
				b.Errorf("after the failure: %+v (open %v)", status, open)
			}
		}
		if _, err := b.Lobby().Seek(
			b.Context(), ann(), match.Terms{Variant: rules.TicTacToe()},
		); !isErr(err, match.ErrAlreadySeeking) {
			b.Errorf("ann takes a second place: %v", err)
		}
		pass(backOff)
		first, _ := b.status(one)
		second, _ := b.status(other)
		if first.Match == "" || first.Match != second.Match {
			b.Errorf("ann got %+v, bob %+v", first, second)
		}
		if n := b.Lobby().Waiting("").Count; n != 1 {
			b.Errorf("%d wait with cleo", n)
		}
	})
}

// farNode is a node that is up and makes no pairings.
const farNode match.Node = "elsewhere"

func (h *harness) put(key string, text []byte, revision uint64) match.Entry {
	h.Helper()
	e, err := h.cfg.Journal.Put(h.Context(), match.Entry{Key: key, Text: text, Revision: revision})
	h.must(err)
	return e
}

// The registry is unavailable for longer than entries last.
func TestTicketsSurviveAnOutage(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j, JournalTimeout: time.Second}, func(b *harness) {
		one := b.seek(ann(), rules.DefaultVariant())
		resume := j.stopAll()
		pass(5 * match.EntryTTL)
		if _, err := b.Lobby().Seek(b.Context(), cleo(), match.DefaultTerms()); err == nil {
			b.Error("a place was taken that could not be recorded")
		}
		resume()
		pass(3 * heartbeatInterval)
		if n := b.Lobby().Waiting("").Count; n != 1 {
			b.Errorf("%d wait after the outage", n)
		}
		other := b.seek(bob(), rules.DefaultVariant())
		mine, _ := b.status(one)
		if his, _ := b.status(other); mine.Match == "" || mine.Match != his.Match {
			b.Errorf("ann got %+v, bob %+v", mine, his)
		}
	})
}

// unerasable is a journal that cannot delete entries for a while.
type unerasable struct {
	*match.Memory
	broken atomic.Bool
}

// Delete implements [match.Registry].
func (u *unerasable) Delete(ctx context.Context, e match.Entry) error {
	if u.broken.Load() {
		return match.ErrUnavailable
	}
	return u.Memory.Delete(ctx, e)
}

// The player leaves the queue while that cannot be recorded.
func TestWhoHasLeftIsNotPaired(t *testing.T) {
	j := &unerasable{Memory: match.NewMemory()}
	inBubble(t, Config{Journal: j}, func(b *harness) {
		one := b.seek(ann(), rules.DefaultVariant())
		j.broken.Store(true)
		one.Cancel()
		other := b.seek(bob(), rules.DefaultVariant())
		if status, open := b.status(other); !open || status.Match != "" {
			b.Errorf("bob is paired: %+v", status)
		}
		late := b.seek(cleo(), rules.DefaultVariant())
		mine, _ := b.status(late)
		if his, _ := b.status(other); mine.Match == "" || mine.Match != his.Match {
			b.Errorf("cleo got %+v, bob %+v", mine, his)
		}
		j.broken.Store(false)
		pass(backOff)
		if status, open := b.status(one); open || status.Match != "" {
			b.Errorf("ann got %+v (open %v)", status, open)
		}
	})
}

// silentStore takes tickets without an answer, and does not delete them until it is cleared.
type silentStore struct {
	*match.Memory
	cleared atomic.Bool
}

// Put implements [match.Registry].
func (s *silentStore) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	if s.cleared.Load() || e.Key != seekKey(ann().ID) {
		return s.Memory.Put(ctx, e)
	}
	time.AfterFunc(time.Second, func() { _, _ = s.Memory.Put(context.Background(), e) })
	return match.Entry{}, match.ErrUnavailable
}

// Delete implements [match.Registry].
func (s *silentStore) Delete(ctx context.Context, e match.Entry) error {
	if !s.cleared.Load() {
		return match.ErrUnavailable
	}
	return s.Memory.Delete(ctx, e)
}

// The registry had taken a ticket although the seek had failed. The ticket was paired while it could not be deleted.
func TestALeftoverTicketIsNotPaired(t *testing.T) {
	j := &silentStore{Memory: match.NewMemory()}
	inBubble(t, Config{Journal: j}, func(b *harness) {
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), match.DefaultTerms())), match.ErrUnavailable)
		pass(2 * time.Second)
		other := b.seek(bob(), rules.DefaultVariant())
		if status, open := b.status(other); !open || status.Match != "" {
			b.Errorf("bob got %+v (open %t)", status, open)
		}
		j.cleared.Store(true)
		pass(2 * heartbeatInterval)
		if status, open := b.status(other); !open || status.Match != "" || b.Lobby().Waiting("").Count != 1 {
			b.Errorf("later bob got %+v (open %t)", status, open)
		}
	})
}

// A player who seeks at another node keeps one ticket, at its old position. The session at the first node is
// notified.
func TestTicketsMove(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(here *harness) {
		there := newHarness(here.T, Config{Journal: j, Seed: 8})
		defer there.Close()
		first := here.seek(ann(), rules.TicTacToe())
		since, _ := here.status(first)
		pass(time.Second)
		second := there.seek(ann(), rules.TicTacToe())
		if status, open := here.status(first); open || !status.Moved || status.Match != "" {
			here.Errorf("the first window is told %+v (open %v)", status, open)
		}
		if status, open := there.status(second); !open || status.Waiting != 1 || !status.Since.Equal(since.Since) {
			here.Errorf("the second window is told %+v (open %v), the first was %+v", status, open, since)
		}
		third := here.seek(ann(), rules.DefaultVariant())
		if status, open := there.status(second); open || !status.Moved {
			here.Errorf("the second window is told %+v (open %v)", status, open)
		}
		if w := here.Lobby().Waiting(""); w.Count != 1 || w.First[0].Accepts[0] != match.DefaultTerms() {
			here.Errorf("ann waits for %+v", w)
		}
		bob := there.seek(bob(), rules.DefaultVariant())
		mine, _ := here.status(third)
		his, _ := there.status(bob)
		if mine.Match == "" || mine.Match != his.Match {
			here.Errorf("ann got %+v, bob %+v", mine, his)
		}
	})
}

// The node fails before its paired player is told. The player finds the match at another node.
func TestPairingsMove(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		b.put(nodeKey+string(farNode), []byte("up"), 0)
		id := b.open(ann(), bob(), rules.DefaultVariant())
		b.put(seekKey(ann().ID), []byte(`{"version":4,"player":{"ID":"SHA256:ann","Name":"ann"},"accepts":[{"variant":`+
			`"notakto/3"}],"node":"`+string(farNode)+`","match":"`+string(id)+`","other":"SHA256:bob"}`), 0)
		seek := b.seek(ann(), rules.TicTacToe())
		if status, open := b.status(seek); open || status.Match != id {
			b.Fatalf("ann is told %+v (open %v)", status, open)
		}
		b.must(b.sit(id, ann()).Resign(b.Context()))
		again := b.seek(ann(), rules.TicTacToe())
		if status, open := b.status(again); !open || status.Match != "" {
			b.Fatalf("after the match ann is told %+v (open %v)", status, open)
		}
	})
}

// A node rewrote the tickets of newer nodes without the fields that it did not know.
func TestTicketsOfANewerVersionAreLeftAlone(t *testing.T) {
	var book logBook
	inBubble(t, Config{Log: book.logger()}, func(b *harness) {
		newer := `{"version":5,"player":{"ID":"SHA256:ann","Name":"ann"},"variant":["notakto/3"],"node":"` +
			string(farNode) + `","clock":"3+2"}`
		ticket := b.put(seekKey(ann().ID), []byte(newer), 0)
		seek := b.seek(bob(), rules.DefaultVariant())
		pass(match.EntryTTL / 2) // the seek below tries for three seconds
		if status, open := b.status(seek); !open || status.Match != "" || status.Waiting != 1 {
			b.Errorf("bob is told %+v (open %v)", status, open)
		}
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), match.DefaultTerms())), match.ErrAlreadySeeking)
		b.cfg.Journal.Watch(func(e match.Entry) {
			if e.Key == ticket.Key && (string(e.Text) != newer || e.Revision != ticket.Revision) {
				b.Errorf("the place is %s now", e.Text)
			}
		})
		if text := book.String(); strings.Contains(text, "WARN") {
			b.Error(text)
		}
	})
}

// seekKey returns the registry key of a player's ticket.
func seekKey(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return "seek." + hex.EncodeToString(sum[:16])
}
