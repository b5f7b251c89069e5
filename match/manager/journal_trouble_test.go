package manager

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
)

// A hanging journal costs the players only time. Callers give up when their context ends, the table after its
// timeout. Afterwards the match is as in the log.
func TestSlowJournal(t *testing.T) {
	inBubble(t, Config{JournalTimeout: 5 * time.Second}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		b.sees(other)
		resume := b.disk.stop()
		begun := time.Now()
		ctx, cancel := context.WithTimeout(b.Context(), time.Second)
		defer cancel()
		if b.fails(one.Play(ctx, move(b.T, "A5")), context.DeadlineExceeded); time.Since(begun) != time.Second {
			b.Errorf("the impatient player was told after %v", time.Since(begun))
		}
		b.fails(errOf(b.Sit(ctx, one.ID(), ann().ID)), context.DeadlineExceeded)
		b.seesNothing(other)
		pass(time.Second)
		resume()
		if s := b.sees(other); len(s.Moves) != 1 {
			b.Errorf("bob sees %v", s.Moves)
		}
		defer b.disk.stop()()
		begun = time.Now()
		b.fails(other.Play(b.Context(), move(b.T, "A1")), context.DeadlineExceeded)
		if time.Since(begun) != 5*time.Second {
			b.Errorf("the patient player was told after %v", time.Since(begun))
		}
		checkKinds(b, one.ID(), match.Moved)
	})
}

// Another node archives the match while a spectator still watches its end here. The log must end without an error.
func TestArchivedByAnotherNode(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, other := b.ended()
		b.must(b.disk.Archive(b.Context(), one.ID()))
		other.Close()
		pass(time.Minute)
		b.fails(one.OfferRematch(b.Context()), match.ErrClosed)
		if n := strings.Count(b.book.String(), "could not record"); n > 1 {
			b.Errorf("the table tried %d times:\n%s", n, b.book.String())
		}
	})
}

func (h *harness) onlooker(id match.ID) *Spectator {
	h.Helper()
	onlooker, err := h.Watch(h.Context(), id, cleo().ID)
	h.must(err)
	return onlooker
}

// late is a node's journal that delivers no events until it is released or asked to catch up.
type late struct {
	*unruly
	trouble error // of CatchUp

	mu   sync.Mutex
	held []match.Event
	fn   func(match.Event)
	live bool
}

func (l *late) Subscribe(fn func(match.Event)) (stop func()) {
	l.fn = fn
	return l.unruly.Subscribe(func(e match.Event) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.live {
			fn(e)
			return
		}
		l.held = append(l.held, e)
	})
}

func (l *late) CatchUp(context.Context) error {
	if l.trouble == nil {
		l.release()
	}
	return l.trouble
}

func (l *late) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.live = true
	for _, e := range l.held {
		l.fn(e)
	}
}

// A spectator joins at a node before the match is delivered there. The node loaded the match like an archived one. A
// player who sat down there later had every move refused, as at a closed table, and lost by absence.
func TestATableOfAMatchWhoseEventsHaveNotArrived(t *testing.T) {
	inBubble(t, Config{}, func(here *harness) {
		behind := &late{unruly: here.disk}
		there := newHarness(here.T, Config{Journal: behind, Seed: 8})
		defer there.Close()
		id := here.open(ann(), bob(), rules.DefaultVariant())
		one := here.sit(id, ann())
		onlooker := there.onlooker(id)
		here.play(one, "A5")
		behind.release()
		if s := here.sees(onlooker); len(s.Moves) != 1 {
			here.Errorf("the onlooker sees %v", s.Moves)
		}
		here.play(there.sit(id, bob()), "A1")
		if s := here.sees(one); len(s.Moves) != 2 {
			here.Errorf("ann sees %v", s.Moves)
		}
	})
}

// A damaged database has lost events of a match. The match is not shown as live, and does not count against its
// players' limits.
func TestAMatchWhoseLogIsLost(t *testing.T) {
	j := &late{unruly: newUnruly(), live: true}
	inBubble(t, Config{Journal: j, MaxMatches: 1}, func(b *harness) {
		one, other := b.pair(rules.DefaultVariant())
		b.play(one, "A5")
		j.fn(match.Event{Match: one.ID()})
		b.seesEnd(one)
		b.seesEnd(other)
		b.fails(errOf(b.Sit(b.Context(), one.ID(), ann().ID)), match.ErrDamaged)
		if ids := b.PlayerMatches(ann().ID); len(ids) > 0 {
			b.Errorf("ann plays %v", ids)
		}
		b.vsComputer(ann(), rules.First)
	})
}
