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

// seek takes a ticket, with the default terms if none are given.
func (h *harness) seek(p match.Player, accepts ...match.Terms) *lobby.Seek {
	h.Helper()
	if len(accepts) == 0 {
		accepts = []match.Terms{match.DefaultTerms()}
	}
	s, err := h.Lobby().Seek(h.Context(), p, accepts...)
	h.must(err)
	return s
}

// meets checks that two seeks lead to one match.
func (h *harness) meets(one, other *lobby.Seek) match.ID {
	h.Helper()
	mine, _ := h.status(one)
	theirs, _ := h.status(other)
	if mine.Match == "" || theirs.Match != mine.Match {
		h.Fatalf("one player got %+v, the other %+v", mine, theirs)
	}
	return mine.Match
}

// waits checks that the players of seeks are not paired.
func (h *harness) waits(seeks ...*lobby.Seek) {
	h.Helper()
	for _, s := range seeks {
		if status, open := h.status(s); !open || status.Match != "" {
			h.Errorf("a player who waits got %+v (open %t)", status, open)
		}
	}
}

func ticTacToe() match.Terms { return match.Terms{Variant: rules.TicTacToe()} }

// meet seats two players in a match of the queue, in the order of their sides.
func (h *harness) meet(one, other match.Player, terms match.Terms) (first, second *Seat) {
	h.Helper()
	id := h.meets(h.seek(one, terms), h.seek(other, terms))
	first, second = h.sit(id, one), h.sit(id, other)
	if first.Side() == rules.Second {
		first, second = second, first
	}
	return first, second
}

// status returns the newest status of a seek once all goroutines are idle, and whether its channel is still open.
func (h *harness) status(s *lobby.Seek) (status lobby.SeekStatus, open bool) {
	h.Helper()
	for synctest.Wait(); ; {
		select {
		case next, ok := <-s.Status():
			if !ok {
				return status, false
			}
			status = next
		default:
			return status, true
		}
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
		if s := replay(t, m.cfg.Journal, id); len(pair) != 2 || s.Side(pair[0]).Other() != s.Side(pair[1]) {
			t.Errorf("match %q has %v", id, pair)
		}
	}
}

// The players who wait longest are paired first, if their terms agree. Two players seeking different numbers of boards
// were each shown as the only one.
func TestOldestFirst(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		resume := b.disk.stop() // let the queue grow while tables are being opened
		seeks := make([]*lobby.Seek, 7)
		for i := range seeks {
			seeks[i] = b.seek(person(i))
		}
		odd := b.seek(cleo(), ticTacToe())
		resume()
		for i := 0; i < 6; i += 2 {
			b.meets(seeks[i], seeks[i+1])
		}
		for alone, others := range map[*lobby.Seek]match.Terms{seeks[6]: ticTacToe(), odd: match.DefaultTerms()} {
			if status, open := b.status(alone); !open || status.Match != "" || status.Waiting != 2 ||
				len(status.Others) != 1 || status.Others[0].Accepts[0] != others {
				b.Errorf("who is left over has %+v (open %v)", status, open)
			}
		}
		if w := b.Lobby().Waiting(cleo().ID); w.Count != 1 || len(w.First) != 1 || w.First[0].Name != person(6).Name {
			b.Errorf("besides cleo wait %+v", w)
		}
		nine := match.Terms{Variant: boards(t, 9)}
		oldest := b.seek(ann(), nine)
		latest := b.seek(bob(), ticTacToe(), nine) // cleo has waited longer
		b.waits(oldest)
		if s := b.logged(b.meets(odd, latest)); s.Terms != ticTacToe() {
			b.Errorf("they play %+v", s.Terms)
		}
	})
}

// An identity has one ticket over all queues, and is never paired with itself.
func TestOneTicketForAnIdentity(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		seek := b.seek(ann())
		for _, terms := range []match.Terms{match.DefaultTerms(), ticTacToe()} {
			b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), terms)), match.ErrAlreadySeeking)
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
		again := b.seek(ann(), ticTacToe())
		seek.Cancel() // the old handle does not affect the new ticket
		b.meets(again, b.seek(bob(), ticTacToe()))
		b.seek(ann(), ticTacToe())
	})
}

// A table that cannot be opened is opened a little later for both players. Later players keep waiting, and may leave.
func TestPairsAreKeptWhenATableFails(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		b.disk.interrupt(match.Opened, fault)
		one, other, late, gone := b.seek(ann()), b.seek(bob()), b.seek(cleo()), b.seek(guy(), ticTacToe())
		b.waits(one, other, late)
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), ticTacToe())), match.ErrAlreadySeeking)
		gone.Cancel()
		if _, open := b.status(gone); open {
			b.Error("a player cannot leave")
		}
		pass(backOff)
		b.meets(one, other)
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

// silentStore takes entries of key without an answer, and deletes none, until isSound.
type silentStore struct {
	*match.Memory
	key     string
	isSound atomic.Bool
}

// Put implements [match.Registry].
func (s *silentStore) Put(ctx context.Context, e match.Entry) (match.Entry, error) {
	if s.isSound.Load() || e.Key != s.key {
		return s.Memory.Put(ctx, e)
	}
	time.AfterFunc(time.Second, func() { _, _ = s.Memory.Put(context.Background(), e) })
	return match.Entry{}, match.ErrUnavailable
}

// Delete implements [match.Registry].
func (s *silentStore) Delete(ctx context.Context, e match.Entry) error {
	if !s.isSound.Load() {
		return match.ErrUnavailable
	}
	return s.Memory.Delete(ctx, e)
}

// The registry had taken a ticket although the seek had failed. The ticket was paired while it could not be deleted.
func TestALeftoverTicketIsNotPaired(t *testing.T) {
	j := &silentStore{Memory: match.NewMemory(), key: seekKey(ann().ID)}
	inBubble(t, Config{Journal: j}, func(b *harness) {
		b.fails(errOf(b.Lobby().Seek(b.Context(), ann(), match.DefaultTerms())), match.ErrUnavailable)
		pass(2 * time.Second)
		other := b.seek(bob())
		b.waits(other)
		j.isSound.Store(true)
		pass(2 * heartbeatInterval)
		if b.waits(other); b.Lobby().Waiting("").Count != 1 {
			b.Errorf("later %+v wait", b.Lobby().Waiting(""))
		}
	})
}

// A player who seeks at another node keeps one ticket, at its old position. The session at the first node is
// notified.
func TestTicketsMove(t *testing.T) {
	inBubble(t, Config{}, func(here *harness) {
		there := here.sister()
		defer there.Close()
		first := here.seek(ann(), ticTacToe())
		since, _ := here.status(first)
		pass(time.Second)
		second := there.seek(ann(), ticTacToe())
		if status, open := here.status(first); open || !status.Moved || status.Match != "" {
			here.Errorf("the first window is told %+v (open %v)", status, open)
		}
		if status, open := there.status(second); !open || status.Waiting != 1 || !status.Since.Equal(since.Since) {
			here.Errorf("the second window is told %+v (open %v), the first was %+v", status, open, since)
		}
		third := here.seek(ann())
		if status, open := there.status(second); open || !status.Moved {
			here.Errorf("the second window is told %+v (open %v)", status, open)
		}
		if w := here.Lobby().Waiting(""); w.Count != 1 || w.First[0].Accepts[0] != match.DefaultTerms() {
			here.Errorf("ann waits for %+v", w)
		}
		here.meets(third, there.seek(bob()))
	})
}

// The node fails before its paired player is told. The player finds the match at another node.
func TestPairingsMove(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		b.put(nodeKey+string(farNode), []byte("up"), 0)
		id := b.open(ann(), bob(), rules.DefaultVariant())
		b.put(seekKey(ann().ID), []byte(`{"version":4,"player":{"ID":"SHA256:ann","Name":"ann"},"accepts":[{"variant":`+
			`"notakto/3"}],"node":"`+string(farNode)+`","match":"`+string(id)+`","other":"SHA256:bob"}`), 0)
		if status, open := b.status(b.seek(ann(), ticTacToe())); open || status.Match != id {
			b.Fatalf("ann is told %+v (open %v)", status, open)
		}
		b.must(b.sit(id, ann()).Resign(b.Context()))
		b.waits(b.seek(ann(), ticTacToe()))
	})
}

// A node rewrote the tickets of newer nodes without the fields that it did not know.
func TestTicketsOfANewerVersionAreLeftAlone(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		newer := `{"version":5,"player":{"ID":"SHA256:ann","Name":"ann"},"variant":["notakto/3"],"node":"` +
			string(farNode) + `","clock":"3+2"}`
		ticket := b.put(seekKey(ann().ID), []byte(newer), 0)
		seek := b.seek(bob())
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
		if text := b.book.String(); strings.Contains(text, "WARN") {
			b.Error(text)
		}
	})
}

// seekKey returns the registry key of a player's ticket.
func seekKey(p match.PlayerID) string {
	sum := sha256.Sum256([]byte(p))
	return "seek." + hex.EncodeToString(sum[:16])
}
