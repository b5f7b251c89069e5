package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
)

func appendTo(t *testing.T, j Journal, id ID, seq uint64) error {
	t.Helper()
	stored, err := j.Append(t.Context(), Event{Match: id, Seq: seq, Kind: Opened, Terms: DefaultTerms()})
	if err == nil && (stored.Seq != seq || stored.Match != id || stored.At.IsZero()) {
		t.Errorf("recorded as %+v", stored)
	}
	return err
}

func mustAppend(t *testing.T, j Journal, id ID, seqs ...uint64) {
	t.Helper()
	for _, seq := range seqs {
		if err := appendTo(t, j, id, seq); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMemoryExpectsTheNextSequence(t *testing.T) {
	j := NewMemory(0)
	for _, seq := range []uint64{0, 2} {
		if err := appendTo(t, j, "a", seq); !errors.Is(err, ErrConflict) {
			t.Errorf("event %d of a new match: %v", seq, err)
		}
	}
	mustAppend(t, j, "a", 1, 2)
	mustAppend(t, j, "b", 1)
	for _, seq := range []uint64{0, 1, 2, 4} {
		if err := appendTo(t, j, "a", seq); !errors.Is(err, ErrConflict) {
			t.Errorf("event %d after 2: %v", seq, err)
		}
	}
	for after, want := range []int{2, 1, 0, 0} {
		events, err := j.Load(t.Context(), "a", uint64(after))
		if err != nil || len(events) != want || want > 0 && events[0].Seq != uint64(after)+1 {
			t.Errorf("after %d: %+v, %v", after, events, err)
		}
	}
}

func TestMemoryKnowsNoOtherMatch(t *testing.T) {
	j := NewMemory(0)
	_, errRead := j.Load(t.Context(), "a", 0)
	for _, err := range []error{errRead, j.Archive(t.Context(), "a")} {
		if !errors.Is(err, ErrNoSuchMatch) {
			t.Error(err)
		}
	}
}

func TestMemoryKeepsContexts(t *testing.T) {
	j := NewMemory(0)
	mustAppend(t, j, "a", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, errAppend := j.Append(ctx, Event{Match: "a", Seq: 2})
	_, errRead := j.Load(ctx, "a", 0)
	for _, err := range []error{errAppend, errRead, j.Archive(ctx, "a")} {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// Changing a loaded log does not change the journal.
func TestMemoryLogCannotBeChanged(t *testing.T) {
	j := NewMemory(0)
	mustAppend(t, j, "a", 1, 2)
	events, _ := j.Load(t.Context(), "a", 0)
	events[1].Match = "spoilt"
	_ = append(events[:1], Event{})
	if again, _ := j.Load(t.Context(), "a", 1); again[0].Match != "a" {
		t.Errorf("the log says %+v", again)
	}
}

// A subscriber receives past and later events in order, but none of archived matches.
func TestMemoryDeliversAllEvents(t *testing.T) {
	j := NewMemory(0)
	mustAppend(t, j, "a", 1, 2)
	mustAppend(t, j, "away", 1)
	if err := j.Archive(t.Context(), "away"); err != nil {
		t.Fatal(err)
	}
	var received, other []string
	fn := func(to *[]string) func(Event) {
		return func(e Event) { *to = append(*to, fmt.Sprintf("%s%d", e.Match, e.Seq)) }
	}
	stop := j.Subscribe(fn(&received))
	mustAppend(t, j, "b", 1)
	stopOther := j.Subscribe(fn(&other))
	defer stopOther()
	mustAppend(t, j, "a", 3)
	stop()
	stop()
	mustAppend(t, j, "a", 4)
	if want := []string{"a1", "a2", "b1", "a3"}; !slices.Equal(received, want) {
		t.Errorf("received %v, want %v", received, want)
	}
	if n := len(other); n != 5 || other[3] != "a3" || other[4] != "a4" {
		t.Errorf("who came later received %v", other)
	}
}

func TestMemoryForgetsTheOldestArchived(t *testing.T) {
	j := NewMemory(3)
	mustAppend(t, j, "live", 1)
	for i := range 5 {
		id := ID(strconv.Itoa(i))
		mustAppend(t, j, id, 1)
		for range 2 {
			if err := j.Archive(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, want := range map[ID]error{
		"0": ErrNoSuchMatch, "1": ErrNoSuchMatch, "2": nil, "3": nil, "4": nil, "live": nil,
	} {
		if _, err := j.Load(t.Context(), id, 0); !errors.Is(err, want) {
			t.Errorf("match %s: %v, want %v", id, err, want)
		}
	}
	if err := appendTo(t, j, "4", 2); !errors.Is(err, ErrArchived) {
		t.Errorf("an event after the end: %v", err)
	}
	mustAppend(t, j, "live", 2)
}

// Of several appends of the same event one succeeds, and it is delivered once.
func TestMemoryManyAppenders(t *testing.T) {
	j := NewMemory(0)
	mustAppend(t, j, "a", 1)
	last, found := uint64(0), 0
	defer j.Subscribe(func(e Event) { last, found = e.Seq, found+1 })()
	var wins [202]int
	var mu sync.Mutex
	var appenders sync.WaitGroup
	for range 4 {
		appenders.Go(func() {
			for seq := uint64(2); seq <= 201; seq++ {
				if _, err := j.Append(t.Context(), Event{Match: "a", Seq: seq}); err == nil {
					mu.Lock()
					wins[seq]++
					mu.Unlock()
				}
			}
		})
	}
	appenders.Wait()
	for seq := 2; seq <= 201; seq++ {
		if wins[seq] != 1 {
			t.Errorf("event %d was recorded %d times", seq, wins[seq])
		}
	}
	if last != 201 || found != 201 {
		t.Errorf("%d events were told, the last was %d", found, last)
	}
}
