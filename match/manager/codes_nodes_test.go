package manager

import (
	"context"
	"sync"
	"testing"

	"notakto/match"
	"notakto/match/limit"
	"notakto/rules"
)

// lagging is the journal of a node that is behind the others: it receives nothing until it catches up.
type lagging struct {
	*match.Memory
	trouble error // of CatchUp

	mu     sync.Mutex
	fn     func(match.Event)
	events []match.Event // not delivered yet
}

func (j *lagging) Subscribe(fn func(match.Event)) (stop func()) {
	j.fn = fn
	return j.Memory.Subscribe(func(e match.Event) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.events = append(j.events, e)
	})
}

func (j *lagging) CatchUp(context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.trouble != nil {
		return j.trouble
	}
	for _, e := range j.events {
		j.fn(e)
	}
	j.events = nil
	return nil
}

// A node that is behind asks the journal before it refuses a code. If it cannot, the code counts as wrong.
func TestCodeAtANodeThatIsBehind(t *testing.T) {
	shared := match.NewMemory(0)
	inBubble(t, Config{Journal: shared}, func(b *harness) {
		late := &lagging{Memory: shared}
		other := newHarness(b.T, Config{Journal: late, Seed: 8})
		defer other.Close()
		id, code := b.private(ann())
		late.trouble = match.ErrUnavailable
		for range limit.FreeTries {
			if _, _, err := other.Join(b.Context(), cleo(), code); !isErr(err, match.ErrUnavailable) {
				b.Fatalf("while the journal does not answer: %v", err)
			}
		}
		late.trouble = nil
		if _, _, err := other.Join(b.Context(), cleo(), code); !isErr(err, match.ErrTooManyCodes) {
			b.Errorf("after too many tries: %v", err)
		}
		if got, _, err := other.Join(b.Context(), bob(), code); err != nil || got != id {
			b.Errorf("the code leads to %q: %v", got, err)
		}
		if _, _, err := other.Join(b.Context(), guy(), "CCCC"); !isErr(err, match.ErrNoSuchTable) {
			b.Errorf("a wrong code: %v", err)
		}
	})
}

// The node of a guest fails. The guest's code resumes the seat at another node at once.
func TestResumeFromADeadNode(t *testing.T) {
	inBubble(t, Config{Journal: &mortal{journal: match.NewMemory(0)}}, func(b *harness) {
		other := b.sister()
		defer other.Close()
		id := b.open(guy(), bob(), rules.DefaultVariant())
		code := b.sees(b.sit(id, guy())).SeatState(rules.First).Code
		b.perish()
		got, player, err := other.Join(other.Context(), match.Player{ID: "guest:new", Guest: true}, code)
		if err != nil || got != id || player != guy() {
			b.Fatalf("the code leads to %q for %q: %v", got, player.ID, err)
		}
		seat := other.sit(id, player)
		other.play(seat, "A5")
		pass(3 * match.EntryTTL)
		if s := other.sees(seat); s.Over() || !s.SeatState(rules.First).Present {
			b.Errorf("the guest is present: %v, the match is over: %v", s.SeatState(rules.First).Present, s.Over())
		}
	})
}

// Two nodes draw the same code: it belongs to the table recorded first, and the other table gets another code.
func TestSameCodeAtTwoNodes(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		draws := newRNG(b.cfg.Seed)
		draws.side()
		draws.id()
		drawn := draws.code(codeLength)
		j.interrupt(match.Opened, func() {
			for i, e := range []match.Event{
				{Kind: match.Opened, Terms: match.DefaultTerms(), Code: drawn},
				{Kind: match.Seated, Seat: rules.First, Player: bob(), Node: farNode},
			} {
				e.Match, e.Seq = "first", uint64(i)+1
				_, err := j.Append(b.Context(), e)
				b.must(err)
			}
		})
		id, code := b.private(ann())
		if code == drawn {
			b.Fatalf("both tables have the code %s", code)
		}
		for want, c := range map[match.ID]match.Code{"first": drawn, id: code} {
			if got, _, err := b.Join(b.Context(), cleo(), c); got != want {
				b.Errorf("the code %s leads to %q, want %q: %v", c, got, want, err)
			}
		}
		if on, over := b.tables.index.liveAndFinished(); len(on) != 2 || len(over) != 1 || !over[0].Closed {
			b.Errorf("%d matches are on, and %v are over", len(on), over)
		}
	})
}
